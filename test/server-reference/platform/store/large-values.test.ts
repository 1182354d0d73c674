import { readdir, readFile, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { blockWrites, journalIn } from '../../data-folder.ts';
import { START, controlClient } from '../../lab/control/control-client.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { recordingLogger } from './recording-logger.ts';

/** A value of about this number of kibibytes. Others of the same size have another seed. */
function valueOf(kibibytes: number, seed = 'a'): { rows: string[] } {
  return { rows: Array.from({ length: kibibytes }, (_, row) => `${row} ${seed}`.padEnd(1_020)) };
}

async function serve(path: string, now = START): Promise<ReferenceServer> {
  const server = await createServer({
    store: { kind: 'folder', path },
    clock: virtualClock({ now }),
    logger: recordingLogger(),
  });
  onTestFinished(() => server.close());
  return server;
}

function filesOf(folder: string): Promise<string[]> {
  return readdir(join(folder, 'values')).catch(() => []);
}

async function view(server: ReferenceServer, id: string): Promise<unknown> {
  const { baseUrl, world } = server;
  const path = `/v1/runs/${id}?expand=input,execution`;
  const { status, body } = await call(baseUrl, { path, key: world.keys.wildcard });
  expect(status).toBe(200);
  return body;
}

/** Opens a folder in which a run has this input, and closes it again. */
async function folderWithRun(input: object): Promise<{ folder: string; id: string }> {
  const folder = await temporaryFolder();
  const server = await serve(folder);
  const { id } = await controlClient(server).run({ input });
  await server.close();
  return { folder, id };
}

describe('a large value of a run', () => {
  test('is written once, and is what the API shows, also after a restart', async () => {
    const folder = await temporaryFolder();
    const server = await serve(folder);
    const control = controlClient(server);
    const [input, output] = [valueOf(1_000), valueOf(600, 'b')];
    const { id } = await control.run({ input });
    const bytes = async (): Promise<number> => (await stat(await journalIn(folder))).size;
    const before = await bytes();
    await control.move(id, 'running');
    await control.move(id, 'waiting');
    expect((await bytes()) - before).toBeLessThan(8_000);
    expect(await control.move(id, 'running', { output })).toMatchObject({ output });
    expect((await bytes()) - before).toBeLessThan(16_000);
    expect(await filesOf(folder)).toHaveLength(2);
    const shown = await view(server, id);
    expect(shown).toMatchObject({ output, input: { args: input } });
    await server.close();
    const again = await serve(folder);
    expect(await view(again, id)).toEqual(shown);
    expect(await controlClient(again).expectOk(200, `/runs/${id}`)).toMatchObject({ output });
  });

  test('is found in the steps, the events and the rerun of a run', async () => {
    const folder = await temporaryFolder();
    const server = await serve(folder);
    const { baseUrl, world } = server;
    const control = controlClient(server);
    const key = world.keys.wildcard;
    const json = { target: 'workflows.invoice-matcher', input: { text: 'x'.repeat(100_000) } };
    const { id } = (await call(baseUrl, { method: 'POST', path: '/v1/runs', key, json })).body;
    await control.advance(10_000);
    const { steps } = (await call(baseUrl, { path: `/v1/runs/${id}/steps`, key })).body;
    const { output } = await control.expectOk<{ output: unknown }>(200, `/runs/${id}`);
    expect(steps).toMatchObject([{ output: json.input }, { output }, {}]);
    expect(JSON.stringify(output)).toContain(json.input.text);
    const { data } = await control.expectOk<{ data: { payload: string }[] }>(
      200,
      `/events?runId=${id}`,
    );
    expect(JSON.parse(data.at(-1)?.payload ?? '').data.run.output).toEqual(output);
    const rerun = { method: 'POST', path: `/v1/runs/${id}/rerun`, key, json: {} } as const;
    const { status, body } = await call(baseUrl, rerun);
    expect(status).toBe(201);
    expect(await view(server, body.id)).toMatchObject({ input: { args: json.input } });
    const { runs } = (await call(baseUrl, { path: '/v1/runs?limit=5', key })).body;
    expect(runs.find((row: { id: string }) => row.id === id)?.execution.schemaValid).toBe(true);
  });

  test('has one file beside equal values, which is removed after the last of them', async () => {
    const folder = await temporaryFolder();
    const server = await serve(folder);
    const control = controlClient(server);
    const worlds: string[] = [];
    for (const label of ['one', 'two']) {
      const { id: worldId } = await control.expectOk<{ id: string }>(201, '/worlds', { label });
      await control.run({ worldId, input: valueOf(100) });
      worlds.push(worldId);
    }
    expect(await filesOf(folder)).toHaveLength(1);
    await control.call(`/worlds/${worlds[0]}`, { method: 'DELETE' });
    expect(await filesOf(folder)).toHaveLength(1);
    await control.call(`/worlds/${worlds[1]}`, { method: 'DELETE' });
    await server.close();
    expect(await filesOf(folder)).toEqual([]);
  });

  test.each([{ $large: 'a'.repeat(64), bytes: 3 }, { $large: null }])(
    'is not mistaken for its reference: %j',
    async (input) => {
      const { folder, id } = await folderWithRun(input);
      expect(await view(await serve(folder), id)).toMatchObject({ input: { args: input } });
    },
  );

  test('leaves no file behind when the batch that names it cannot be written', async () => {
    const folder = await temporaryFolder();
    const server = await serve(folder);
    const control = controlClient(server);
    const unblock = await blockWrites(folder);
    const json = { input: valueOf(100) };
    await control.expectError(503, '/runs', { json });
    expect(await filesOf(folder)).toEqual([]);
    await unblock();
    const { id } = await control.run(json);
    expect(await view(server, id)).toMatchObject({ input: { args: json.input } });
  });
});

test('large texts of a review are stored outside of it and freed with it', async () => {
  const folder = await temporaryFolder();
  const server = await serve(folder);
  const { baseUrl, world } = server;
  const path = `/v1/runs/${world.fixtures.runId}/reviews`;
  const key = world.keys.wildcard;
  const json = {
    verdict: 'incorrect',
    note: 'n'.repeat(20_000),
    correctedOutput: valueOf(50),
    corrections: [{ kind: 'field', path: '/a', correctedValue: valueOf(40) }],
  };
  const put = await call(baseUrl, { method: 'PUT', path, key, json });
  expect(put.body.review).toMatchObject(json);
  expect(await filesOf(folder)).toHaveLength(3);
  await server.close();
  const again = await serve(folder);
  expect((await call(again.baseUrl, { path, key })).body).toEqual(put.body);
  const filtered = `/v1/runs?hasCorrections=true&reviewNoteContains=nnn`;
  const { runs } = (await call(again.baseUrl, { path: filtered, key })).body;
  expect(runs).toMatchObject([{ execution: { review: { correctionCount: 1, hasNote: true } } }]);
  await call(again.baseUrl, { method: 'DELETE', path, key });
  await again.close();
  expect(await filesOf(folder)).toEqual([]);
});

describe('the files of large values', () => {
  test('that no record refers to are removed at the start', async () => {
    const { folder } = await folderWithRun(valueOf(100));
    const files = await filesOf(folder);
    await writeFile(join(folder, 'values', 'b'.repeat(64)), 'not referred to');
    await writeFile(join(folder, 'values', `${'c'.repeat(64)}.tmp`), 'cut off by a kill');
    await (await serve(folder)).close();
    expect(await filesOf(folder)).toEqual(files);
  });

  test.each([
    ['is missing', (path: string) => unlink(path), / is missing; record exec_\w+ of runs refers/],
    ['is cut off', (path: string) => truncate(path, 9), / has 9 bytes instead of 10\d{4}; record /],
  ])('refuse the start when one %s', async (_what, damage, message) => {
    const { folder } = await folderWithRun(valueOf(100));
    const [file = ''] = await filesOf(folder);
    await damage(join(folder, 'values', file));
    const before = await readFile(await journalIn(folder), 'utf8');
    await expect(serve(folder)).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringMatching(message),
    });
    expect(await readFile(await journalIn(folder), 'utf8')).toBe(before);
  });

  test('are named when their bytes are not those that were written', async () => {
    const { folder, id } = await folderWithRun(valueOf(100));
    const [file = ''] = await filesOf(folder);
    const path = join(folder, 'values', file);
    const bytes = await readFile(path);
    bytes[1_000] = 33;
    await writeFile(path, bytes);
    const causes: unknown[] = [];
    const error = (_message: string, cause: unknown): void => void causes.push(cause);
    const server = await createServer({
      store: { kind: 'folder', path: folder },
      clock: virtualClock({ now: START }),
      logger: { ...recordingLogger(), error },
    });
    onTestFinished(() => server.close());
    const { status } = await call(server.baseUrl, {
      path: `/v1/runs/${id}?expand=input`,
      key: server.world.keys.wildcard,
    });
    expect(status).toBe(500);
    expect(causes).toMatchObject([
      {
        code: 'store_corrupt',
        message: expect.stringContaining(`${file} is damaged: its bytes do not have the hash`),
      },
    ]);
  });
});
