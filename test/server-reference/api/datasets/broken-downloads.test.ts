import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';

import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { recordingLogger } from '../../store/recording-logger.ts';
import { bytesOf, datasetOf } from './dataset-app.ts';

/** Far more than both ends of a connection buffer. */
const LARGE = { path: 'a.bin', size: 16 * 1024 * 1024 };

async function startOnFolder(): Promise<{
  server: ReferenceServer;
  folder: string;
  logged: readonly string[];
}> {
  const folder = emptyFolder();
  const logger = recordingLogger();
  const server = await createServer({ store: { kind: 'folder', path: folder }, logger });
  onTestFinished(() => server.close());
  return { server, folder, logged: logger.lines };
}

/** Where a folder keeps these bytes. */
function placeOf(folder: string, bytes: Buffer): string {
  return join(folder, 'blobs', createHash('sha256').update(bytes).digest('hex'));
}

/** Begins an export, and stops reading after its first bytes. */
async function beginExport(
  { baseUrl, world }: ReferenceServer,
  exampleId: string,
): Promise<{ socket: Socket; first: Buffer }> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(
    [
      `GET /v1/automations/${world.fixtures.datasetAutomationId}/dataset/export?exampleIds=${exampleId} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${world.keys.wildcard}`,
      '\r\n',
    ].join('\r\n'),
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { socket, first };
}

test('bytes that go missing during the response close the connection', async () => {
  const { server, folder } = await startOnFolder();
  const id = await datasetOf(server).add({
    name: 'going',
    input: [LARGE, { path: 'b.txt', text: 'soon gone' }],
  });
  const { socket, first } = await beginExport(server, id);
  const head = first.toString('latin1').split('\r\n\r\n')[0] ?? '';
  await rm(placeOf(folder, Buffer.from('soon gone')));
  let received = first.length - head.length - 4;
  let last = first;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    last = chunk;
  });
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'close');
  expect(received).toBeGreaterThan(0);
  // The last chunk, which ends a complete response, is missing.
  expect(last.toString('latin1')).not.toMatch(/\r\n0\r\n\r\n$/);
});

test.skipIf(process.platform !== 'linux')(
  'a client that disconnects leaves no file open',
  async () => {
    const { server, folder, logged } = await startOnFolder();
    const id = await datasetOf(server).add({
      name: 'left',
      input: [LARGE],
    });
    const place = placeOf(folder, bytesOf(LARGE));
    const opened = async (): Promise<number> => {
      const links = (await readdir('/proc/self/fd')).map((fd) =>
        readlink(`/proc/self/fd/${fd}`).catch(() => ''),
      );
      return (await Promise.all(links)).filter((target) => target === place).length;
    };
    const { socket } = await beginExport(server, id);
    await expect.poll(opened).toBe(1);
    socket.destroy();
    await expect.poll(opened).toBe(0);
    expect(logged).toEqual([]);
  },
);
