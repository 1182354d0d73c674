import { once } from 'node:events';
import { connect } from 'node:net';

import { expect, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { recordingLogger } from '../../store/recording-logger.ts';
import { blobFiles, openFilesBelow } from './blob-folder.ts';
import { startFileServer } from './file-server.ts';
import type { FileServer } from './file-server.ts';

const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');

/** Sends a request, optionally waits for the first bytes of the response, and disconnects. */
async function disconnect(
  { server }: FileServer,
  text: string,
  awaitResponse: boolean,
): Promise<void> {
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve) => void socket.write(text, () => resolve()));
  if (awaitResponse) await once(socket, 'data');
  socket.destroy();
}

test('a client that disconnects during a download leaves no file open', async () => {
  const folder = emptyFolder();
  const logger = recordingLogger();
  const files = await startFileServer({ store: { kind: 'folder', path: folder }, logger });
  const id = await files.upload(LARGE);
  const atRest = await openFilesBelow(folder);
  const head =
    `GET /v1/files/${id}/content HTTP/1.1\r\nHost: localhost\r\n` +
    `Authorization: Bearer ${files.server.world.keys.wildcard}\r\n\r\n`;
  await Promise.all([1, 2, 3].map(() => disconnect(files, head, true)));
  await Promise.all([1, 2, 3].map(() => disconnect(files, head, false)));
  await files.head(`/v1/files/${id}/content`);
  await expect.poll(() => openFilesBelow(folder)).toBe(atRest);
  expect(logger.lines).toEqual([]);
});

test('a client that disconnects during an upload leaves no bytes', async () => {
  const folder = emptyFolder();
  const logger = recordingLogger();
  const files = await startFileServer({ store: { kind: 'folder', path: folder }, logger });
  const before = (await blobFiles(folder)).toSorted();
  const form =
    `POST /v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n` +
    `Authorization: Bearer ${files.server.world.keys.wildcard}\r\n` +
    'Content-Type: multipart/form-data; boundary=edge\r\n\r\n' +
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf';
  await disconnect(files, form, false);
  const declared = { filename: 'a', contentType: 'text/plain', size: 9000 };
  const { body } = await files.post('/v1/files/uploads', declared);
  const url = new URL(body.uploadUrl);
  const put = `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\nhalf`;
  await disconnect(files, put, false);
  await expect.poll(async () => (await blobFiles(folder)).toSorted()).toEqual(before);
  const { status } = await files.post(`/v1/files/uploads/${body.uploadId}/complete`);
  expect(status).toBe(409);
  expect(logger.lines).toEqual([]);
});
