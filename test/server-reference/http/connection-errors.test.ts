import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { assertContract } from '../contract-client.ts';
import type { ApiResponse } from '../contract-client.ts';
import { exchange, wholeResponses } from '../raw-exchange.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' } });
});
afterAll(() => server.close());

/** The first response to these bytes. */
async function responseTo(bytes: string): Promise<ApiResponse> {
  const [response] = wholeResponses(await exchange(server.baseUrl, bytes));
  if (response === undefined) throw new Error('no response came');
  return response;
}

const HOST = 'Host: localhost\r\n';

describe('a request that never reaches a route gets the envelope', () => {
  test.each([
    ['a broken request line', 'NONSENSE\r\n\r\n'],
    ['a binary greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['an unknown version', `GET /v1/auth/check HTTP/9.9\r\n${HOST}\r\n`],
    ['a header without a colon', `GET /v1/auth/check HTTP/1.1\r\n${HOST}broken header\r\n\r\n`],
    ['a control character in a header', `GET /v1/auth/check HTTP/1.1\r\n${HOST}x: a\x01b\r\n\r\n`],
    [
      'headers over 16 KiB',
      `GET /v1/auth/check HTTP/1.1\r\n${HOST}x: ${'a'.repeat(20_000)}\r\n\r\n`,
    ],
    ['a URL over 16 KiB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
    [
      'two different lengths',
      `PATCH /v1/automations/x HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    ],
    [
      'a length that is not a number',
      `PATCH /v1/automations/x HTTP/1.1\r\n${HOST}Content-Length: 5x\r\n\r\n`,
    ],
    [
      'a length beside chunks',
      `PATCH /v1/automations/x HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ['no Host', 'GET /v1/auth/check HTTP/1.1\r\n\r\n'],
    ['no Host in HTTP/1.0', 'GET /v1/auth/check HTTP/1.0\r\n\r\n'],
    ['two Hosts', `GET /v1/auth/check HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ['an invalid Host', 'GET /v1/auth/check HTTP/1.1\r\nHost: a b/c\r\n\r\n'],
  ])('%s: 400', async (_what, bytes) => {
    const response = await responseTo(bytes);
    expect(response.status).toBe(400);
    expect(response.body.issues).toMatchObject([{ field: '<root>', code: 'malformed_request' }]);
    assertContract('GET', '/raw', response);
  });

  test('a second Authorization header: 401', async () => {
    const line = `Authorization: Bearer ${server.world.keys.wildcard}\r\n`;
    const response = await responseTo(`GET /v1/auth/check HTTP/1.1\r\n${HOST}${line}${line}\r\n`);
    expect(response.status).toBe(401);
    assertContract('GET', '/v1/auth/check', response);
  });

  test('a broken chunk in the middle of a body: 400', async () => {
    const head = `PATCH /v1/automations/x HTTP/1.1\r\n${HOST}Authorization: Bearer ${server.world.keys.wildcard}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const response = await responseTo(`${head}zz\r\n`);
    expect(response.status).toBe(400);
    assertContract('GET', '/raw', response);
  });
});

test('a body with two content types is refused', async () => {
  const { keys, fixtures } = server.world;
  const head = [
    `PATCH /v1/automations/${fixtures.reviewAutomationId}/dataset-review-requests/${fixtures.openReviewId} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${keys.wildcard}`,
    'Content-Type: application/json',
    'Content-Type: text/plain',
    'Content-Length: 2',
  ];
  const response = await responseTo(`${head.join('\r\n')}\r\n\r\n{}`);
  expect(response.status).toBe(400);
  assertContract('PATCH', '/raw', response);
});

test('a body above the limit gets 413 before it has arrived', async () => {
  const key = server.world.keys.wildcard;
  const head = `PATCH /v1/automations/wf_1 HTTP/1.1\r\n${HOST}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const declared = await responseTo(`${head}Content-Length: 1000000000\r\n\r\n{"folderPath":"`);
  expect(declared.status).toBe(413);
  const chunk = `40000\r\n${'a'.repeat(0x40000)}\r\n`;
  const chunked = await responseTo(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}`);
  expect(chunked.status).toBe(413);
  assertContract('PATCH', '/v1/automations/wf_1', chunked);
});
