import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { START, startFileServer } from './file-server.ts';
import type { FileServer } from './file-server.ts';

const BYTES = Buffer.from('0123456789');
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const DECLARED = { filename: 'note.csv', contentType: 'text/csv', size: 10, sha256: SHA256 };

type Begun = { uploadId: string; uploadUrl: string; complete: string };

async function begin({ post }: FileServer, fields: object = {}): Promise<Begun> {
  const { status, body } = await post('/v1/files/uploads', { ...DECLARED, ...fields });
  expect(status).toBe(200);
  return { ...body, complete: `/v1/files/uploads/${body.uploadId}/complete` };
}

test('an upload is created, sent and completed, and completes to the same file again', async () => {
  const files = await startFileServer({ signedUrlSeconds: 60 });
  const { body } = await files.post('/v1/files/uploads', { ...DECLARED, purpose: 'run-input' });
  expect(body).toEqual({
    transport: 'presigned-put',
    maxFileSizeBytes: 5_368_709_120,
    uploadId: expect.stringMatching(/^upload_[0-9a-f]{20}$/),
    fileId: expect.stringMatching(/^file_[0-9a-f]{20}$/),
    url: expect.stringContaining(`/_storage/uploads/${body.uploadId}?expires=`),
    uploadUrl: body.url,
    method: 'PUT',
    headers: { 'Content-Type': 'text/csv' },
    expiresAt: '2026-03-02T09:01:01.000Z',
  });
  expect((await files.get(`/v1/files/${body.fileId}`)).status).toBe(404);
  expect(await files.put(body.uploadUrl, BYTES)).toMatchObject({ status: 204 });
  const complete = `/v1/files/uploads/${body.uploadId}/complete`;
  const first = await files.post(complete);
  expect(first.body).toEqual({
    id: body.fileId,
    filename: 'note.csv',
    contentType: 'text/csv',
    size: 10,
    createdAt: '2026-03-02T09:00:00.250Z',
    purpose: 'run-input',
  });
  await files.clock.advance(3_600_000);
  expect((await files.post(complete)).body).toEqual(first.body);
  expect((await files.get(`/v1/files/${first.body.id}/content`)).bytes).toEqual(BYTES);
});

test('missing or undeclared bytes get 409, and can be sent again', async () => {
  const files = await startFileServer();
  const { uploadUrl, complete } = await begin(files);
  const expectConflict = async (code: string, message: string): Promise<void> => {
    const { status, body } = await files.post(complete);
    expect(status).toBe(409);
    expect(body.issues[0]).toMatchObject({ field: '<root>', code, message });
  };
  await expectConflict('upload_incomplete', 'the upload has no bytes');
  await files.put(uploadUrl, 'short');
  await expectConflict(
    'upload_mismatch',
    'the upload must have the declared size of 10 bytes, got 5',
  );
  await files.put(uploadUrl, '012345678X');
  await expectConflict(
    'upload_mismatch',
    expect.stringMatching(
      /^the upload must have the declared SHA-256 [0-9a-f]{64}, got [0-9a-f]{64}$/,
    ),
  );
  await files.put(uploadUrl, BYTES);
  expect((await files.post(complete)).status).toBe(200);
});

test('without a declared hash only the size is compared, and an empty file is valid', async () => {
  const files = await startFileServer();
  const any = await begin(files, { sha256: undefined });
  await files.put(any.uploadUrl, 'ten bytes!');
  expect((await files.post(any.complete)).status).toBe(200);
  const none = await begin(files, { sha256: undefined, size: 0 });
  expect((await files.post(none.complete)).status).toBe(409);
  expect((await files.put(none.uploadUrl, '')).status).toBe(204);
  expect((await files.post(none.complete)).body.size).toBe(0);
});

test('more bytes than declared get 413 and leave the earlier bytes', async () => {
  const files = await startFileServer();
  const { uploadUrl, complete } = await begin(files);
  await files.put(uploadUrl, BYTES);
  const declared = await files.put(uploadUrl, `${BYTES.toString()}!`);
  expect(declared.status).toBe(413);
  expect(declared.body.issues[0]).toMatchObject({
    code: 'payload_too_large',
    message: 'must be at most 10 bytes',
  });
  const chunked = await fetch(uploadUrl, {
    method: 'PUT',
    body: new Blob(['0123', '4567', '89ab']).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(413);
  expect((await files.post(complete)).status).toBe(200);
});

test('a wrong size or digest is refused with what came', async () => {
  const { post } = await startFileServer({ uploadLimitBytes: 1000 });
  for (const [field, wrong, status, message] of [
    ['sha256', 'ABC', 400, 'must match ^[0-9a-f]{64}$, got "ABC"'],
    ['sha256', SHA256.toUpperCase(), 400, expect.stringContaining('must match')],
    ['size', -1, 400, expect.stringContaining('-1')],
    ['size', 1001, 413, expect.stringContaining('1000')],
  ] as const) {
    const response = await post('/v1/files/uploads', { ...DECLARED, [field]: wrong });
    expect(response.status).toBe(status);
    expect(response.body.issues[0]).toMatchObject({ field, message });
  }
});

test('purpose null creates a durable file', async () => {
  const files = await startFileServer();
  const { uploadUrl, complete } = await begin(files, { purpose: null, filename: 'a/b\\c.csv' });
  await files.put(uploadUrl, BYTES);
  const { body } = await files.post(complete);
  expect(body).toMatchObject({ filename: 'c.csv' });
  expect(body).not.toHaveProperty('purpose');
});

test('an expired upload is removed, and its URL with it', async () => {
  const files = await startFileServer({ signedUrlSeconds: 60 });
  const { uploadUrl, complete } = await begin(files);
  await files.put(uploadUrl, BYTES);
  const expires = Number(new URL(uploadUrl).searchParams.get('expires')) * 1000;
  await files.clock.advance(expires - START - 1);
  expect((await files.put(uploadUrl, BYTES)).status).toBe(204);
  await files.clock.advance(1);
  expect((await files.put(uploadUrl, BYTES)).body.issues[0].code).toBe('address_expired');
  const gone = await files.post(complete);
  expect(gone.status).toBe(404);
  expect(gone.body.issues[0]).toMatchObject({ field: 'uploadId', code: 'not_found' });
});
