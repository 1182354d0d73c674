import { execFileSync } from 'node:child_process';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { virtualClock } from '@hookproof/server-reference';
import { afterAll, expect, test } from 'vitest';

import type { ExampleRecord } from '../../../../server-reference/src/platform/state/datasets.ts';
import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { controlClient, openControlled } from '../../lab/control/control-client.ts';
import { openApp } from '../../open-app.ts';
import type { OpenApp } from '../../open-app.ts';
import { readZip } from '../datasets/read-zip.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

const clock = virtualClock({ now: Date.parse('2026-07-01T12:00:00Z') });
const app = await openApp({ clock });
afterAll(() => app.close());
const { keys, fixtures } = app.world;
const control = controlClient(app);
const AUTOMATION = `/v1/automations/${fixtures.datasetAutomationId}`;

async function read(path: string, key: string = keys.wildcard): Promise<string> {
  const { status, bytes } = await call(app.listener, { path, key });
  expect(status).toBe(200);
  return bytes.toString();
}

test.each([
  '/v1/dataset-review-requests',
  '/v1/templates',
  '/api/v1/agents',
  '/v1/automations',
  '/v1/runs',
])('%s is the same twice, and another one for another tenant or page', async (path) => {
  const first = await read(path);
  expect(await read(path)).toBe(first);
  expect(await read(`${path}?unknown=1`)).toBe(first);
  expect(await read(path, keys.otherTenant)).not.toBe(first);
  expect(await read(`${path}?limit=1&offset=1`)).not.toBe(first);
  expect(await read(path)).toBe(first);
});

test('a list shows a commit at once', async () => {
  const before = await read('/v1/automations');
  const path = `/v1/automations/${fixtures.workflowId}`;
  const json = { folderPath: 'Moved' };
  await call(app.listener, { method: 'PATCH', path, key: keys.wildcard, json });
  const after = await read('/v1/automations');
  expect(after).not.toBe(before);
  expect(after).toContain('"Moved"');
});

test('a list by relative times moves with the clock', async () => {
  const json = { target: fixtures.workflowId };
  const started = await call(app.listener, {
    method: 'POST',
    path: '/v1/runs',
    key: keys.wildcard,
    json,
  });
  await clock.advance(60_000);
  const path = '/v1/runs?from=now-1h';
  expect(await read(path)).toContain(started.body.id);
  await clock.advance(3_600_000);
  expect(await read(path)).not.toContain(started.body.id);
});

function headersOf({ headers: { 'x-request-id': _id, ...others } }: ApiResponse): object {
  return others;
}

const OF_ONE_TENANT = [
  `/v1/runs/${fixtures.runId}`,
  `/api/v1/runs/${fixtures.runId}?expand=input,usage,execution,debug`,
  `/v1/runs/${fixtures.runId}/steps`,
  `/v1/runs/${fixtures.runId}/trace`,
  `/v1/runs/${fixtures.runId}/artifacts`,
  `/v1/runs/${fixtures.runId}/artifacts?zip=1`,
  `/v1/runs/${fixtures.reviewedRunId}/reviews`,
  `${AUTOMATION}/dataset/export`,
  `${AUTOMATION}/experiments/export?format=json`,
  `${AUTOMATION}/experiments/export?format=csv&includeTrace=1`,
  `${AUTOMATION}/experiments/${fixtures.experimentId}/export?format=json`,
];

test.each(OF_ONE_TENANT)('%s is the same twice, and unknown to another tenant', async (path) => {
  const ask = (key: string): Promise<ApiResponse> => call(app.listener, { path, key });
  const [first, second] = [await ask(keys.wildcard), await ask(keys.wildcard)];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.bytes).toEqual(first.bytes);
  expect(headersOf(second)).toEqual(headersOf(first));
  expect((await ask(keys.otherTenant)).status).toBe(404);
});

test('a run and its review show a commit at once', async () => {
  const path = `/v1/runs/${fixtures.runId}`;
  expect(await read(path)).not.toContain('"hasNote":true');
  const json = { verdict: 'correct', note: 'as expected' };
  await call(app.listener, { method: 'PUT', path: `${path}/reviews`, key: keys.wildcard, json });
  expect(await read(path)).toContain('"hasNote":true');
  expect(await read(`${path}/reviews`)).toContain('as expected');
  await call(app.listener, { method: 'DELETE', path: `${path}/reviews`, key: keys.wildcard });
  expect(await read(`${path}/reviews`)).toBe('{"review":null}');
});

async function exportedNames({ listener, world }: OpenApp): Promise<string[]> {
  const path = `/v1/automations/${world.fixtures.datasetAutomationId}/dataset/export`;
  const { bytes } = await call(listener, { path, key: world.keys.wildcard });
  return (await readZip(bytes)).map(({ name }) => name);
}

test('an export shows a new example at once', async () => {
  expect(await exportedNames(app)).not.toContain('examples/just-added/input/');
  await control.expectOk(201, '/examples', { name: 'just-added' });
  expect(await exportedNames(app)).toContain('examples/just-added/input/');
});

test.skipIf(process.platform === 'win32')(
  'an export of what was there before a commit is not kept after it',
  async () => {
    const folder = await temporaryFolder();
    const opened = await openControlled({ store: { kind: 'folder', path: folder } });
    const { input } = await opened.expectOk<ExampleRecord>(201, '/examples', {
      name: 'slow',
      input: [{ path: 'a.txt', text: 'arrives late' }],
    });
    const sha256 = input[0]?.sha256 ?? '';
    const place = join(folder, 'blobs', sha256.slice(0, 2), sha256);
    const bytes = await readFile(place);
    await rm(place);
    // A reader of a pipe waits for its writer.
    execFileSync('mkfifo', [place]);
    const before = exportedNames(opened.app);
    const writer = await open(place, 'w');
    await opened.expectOk(201, '/examples', { name: 'just-added' });
    const { listener, world } = opened.app;
    await call(listener, { path: '/v1/templates', key: world.keys.wildcard });
    await rm(place);
    await writeFile(place, bytes);
    await writer.writeFile(bytes);
    await writer.close();
    expect(await before).not.toContain('examples/just-added/input/');
    expect(await exportedNames(opened.app)).toContain('examples/just-added/input/');
  },
);

test.each(['?expand=usage', '?expand=execution', '/steps', '/trace'])(
  'of an open run, %s moves with the clock',
  async (rest) => {
    const { id } = await control.run({ status: 'running' });
    const path = `/v1/runs/${id}${rest}`;
    const before = await read(path);
    await clock.advance(20_000);
    expect(await read(path)).not.toBe(before);
  },
);

test('what many requests read is forgotten before it fills the memory', async () => {
  const folder = await temporaryFolder();
  const opened = await openControlled({ store: { kind: 'folder', path: folder } });
  const { listener, world } = opened.app;
  const ask = (path: string): Promise<ApiResponse> =>
    call(listener, { path, key: world.keys.wildcard });
  const path = `/v1/automations/${world.fixtures.datasetAutomationId}/dataset/export`;
  const { bytes } = await ask(path);
  await rm(join(folder, 'blobs'), { recursive: true });
  expect((await ask(path)).bytes).toEqual(bytes);
  // 4 MiB of addresses.
  for (let count = 0; count < 300; count += 1) {
    expect((await ask(`/v1/templates?${count}=${'x'.repeat(14_000)}`)).status).toBe(200);
  }
  expect((await ask(path)).status).toBe(500);
});
