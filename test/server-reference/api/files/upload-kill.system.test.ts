import { createHash } from 'node:crypto';

import { Client, request } from 'undici';
import { expect, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { startServerProcess } from '../../server-process.ts';
import type { ServerProcess } from '../../server-process.ts';
import { blobFiles } from './blob-folder.ts';
import { formBytes } from './file-server.ts';

const ROUNDS = 3;
const CLIENTS = 4;

/** Uploads until the server dies under it; returns what was acknowledged: ids and the bytes sent. */
async function uploadUntilKilled(
  server: ServerProcess,
  round: number,
): Promise<Map<string, Buffer>> {
  const acknowledged = new Map<string, Buffer>();
  let killing: Promise<void> | undefined;
  const client = async (number: number): Promise<void> => {
    for (let turn = 0; killing === undefined; turn += 1) {
      const bytes = Buffer.alloc(200_000, `${round}-${number}-${turn} `);
      const id = await upload(server, bytes).catch(() => null);
      if (id === null) return;
      acknowledged.set(id, bytes);
      if (acknowledged.size === 10) killing = server.kill();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  await killing;
  return acknowledged;
}

async function upload(server: ServerProcess, bytes: Buffer): Promise<string> {
  const { statusCode, body } = await request(`${server.baseUrl}/v1/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.world.keys.wildcard}`,
      'content-type': 'multipart/form-data; boundary=edge',
    },
    body: formBytes([{ name: 'file', filename: 'a', bytes }]),
  });
  const { id } = (await body.json()) as { id: string };
  expect(statusCode).toBe(200);
  return id;
}

test('after a kill, an acknowledged file is complete and no partial file remains', async () => {
  const folder = emptyFolder();
  const acknowledged = new Map<string, Buffer>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startServerProcess(folder);
    for (const [id, bytes] of await uploadUntilKilled(server, round)) acknowledged.set(id, bytes);
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * 10);

  const server = await startServerProcess(folder);
  const client = new Client(server.baseUrl);
  for (const [id, bytes] of acknowledged) {
    const response = await client.request({
      method: 'GET',
      path: `/v1/files/${id}/content`,
      headers: { authorization: `Bearer ${server.world.keys.wildcard}` },
    });
    expect(response.statusCode).toBe(200);
    expect(Buffer.from(await response.body.arrayBuffer()).equals(bytes)).toBe(true);
  }
  await client.destroy();
  const files = await blobFiles(folder);
  expect(files.filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual([]);
  const hashes = [...acknowledged.values()].map((bytes) =>
    createHash('sha256').update(bytes).digest('hex'),
  );
  expect(files).toEqual(expect.arrayContaining(hashes));
  await server.kill();
});
