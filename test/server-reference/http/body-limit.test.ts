import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { assertContract } from '../contract-client.ts';
import { exchange, wholeResponses } from '../raw-exchange.ts';

const LIMIT = 100;

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' }, bodyLimitBytes: LIMIT });
});
afterAll(() => server.close());

function head(method: string, path: string, more: readonly string[] = []): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${server.world.keys.wildcard}`,
    ...more,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
/** More than the limit, and more than is read at once. */
const BODY = 'a'.repeat(200_000);
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

// Every operation with a body gives this response: see the documented responses.
test.each([
  ['PATCH', 'declared', [JSON_TYPE, `Content-Length: ${BODY.length}`], BODY],
  ['PATCH', 'sent in chunks', [JSON_TYPE, CHUNKED], CHUNKS],
  ['GET', 'declared', [JSON_TYPE, `Content-Length: ${BODY.length}`], BODY],
  ['GET', 'sent in chunks', [JSON_TYPE, CHUNKED], CHUNKS],
])(
  '%s responds 413 to a body %s above the limit, and then the next request is served',
  async (method, _how, fields, body) => {
    const path = '/v1/automations/unknown_1';
    const bytes = `${head(method, path, fields)}${body}${head('GET', '/v1/auth/check')}`;
    const [refused, next] = wholeResponses(await exchange(server.baseUrl, bytes, 2));
    expect(refused?.status).toBe(413);
    expect(refused?.body.issues).toMatchObject([{ field: '<root>', code: 'payload_too_large' }]);
    if (refused !== undefined) assertContract(method, path, refused);
    expect(next?.status).toBe(200);
  },
);

test('does not read a body that is declared above the limit', async () => {
  const fields = [JSON_TYPE, 'Content-Length: 999999999999'];
  const bytes = head('PATCH', '/v1/automations/unknown_1', fields);
  const [refused] = wholeResponses(await exchange(server.baseUrl, bytes));
  expect(refused?.status).toBe(413);
});

test.each([
  ['of exactly the limit', [`Content-Length: ${LIMIT}`], 'a'.repeat(LIMIT)],
  ['in chunks', [CHUNKED], '2\r\n{}\r\n0\r\n\r\n'],
])('ignores a body %s of an operation without one', async (_what, fields, body) => {
  const check = head('GET', '/v1/auth/check', fields);
  const bytes = `${check}${body}${head('GET', '/v1/auth/check')}`;
  const responses = wholeResponses(await exchange(server.baseUrl, bytes, 2));
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
});

test('a chunked body that ends early gets 400', async () => {
  const bytes = `${head('GET', '/v1/auth/check', [CHUNKED])}zz\r\n`;
  const [refused] = wholeResponses(await exchange(server.baseUrl, bytes));
  expect(refused?.status).toBe(400);
});
