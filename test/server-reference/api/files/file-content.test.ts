import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { startFileServer } from './file-server.ts';

const BYTES = Buffer.from('0123456789');

test('a download has the whole file, its type, name, length and hash', async () => {
  const { get, upload } = await startFileServer();
  const id = await upload(BYTES, { filename: 'Süd "1".csv', type: 'text/csv' });
  const { status, headers, bytes } = await get(`/v1/files/${id}/content`);
  expect(status).toBe(200);
  expect(bytes).toEqual(BYTES);
  expect(headers).toMatchObject({
    'content-length': '10',
    'content-type': 'text/csv',
    'content-disposition': expect.stringContaining(`filename*=UTF-8''S%C3%BCd`),
    'accept-ranges': 'bytes',
    etag: `"${createHash('sha256').update(BYTES).digest('hex')}"`,
    'x-content-type-options': 'nosniff',
  });
});

test('a range gets 206, and a range after the end gets 416', async () => {
  const { get, upload } = await startFileServer();
  const path = `/v1/files/${await upload(BYTES)}/content`;
  const part = await get(path, { range: 'bytes=2-4' });
  expect(part).toMatchObject({ status: 206, bytes: Buffer.from('234') });
  expect(part.headers).toMatchObject({ 'content-range': 'bytes 2-4/10', 'content-length': '3' });
  const behind = await get(path, { range: 'bytes=10-' });
  expect(behind.status).toBe(416);
  expect(behind.headers['content-range']).toBe('bytes */10');
  expect(behind.body.issues).toEqual([
    {
      field: 'Range',
      code: 'range_not_satisfiable',
      message: 'must start before the end of the file',
      severity: 'error',
    },
  ]);
  expect(await get(path, { range: 'pages=1-2' })).toMatchObject({ status: 200, bytes: BYTES });
});

test('a request for another version of the file gets 412', async () => {
  const { get, upload } = await startFileServer();
  const path = `/v1/files/${await upload(BYTES)}/content`;
  const refused = await get(path, { 'if-match': '"other"' });
  expect(refused).toMatchObject({
    status: 412,
    body: { issues: [{ code: 'precondition_failed' }] },
  });
  expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(refused.headers['etag']).toBeUndefined();
  const { etag } = (await get(path)).headers;
  expect((await get(path, { 'if-match': String(etag) })).status).toBe(200);
});

test('a range with an outdated If-Range gets the whole file', async () => {
  const { get, upload } = await startFileServer();
  const path = `/v1/files/${await upload(BYTES)}/content`;
  const { etag } = (await get(path)).headers;
  const same = await get(path, { range: 'bytes=0-0', 'if-range': String(etag) });
  expect(same.status).toBe(206);
  const other = await get(path, { range: 'bytes=0-0', 'if-range': '"other"' });
  expect(other).toMatchObject({ status: 200, bytes: BYTES });
});

test.each([
  ['the API', {}],
  ['the storage', { redirectAboveBytes: 0 }],
])('%s sends no content that the client has', async (_where, options) => {
  const { get, head, upload, server } = await startFileServer(options);
  const path = `/v1/files/${await upload(BYTES)}/content`;
  const location = (await get(path)).headers['location'];
  const url = location === undefined ? path : String(location);
  const etag = String((await get(url)).headers['etag']);
  for (const same of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    for (const range of [{}, { range: 'bytes=0-1' }, { range: 'bytes=10-' }]) {
      const { status, headers, bytes } = await get(url, { 'if-none-match': same, ...range });
      expect([same, range, status, headers['etag'], bytes.length]).toEqual([
        same,
        range,
        304,
        etag,
        0,
      ]);
    }
  }
  // It adds `Cache-Control: no-cache`.
  const { wildcard } = server.world.keys;
  const fetched = await fetch(new URL(url, server.baseUrl), {
    headers: { authorization: `Bearer ${wildcard}`, 'if-none-match': etag },
  });
  expect(fetched.status).toBe(304);
  const other = { 'if-none-match': '"other", W/"else"' };
  expect(await get(url, other)).toMatchObject({ status: 200, bytes: BYTES });
  if (location !== undefined) return;
  expect((await head(url, { 'if-none-match': etag })).status).toBe(304);
  expect((await head(url, other)).status).toBe(200);
});

test('a part is sent with its type, except for those that clients parse', async () => {
  const { get, upload } = await startFileServer();
  for (const [type, sent] of [
    ['application/pdf', 'application/pdf'],
    ['text/html', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['Application/Problem+JSON', 'application/octet-stream'],
    ['application/vnd.ms-excel', 'application/vnd.ms-excel'],
    ['no media type', 'application/octet-stream'],
    ['text/', 'application/octet-stream'],
  ] as const) {
    const id = await upload(BYTES, { type });
    const { headers } = await get(`/v1/files/${id}/content`);
    expect([type, headers['content-type']]).toEqual([type, sent]);
  }
});

test('the signed address of the storage sends the same type', async () => {
  const { get, upload } = await startFileServer({ redirectAboveBytes: 0 });
  for (const [type, sent] of [
    ['application/json', 'application/octet-stream'],
    ['image/png', 'image/png'],
  ] as const) {
    const id = await upload(BYTES, { type });
    const { headers } = await get(`/v1/files/${id}/content`);
    const { bytes, headers: stored } = await get(String(headers['location']), {}, null);
    expect([stored['content-type'], bytes]).toEqual([sent, BYTES]);
  }
});
