import { connect } from 'node:net';

import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { assertContract } from '../contract-client.ts';
import type { Answer } from '../contract-client.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' } });
});
afterAll(() => server.close());

/** Sends bytes as they are and reads until the first whole answer, or the end of the connection. */
async function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      const start = text.indexOf('\r\n\r\n') + 4;
      if (length !== undefined && start > 3 && text.length >= start + Number(length))
        socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

function parse(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(line.split(' ')[1]), headers, body: JSON.parse(body) };
}

const HOST = 'Host: localhost\r\n';

describe('what never reaches a route is answered with the envelope', () => {
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
      'a length that is no number',
      `PATCH /v1/automations/x HTTP/1.1\r\n${HOST}Content-Length: 5x\r\n\r\n`,
    ],
    [
      'a length beside chunks',
      `PATCH /v1/automations/x HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ['CONNECT', `CONNECT example.org:443 HTTP/1.1\r\n${HOST}\r\n`],
    ['no Host', 'GET /v1/auth/check HTTP/1.1\r\n\r\n'],
    ['two Hosts', `GET /v1/auth/check HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ['a Host that is none', 'GET /v1/auth/check HTTP/1.1\r\nHost: a b/c\r\n\r\n'],
    ['an unknown expectation', `GET /v1/auth/check HTTP/1.1\r\n${HOST}Expect: miracles\r\n\r\n`],
  ])('%s: 400', async (_what, bytes) => {
    const answer = parse(await exchange(bytes));
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toMatchObject([{ field: '<root>', code: 'malformed_request' }]);
    assertContract('GET', '/raw', answer);
  });

  test('a second Authorization header: 401', async () => {
    const line = `Authorization: Bearer ${server.world.keys.wildcard}\r\n`;
    const answer = parse(
      await exchange(`GET /v1/auth/check HTTP/1.1\r\n${HOST}${line}${line}\r\n`),
    );
    expect(answer.status).toBe(401);
    assertContract('GET', '/v1/auth/check', answer);
  });

  test('a broken chunk in the middle of a body: 400', async () => {
    const head = `PATCH /v1/automations/x HTTP/1.1\r\n${HOST}Authorization: Bearer ${server.world.keys.wildcard}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = parse(await exchange(`${head}zz\r\n`));
    expect(answer.status).toBe(400);
    assertContract('GET', '/raw', answer);
  });

  test('HTTP/1.0 without Host is served', async () => {
    const key = server.world.keys.ocr;
    const text = await exchange(
      `GET /v1/auth/check HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    expect(parse(text).status).toBe(200);
  });
});

function announce(length: number, key: string): string {
  return `PATCH /v1/automations/wf_1 HTTP/1.1\r\n${HOST}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`;
}

describe('Expect: 100-continue', () => {
  test('is followed by an invitation when the body is wanted', async () => {
    const text = await exchange(`${announce(19, server.world.keys.wildcard)}{"folderPath":"a" }`);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 404 /);
  });

  test('is answered at once when the body is too large or the key is wrong', async () => {
    const tooLarge = parse(await exchange(announce(2_000_000, server.world.keys.wildcard)));
    expect(tooLarge.status).toBe(413);
    assertContract('PATCH', '/v1/automations/wf_1', tooLarge);
    expect(parse(await exchange(announce(10, 'wrong'))).status).toBe(401);
  });
});

test('a body above the limit is answered before it has arrived', async () => {
  const key = server.world.keys.wildcard;
  const head = `PATCH /v1/automations/wf_1 HTTP/1.1\r\n${HOST}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const declared = parse(
    await exchange(`${head}Content-Length: 1000000000\r\n\r\n{"folderPath":"`),
  );
  expect(declared.status).toBe(413);
  const chunk = `40000\r\n${'a'.repeat(0x40000)}\r\n`;
  const chunked = parse(
    await exchange(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}`),
  );
  expect(chunked.status).toBe(413);
  assertContract('PATCH', '/v1/automations/wf_1', chunked);
});
