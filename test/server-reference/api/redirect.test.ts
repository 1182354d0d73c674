import { expect, test } from 'vitest';

import { START, startFileServer } from './files/file-server.ts';

const BYTES = Buffer.from('0123456789');

test('only a file above the limit is redirected', async () => {
  const { get, head, upload } = await startFileServer({ redirectAboveBytes: 10 });
  const small = await upload(BYTES);
  expect((await get(`/v1/files/${small}/content`)).status).toBe(200);
  const large = await upload(`${BYTES.toString()}!`);
  expect((await get(`/v1/files/${large}/content`)).status).toBe(302);
  expect((await head(`/v1/files/${large}/content`)).status).toBe(302);
});

test('the address gives the bytes without a key, in whole and in part', async () => {
  const { get, head, upload, server } = await startFileServer({ redirectAboveBytes: 0 });
  const id = await upload(BYTES, { type: 'text/csv' });
  const { location } = (await get(`/v1/files/${id}/content`)).headers;
  const url = String(location);
  expect(url).toMatch(
    new RegExp(`^${server.baseUrl}/_storage/files/${id}\\?expires=\\d+&signature=[0-9a-f]{64}$`),
  );
  const whole = await get(url, {}, null);
  expect(whole).toMatchObject({ status: 200, bytes: BYTES });
  expect(whole.headers).toMatchObject({ 'content-type': 'text/csv', 'content-length': '10' });
  expect(await get(url, { range: 'bytes=3-5' }, null)).toMatchObject({
    status: 206,
    bytes: Buffer.from('345'),
  });
  expect((await get(url, { range: 'bytes=10-' }, null)).status).toBe(416);
  const headed = await head(url, {}, null);
  expect(headed).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
  expect(headed.headers['content-length']).toBe('10');
});

test('the address expires by the clock, and is valid for nothing else', async () => {
  const options = { redirectAboveBytes: 0, signedUrlSeconds: 60 };
  const { get, put, upload, clock } = await startFileServer(options);
  const id = await upload(BYTES);
  const other = await upload('other');
  const url = String((await get(`/v1/files/${id}/content`)).headers['location']);

  expect((await get(url.replace(id, other), {}, null)).body.issues[0]).toEqual({
    field: '<root>',
    code: 'address_invalid',
    message: 'the URL must have a valid signature',
    severity: 'error',
  });
  expect((await put(url, 'changed')).status).toBe(405);
  expect((await get(url.replace('/files/', '/uploads/'), {}, null)).status).toBe(405);
  expect((await get(url.replace('/files/', '/nothing/'), {}, null)).status).toBe(404);
  expect((await get('/_storage', {}, null)).status).toBe(404);

  const lasts = Number(new URL(url).searchParams.get('expires')) * 1000 - START;
  expect(lasts).toBe(60_750);
  await clock.advance(lasts - 1);
  expect((await get(url, {}, null)).status).toBe(200);
  await clock.advance(1);
  const expired = await get(url, {}, null);
  expect(expired.status).toBe(403);
  expect(expired.body).toMatchObject({
    issues: [
      {
        code: 'address_expired',
        message: 'the URL expired at 2026-03-02T09:01:01.000Z',
      },
    ],
    hint: 'Request a new URL from the API.',
  });
});
