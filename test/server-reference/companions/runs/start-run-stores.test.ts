import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer, ServerOptions } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { START, controlClient } from '../../lab/control/control-client.ts';
import { exchange, wholeResponses } from '../../raw-exchange.ts';
import { formBytes } from '../../api/files/file-server.ts';
import type { Part } from '../../api/files/file-server.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

const STORES: Readonly<Record<string, () => Promise<ServerOptions['store']>>> = {
  memory: async () => ({ kind: 'memory' }),
  folder: async () => ({ kind: 'folder', path: await temporaryFolder() }),
};

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

async function download({ baseUrl, world }: ReferenceServer, path: string): Promise<Buffer> {
  return (await call(baseUrl, { path, key: world.keys.wildcard })).bytes;
}

describe.each(Object.entries(STORES))('a start with a %s store', (_name, options) => {
  test('takes a form of 4,718,592 bytes', async () => {
    const server = await serve(await options());
    const doc = { name: 'files.doc', filename: 'a.bin', bytes: Buffer.alloc(4_718_592, 'a') };
    const { status, body } = await startForm(server, [doc]);
    expect(status).toBe(201);
    const bytes = await download(server, `/v1/runs/${body.id}/artifacts/input/a.bin`);
    expect(bytes).toHaveLength(4_718_592);
  });

  test('whose form is cut off responds 400, starts nothing, and the server goes on', async () => {
    const server = await serve(await options());
    const { wildcard } = server.world.keys;
    const before = (await call(server.baseUrl, { path: '/v1/runs', key: wildcard })).body.total;
    const body =
      '--b\r\nContent-Disposition: form-data; name="files.doc"; filename="t"\r\n\r\nhello';
    const text = await exchange(
      server.baseUrl,
      [
        'POST /v1/runs HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${wildcard}`,
        'Content-Type: multipart/form-data; boundary=b',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
    expect(wholeResponses(text)[0]).toMatchObject({
      status: 400,
      body: { issues: [{ code: 'malformed_multipart' }] },
    });
    const after = await call(server.baseUrl, { path: '/v1/runs', key: wildcard });
    expect([after.status, after.body.total]).toEqual([200, before]);
  });

  test('keeps the bytes of its files when the file is deleted and unused bytes are removed', async () => {
    const server = await serve(await options());
    const { baseUrl, world } = server;
    const key = world.keys.wildcard;
    const file = { name: 'file', filename: 'kept.txt', type: 'text/plain', bytes: 'kept' };
    const { id: fileId } = (
      await call(baseUrl, {
        method: 'POST',
        path: '/v1/files',
        key,
        raw: formBytes([file, { name: 'purpose', bytes: 'run-input' }], 'edge'),
        headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      })
    ).body;
    const json = { target: 'agents.freight-quote', input: { doc: { $fileId: fileId } } };
    const { body } = await call(baseUrl, { method: 'POST', path: '/v1/runs', key, json });
    await controlClient(server).advance(2 * 86_400_000);
    expect((await call(baseUrl, { path: `/v1/files/${fileId}`, key })).status).toBe(404);
    const path = `/v1/runs/${body.id}/artifacts/input/kept.txt`;
    expect((await download(server, path)).toString()).toBe('kept');
  });
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
