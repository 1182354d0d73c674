import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { loadServerDocument } from '../../../server-reference/src/api/server-document.ts';
import { assertContract } from '../contract-client.ts';
import { exchange, wholeResponses } from '../raw-exchange.ts';
import { requiredQuery } from '../required-query.ts';

const LIMIT = 100;
const document = loadServerDocument();
/** A form has a separate limit. */
const operations = [...listOperations(document), ...listCompanions(document)].filter(
  ({ requestBody }) => requestBody?.content['multipart/form-data'] === undefined,
);

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

const TARGETS = operations.map((operation) => {
  const { operationId, method, path } = operation;
  // The query is checked before the body.
  const target = path.replaceAll(/\{\w+\}/g, 'unknown_1') + requiredQuery(operation);
  return { operationId, method, target };
});

describe.each(TARGETS)('$operationId', ({ method, target }) => {
  test.each([
    ['declared', [JSON_TYPE, `Content-Length: ${BODY.length}`], BODY],
    ['sent in chunks', [JSON_TYPE, CHUNKED], CHUNKS],
  ])(
    'responds 413 to a body %s above the limit, and then serves the next request',
    async (...row) => {
      const [, fields, body] = row;
      const bytes = `${head(method, target, fields)}${body}${head('GET', '/v1/auth/check')}`;
      const [refused, next] = wholeResponses(await exchange(server.baseUrl, bytes, 2));
      expect(refused?.status).toBe(413);
      expect(refused?.body.issues).toMatchObject([{ field: '<root>', code: 'payload_too_large' }]);
      if (refused !== undefined) assertContract(method, target, refused);
      expect(next?.status).toBe(200);
    },
  );

  test('does not read a body that is declared above the limit', async () => {
    const bytes = head(method, target, [JSON_TYPE, 'Content-Length: 999999999999']);
    const [refused] = wholeResponses(await exchange(server.baseUrl, bytes));
    expect(refused?.status).toBe(413);
  });
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
