import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import type { World } from '@hookproof/spec/control';
import { expect, onTestFinished, test } from 'vitest';

import { call } from '../contract-client.ts';
import { blockWrites, readDataFolder } from '../data-folder.ts';
import { listenAt } from '../events/endpoint-listener.ts';
import { controlClient } from '../lab/control/control-client.ts';
import type { ControlClient } from '../lab/control/control-client.ts';
import { recordingLogger } from './recording-logger.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Started extends ControlClient {
  readonly path: string;
  readonly server: ReferenceServer;
}

async function start(path: string): Promise<Started> {
  const server = await createServer({
    store: { kind: 'folder', path },
    logger: recordingLogger(),
  });
  onTestFinished(() => server.close());
  return { path, server, ...controlClient(server) };
}

function createWorld(control: ControlClient, json: object): Promise<World> {
  return control.expectOk<World>(201, '/worlds', json);
}

async function uploadFile({ server }: Started, { keys }: World): Promise<void> {
  const json = { filename: 'a.txt', contentType: 'text/plain', size: 1 };
  const path = '/v1/files/uploads';
  const { status } = await call(server.baseUrl, {
    method: 'POST',
    path,
    key: keys.wildcard,
    json,
  });
  expect(status).toBe(200);
}

test('a temporary world and everything in it is not stored', async () => {
  const control = await start(await temporaryFolder());
  const stored = await createWorld(control, { label: 'stored' });
  const before = JSON.stringify(await readDataFolder(control.path));
  const listener = await listenAt();
  const world = await createWorld(control, { label: 'sandbox', temporary: true });
  expect(world).toMatchObject({ label: 'sandbox', temporary: true });
  await control.endpoint(listener.url, { worldId: world.id });
  await control.run({ worldId: world.id });
  await uploadFile(control, world);
  await control.idle();
  expect(listener.arrivals).toHaveLength(1);
  expect(JSON.stringify(await readDataFolder(control.path))).toBe(before);

  // What is written for another world has nothing of it either.
  await control.run({ worldId: stored.id });
  const { worlds, tenants, ...file } = await readDataFolder(control.path);
  expect(Object.keys(worlds)).toEqual([control.server.world.id, stored.id]);
  expect(JSON.stringify({ tenants, ...file })).not.toContain(world.id);
  const tenantIds = new Set(Object.keys(tenants));
  for (const table of ['users', 'apiKeys', 'automations', 'files', 'runs', 'uploads'] as const) {
    for (const { tenantId } of Object.values(file[table])) expect(tenantIds).toContain(tenantId);
  }
  const runIds = Object.keys(file.runs);
  for (const id of Object.keys(file.runReviews)) expect(runIds).toContain(id);
  expect(file.deliveries).toEqual({});

  await control.server.close();
  const again = await start(control.path);
  const { data } = await again.expectOk<{ data: World[] }>(200, '/worlds');
  expect(data.map(({ id }) => id)).toEqual([control.server.world.id, stored.id]);
});

test('changes of temporary worlds alone go on while the folder cannot be written', async () => {
  const control = await start(await temporaryFolder());
  const unblock = await blockWrites(control.path);
  const world = await createWorld(control, { temporary: true });
  await control.run({ worldId: world.id });
  const deletion = await control.call(`/worlds/${world.id}`, { method: 'DELETE' });
  expect(deletion.status).toBe(204);
  expect((await control.call('/runs', { json: {} })).status).toBe(503);
  await unblock();
  await control.run();
});

test('no id of a run is used again after a restart, also those of temporary worlds', async () => {
  const path = await temporaryFolder();
  const ids: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const control = await start(path);
    const world = await createWorld(control, { temporary: true });
    ids.push((await control.run({ worldId: world.id })).id);
    await control.server.close();
  }
  expect(new Set(ids).size).toBe(2);
});
