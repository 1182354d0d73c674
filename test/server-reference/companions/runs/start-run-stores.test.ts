import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer, ServerOptions } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { START, controlClient } from '../../lab/control/control-client.ts';
import { formBytes } from '../../api/files/file-server.ts';
import type { Part } from '../../api/files/file-server.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

async function serve(store: ServerOptions['store'], now = START): Promise<ReferenceServer> {
  const server = await createServer({ store, clock: virtualClock({ now }) });
  onTestFinished(() => server.close());
  return server;
}

function startForm(
  { baseUrl, world }: ReferenceServer,
  parts: readonly Part[],
): Promise<ApiResponse> {
  return call(baseUrl, {
    method: 'POST',
    path: '/v1/runs',
    key: world.keys.wildcard,
    raw: formBytes([{ name: 'target', bytes: 'workflows.invoice-matcher' }, ...parts], 'edge'),
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  });
}

test('a start takes a form of 4,718,592 bytes', async () => {
  const server = await serve({ kind: 'folder', path: await temporaryFolder() });
  const doc = { name: 'files.doc', filename: 'a.bin', bytes: Buffer.alloc(4_718_592, 'a') };
  const { status, body } = await startForm(server, [doc]);
  expect(status).toBe(201);
  const path = `/v1/runs/${body.id}/artifacts/input/a.bin`;
  const { bytes } = await call(server.baseUrl, { path, key: server.world.keys.wildcard });
  expect(bytes).toHaveLength(4_718_592);
});

test('a run goes on after a restart with its files, version, metadata and request to cancel', async () => {
  const store = { kind: 'folder', path: await temporaryFolder() } as const;
  const first = await serve(store);
  const parts = [
    { name: 'files.doc', filename: 'a.txt', bytes: 'a' },
    { name: 'metadata', bytes: '{"ticket":7}' },
    { name: 'input', bytes: '{"$outcome":"waiting"}' },
  ];
  const { id } = (await startForm(first, parts)).body;
  await controlClient(first).advance(10_000);
  const key = first.world.keys.wildcard;
  const cancel = { method: 'POST', path: `/v1/runs/${id}/cancel`, key } as const;
  expect((await call(first.baseUrl, cancel)).body.cancellation.state).toBe('requested');
  const before = (await call(first.baseUrl, { path: `/v1/runs/${id}?expand=input`, key })).body;
  await first.close();
  const second = await serve(store, START + 10_000);
  const read = { path: `/v1/runs/${id}?expand=input`, key };
  expect((await call(second.baseUrl, read)).body).toEqual(before);
  await controlClient(second).advance(1_000);
  expect((await call(second.baseUrl, read)).body).toMatchObject({
    status: 'cancelled',
    input: { args: { doc: { $file: 'input/a.txt' } }, metadata: { ticket: 7 } },
  });
});
