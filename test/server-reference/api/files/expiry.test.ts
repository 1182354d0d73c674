import { createHash } from 'node:crypto';

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { World } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { controlClient } from '../../lab/control/control-client.ts';
import { call } from '../../contract-client.ts';
import { recordingLogger } from '../../store/recording-logger.ts';
import { blobFiles } from './blob-folder.ts';
import { START, startFileServer } from './file-server.ts';

const DAY = 86_400_000;

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

test('files that expired while no server ran are removed at start, with their bytes', async () => {
  const store = { kind: 'folder', path: emptyFolder() } as const;
  const clock = virtualClock({ now: START });
  const logger = recordingLogger();
  const first = await startFileServer({ store, clock });
  const temporary = await first.upload('soon gone', {}, 'run-input');
  const durable = await first.upload('here to stay');
  await first.server.close();

  const later = virtualClock({ now: START + DAY });
  const second = await createServer({ store, clock: later, logger });
  onTestFinished(() => second.close());
  const key = second.world.keys.wildcard;
  const read = (id: string): ReturnType<typeof call> =>
    call(second.baseUrl, { path: `/v1/files/${id}/content`, key });
  expect((await read(temporary)).status).toBe(404);
  expect(await blobFiles(store.path)).not.toContain(hashOf('soon gone'));
  expect((await read(durable)).bytes.toString()).toBe('here to stay');
  expect((await read(second.world.fixtures.fileId)).status).toBe(200);
  expect(logger.lines).toEqual([]);
});

test('a completed upload is removed with its file', async () => {
  const { clock, post, put } = await startFileServer();
  const declared = { filename: 'a', contentType: 'text/plain', size: 5, purpose: 'run-input' };
  const { body } = await post('/v1/files/uploads', declared);
  await put(body.uploadUrl, 'bytes');
  const complete = `/v1/files/uploads/${body.uploadId}/complete`;
  expect((await post(complete)).status).toBe(200);
  await clock.advance(DAY - 1);
  expect((await post(complete)).status).toBe(200);
  await clock.advance(1);
  expect((await post(complete)).status).toBe(404);
});

test('a world keeps the bytes of its fixtures for any advance of the clock', async () => {
  const { clock, get, server } = await startFileServer();
  await clock.advance(60 * DAY);
  const { fileId, runInputFileId } = server.world.fixtures;
  expect((await get(`/v1/files/${runInputFileId}`)).status).toBe(404);
  expect((await get(`/v1/files/${fileId}/content`)).status).toBe(200);
  const fresh = await controlClient(server).expectOk<World>(201, '/worlds', {});
  const { fixtures, keys } = fresh;
  expect(
    (await get(`/v1/files/${fixtures.runInputFileId}/content`, {}, keys.wildcard)).status,
  ).toBe(200);
});
