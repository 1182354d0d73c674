import { readFile } from 'node:fs/promises';

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { createWorld } from '../../../../server-reference/src/lab/world/create-world.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import { openFolderStore } from '../../../../server-reference/src/platform/store/folder-store.ts';
import { journalIn, readDataFolder } from '../../data-folder.ts';
import { START, controlClient } from '../../lab/control/control-client.ts';
import { asId } from '../../state-by-text.ts';
import { recordingLogger } from '../store/recording-logger.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { listenAt } from './endpoint-listener.ts';
import type { EndpointListener } from './endpoint-listener.ts';

const PAGE = JSON.stringify({ code: 'out_of_order', page: '<p>busy</p>'.repeat(800) });
const OTHER_PAGE = PAGE.replaceAll('busy', 'gone');
const SHOWN = PAGE.slice(0, 4_096);

async function serve(path: string): Promise<ReferenceServer> {
  const server = await createServer({
    store: { kind: 'folder', path },
    clock: virtualClock({ now: START, stallTimeoutMilliseconds: 5_000 }),
    logger: recordingLogger(),
  });
  onTestFinished(() => server.close());
  return server;
}

/** An endpoint that responds 500 with a long page, and with another one from this number on. */
function failingEndpoint(other = Number.POSITIVE_INFINITY): Promise<EndpointListener> {
  return listenAt((response, number) => {
    response.statusCode = 500;
    response.end(number < other ? PAGE : OTHER_PAGE);
  });
}

async function pagesIn(folder: string): Promise<number> {
  const text = await readFile(await journalIn(folder), 'utf8');
  return text.split('<p>busy</p>'.repeat(300)).length - 1;
}

test('a long response body is stored once for all attempts, and each of them shows it', async () => {
  const folder = await temporaryFolder();
  const server = await serve(folder);
  const control = controlClient(server);
  await control.endpoint((await failingEndpoint()).url);
  await control.run();
  await control.run();
  await control.advance(60_000);
  const deliveries = await control.deliveries();
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  expect(attempts.length).toBeGreaterThan(3);
  expect(attempts.every(({ responseBody }) => responseBody === SHOWN)).toBe(true);
  expect(await pagesIn(folder)).toBe(1);
  await server.close();
  const again = controlClient(await serve(folder));
  expect(await again.deliveries()).toEqual(deliveries);
  expect(await again.expectOk(200, `/deliveries/${deliveries[0]?.id}/attempts/1`)).toMatchObject({
    attempt: { responseBody: SHOWN },
    explanation: { cause: 'app_failed' },
  });
});

test('a response body is deleted with the last attempt that has it', async () => {
  const folder = await temporaryFolder();
  const server = await serve(folder);
  const control = controlClient(server);
  const { url } = await failingEndpoint(2);
  const bodies = async (): Promise<unknown[]> =>
    Object.values((await readDataFolder(folder)).responseBodies ?? {}).map(({ uses }) => uses);
  const worlds: string[] = [];
  for (const label of ['one', 'two']) {
    const { id: worldId } = await control.expectOk<{ id: string }>(201, '/worlds', { label });
    await control.endpoint(url, { worldId });
    await control.run({ worldId });
    await control.advance(0);
    worlds.push(worldId);
  }
  await control.idle();
  expect((await bodies()).length).toBe(2);
  await control.call(`/worlds/${worlds[0]}`, { method: 'DELETE' });
  expect((await bodies()).length).toBe(1);
  const [left] = await control.deliveries();
  expect(left?.attempts[0]?.responseBody).toBe(OTHER_PAGE.slice(0, 4_096));
  await control.call(`/worlds/${worlds[1]}`, { method: 'DELETE' });
  expect(await bodies()).toEqual([]);
});

test('deliveries that are not read after a restart keep their response body until the last one is deleted', async () => {
  const folder = await temporaryFolder();
  const uses = async (): Promise<unknown[]> =>
    Object.values((await readDataFolder(folder)).responseBodies ?? {}).map((body) => body.uses);
  const { url } = await failingEndpoint();
  const worlds: string[] = [];
  for (const label of ['one', 'two']) {
    const server = await serve(folder);
    const control = controlClient(server);
    const { id: worldId } = await control.expectOk<{ id: string }>(201, '/worlds', { label });
    await control.endpoint(url, { worldId });
    await control.run({ worldId });
    await control.advance(0);
    await control.idle();
    worlds.push(worldId);
    expect(await uses()).toEqual([worlds.length]);
    await server.close();
  }
  for (const worldId of worlds) {
    const server = await serve(folder);
    await controlClient(server).call(`/worlds/${worldId}`, { method: 'DELETE' });
    await server.close();
    expect(await uses()).toEqual(worldId === worlds[0] ? [1] : []);
  }
});

test('when response bodies have filled their bytes, the beginning of another one is recorded', async () => {
  const folder = await temporaryFolder();
  const state = emptyState(1, 'token');
  state.defaultWorldId = createWorld(state, START).id;
  for (let index = 0; index < 64; index += 1) {
    state.responseBodies.add({ id: asId(`body_${index}`), text: 'x'.repeat(1_048_576), uses: 1 });
  }
  await (await openFolderStore(folder, state, recordingLogger())).close();
  const control = controlClient(await serve(folder));
  await control.endpoint((await failingEndpoint()).url);
  await control.run();
  await control.advance(0);
  await control.idle();
  const { attempts } = await control.onlyDelivery();
  expect(attempts[0]?.responseBody).toBe(PAGE.slice(0, 256));
});
