import { createServer } from '@hookproof/server-reference';
import type { ServerOptions } from '@hookproof/server-reference';
import { describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { startFileServer } from './file-server.ts';
import type { FileServer } from './file-server.ts';

const BYTES = '0123456789';
const DECLARED = { filename: 'note.csv', contentType: 'text/csv', size: 10 };
const KEYED = { ...DECLARED, idempotencyKey: 'k-1' };

interface Session {
  readonly uploadId: string;
  readonly fileId: string;
  readonly url: string;
  readonly expiresAt: string;
}

async function start({ post }: FileServer, fields: object = KEYED, key?: string): Promise<Session> {
  const { status, body } = await post('/v1/files/uploads', fields, key);
  expect(status).toBe(200);
  return body;
}

function complete({ post }: FileServer, { uploadId }: Session): Promise<ApiResponse> {
  return post(`/v1/files/uploads/${uploadId}/complete`);
}

function idsOf({ uploadId, fileId }: Session): string {
  return `${uploadId} ${fileId}`;
}

function expectRefused({ status, body }: ApiResponse, expected: number, issue: object): void {
  expect([status, body.issues[0]]).toEqual([expected, expect.objectContaining(issue)]);
}

describe('the transport of an upload', () => {
  test.each<[ServerOptions['uploadTransport'], number, string]>([
    [undefined, 10, 'presigned-put'],
    ['presigned-put', 0, 'presigned-put'],
    ['multipart', 10, 'multipart'],
    [10, 10, 'multipart'],
    [10, 11, 'presigned-put'],
    [0, 0, 'multipart'],
  ])('with the option %j and %i bytes is %s', async (uploadTransport, size, transport) => {
    const options = uploadTransport === undefined ? {} : { uploadTransport };
    const { post } = await startFileServer({ ...options, uploadLimitBytes: 1000 });
    const { body } = await post('/v1/files/uploads', { ...KEYED, size });
    expect(body).toMatchObject({ transport, maxFileSizeBytes: 1000 });
    if (transport === 'multipart') {
      expect(body).toEqual({ transport, maxFileSizeBytes: 1000, url: '/v1/files' });
    }
  });

  test('multipart takes a form at its path, and a form sent twice makes two files', async () => {
    const files = await startFileServer({ uploadTransport: 'multipart' });
    const { body } = await files.post('/v1/files/uploads', KEYED);
    expect(new URL(body.url, files.server.baseUrl).pathname).toBe('/v1/files');
    const ids = [await files.upload(BYTES), await files.upload(BYTES)];
    expect(new Set(ids).size).toBe(2);
    expect((await files.post('/v1/files/uploads', { ...KEYED, size: 11 })).status).toBe(200);
  });

  test.each([
    ['text/csv', 'text/csv'],
    ['text/csv; charset=utf-8', 'text/csv'],
    ['Text/CSV', 'text/csv'],
    ['text/html;level=1', 'text/html'],
  ])(
    'both transports make the same file of %s, in a form without parameters',
    async (contentType, inForm) => {
      const files = await startFileServer();
      const session = await start(files, { ...DECLARED, contentType });
      await files.put(session.url, BYTES);
      const { body: sent } = await complete(files, session);
      expect(sent.contentType).toBe(contentType);
      const part = { name: 'file', filename: sent.filename, type: contentType, bytes: BYTES };
      const { body: form } = await files.form([part]);
      expect(form).toEqual({ ...sent, id: form.id, contentType: inForm });
    },
  );

  test('an upload that is started at the app address is sent there', async () => {
    const files = await startFileServer({ appPort: 0 });
    const { appUrl, world } = files.server;
    const send = (path: string, json?: object): Promise<ApiResponse> =>
      call(appUrl, { method: 'POST', path, key: world.keys.wildcard, json });
    const { body } = await send('/api/v1/files/uploads', DECLARED);
    expect(new URL(body.url).origin).toBe(appUrl);
    expect((await files.put(body.url, BYTES)).status).toBe(204);
    const { status } = await send(`/api/v1/files/uploads/${body.uploadId}/complete`);
    expect(status).toBe(200);
  });

  test('multipart refuses what the other transport refuses', async () => {
    const { post } = await startFileServer({ uploadTransport: 'multipart', uploadLimitBytes: 9 });
    expectRefused(await post('/v1/files/uploads', DECLARED), 413, {
      field: 'size',
      code: 'payload_too_large',
    });
  });

  test.each(['put', '10', -1, 1.5, {}])('the option %j is refused', async (uploadTransport) => {
    const options: object = { store: { kind: 'memory' }, uploadTransport };
    await expect(createServer(options as ServerOptions)).rejects.toThrow(
      "uploadTransport must be 'presigned-put', 'multipart' or a size in bytes, got ",
    );
  });
});

describe('the idempotency key of an upload', () => {
  test('returns the same upload with a new URL', async () => {
    const files = await startFileServer({ signedUrlSeconds: 60 });
    const first = await start(files);
    await files.clock.advance(50_000);
    const again = await start(files);
    expect(idsOf(again)).toBe(idsOf(first));
    expect(Date.parse(again.expiresAt) - Date.parse(first.expiresAt)).toBe(50_000);
    await files.clock.advance(50_000);
    expect((await files.put(first.url, BYTES)).status).toBe(403);
    expect((await files.put(again.url, BYTES)).status).toBe(204);
    expect((await complete(files, again)).body.id).toBe(first.fileId);
  });

  test('is found by concurrent requests, which start one upload', async () => {
    const files = await startFileServer();
    const sessions = await Promise.all(Array.from({ length: 10 }, () => start(files)));
    expect(new Set(sessions.map(idsOf)).size).toBe(1);
  });

  test.each([
    ['filename', { filename: 'other.csv' }],
    ['contentType', { contentType: 'text/plain' }],
    ['size', { size: 11 }],
    ['purpose', { purpose: 'run-input' }],
    ['sha256', { sha256: 'a'.repeat(64) }],
  ])('with another %s gets 409', async (_name, other) => {
    const files = await startFileServer();
    const first = await start(files);
    expectRefused(await files.post('/v1/files/uploads', { ...KEYED, ...other }), 409, {
      field: 'idempotencyKey',
      code: 'idempotency_conflict',
      message: 'is the key of an upload that was declared differently',
    });
    expect(idsOf(await start(files, { ...KEYED, purpose: null }))).toBe(idsOf(first));
  });

  test('is free after an abort, after the expiry, and after its file was deleted', async () => {
    const files = await startFileServer({ signedUrlSeconds: 60 });
    const first = await start(files);
    await files.remove(`/v1/files/uploads/${first.uploadId}`);
    const second = await start(files, { ...KEYED, size: 3 });
    await files.clock.advance(61_000);
    const third = await start(files);
    await files.put(third.url, BYTES);
    await complete(files, third);
    await files.remove(`/v1/files/${third.fileId}`);
    const fourth = await start(files, { ...KEYED, size: 4 });
    expect(new Set([first, second, third, fourth].map(idsOf)).size).toBe(4);
  });

  test('returns the completed upload while its file exists; sending again changes nothing', async () => {
    const files = await startFileServer();
    const first = await start(files);
    await files.put(first.url, BYTES);
    const file = await complete(files, first);
    await files.clock.advance(86_400_000);
    const again = await start(files);
    expect(idsOf(again)).toBe(idsOf(first));
    const chunked = await fetch(again.url, {
      method: 'PUT',
      body: new Blob([BYTES.slice(0, 4), BYTES.slice(4)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(204);
    for (const other of ['987654321!', '98765']) {
      expectRefused(await files.put(again.url, other), 409, { code: 'upload_completed' });
    }
    expectRefused(await files.put(again.url, `${BYTES}!`), 413, { code: 'payload_too_large' });
    expect((await complete(files, again)).body).toEqual(file.body);
    const { bytes } = await files.get(`/v1/files/${first.fileId}/content`);
    expect(bytes.toString()).toBe(BYTES);
  });

  test('belongs to one tenant', async () => {
    const files = await startFileServer();
    const { otherTenant } = files.server.world.keys;
    const own = await start(files);
    const foreign = await start(files, { ...KEYED, size: 3 }, otherTenant);
    expect(idsOf(await start(files))).toBe(idsOf(own));
    expect(idsOf(foreign)).not.toBe(idsOf(own));
  });

  test.each(['', 'k'.repeat(256), 5, null])('%j is refused', async (idempotencyKey) => {
    const { post } = await startFileServer();
    expectRefused(await post('/v1/files/uploads', { ...DECLARED, idempotencyKey }), 400, {
      field: 'idempotencyKey',
      code: 'invalid_value',
    });
  });
});

describe('DELETE /v1/files/uploads/{uploadId}', () => {
  test('aborts an upload: its id, its URL and its bytes are gone', async () => {
    const files = await startFileServer();
    const session = await start(files);
    await files.put(session.url, BYTES);
    const path = `/v1/files/uploads/${session.uploadId}`;
    const { status, body } = await files.remove(path);
    expect([status, body]).toEqual([200, { aborted: true }]);
    const unknown = { field: 'uploadId', code: 'not_found' };
    expectRefused(await files.remove(path), 404, unknown);
    expectRefused(await complete(files, session), 404, unknown);
    expectRefused(await files.put(session.url, BYTES), 404, unknown);
    expect((await files.get(`/v1/files/${session.fileId}`)).status).toBe(404);
  });
  test('is refused once the upload is complete, and the file stays', async () => {
    const files = await startFileServer();
    const session = await start(files);
    await files.put(session.url, BYTES);
    await complete(files, session);
    expectRefused(await files.remove(`/v1/files/uploads/${session.uploadId}`), 409, {
      field: '<root>',
      code: 'upload_completed',
      message: 'the upload is completed, so it cannot be aborted',
    });
    expect((await files.get(`/v1/files/${session.fileId}/content`)).bytes.toString()).toBe(BYTES);
  });
});
