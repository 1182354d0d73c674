import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { createServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { call } from '../contract-client.ts';
import { exchange, wholeResponses } from '../raw-exchange.ts';

function open(baseUrl: string, options: { readonly allowHalfOpen?: boolean } = {}): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: hostname, ...options });
  onTestFinished(() => void socket.destroy());
  return socket.on('error', () => {});
}

const COUNT = 20;

/** Of this process: those of the server and those of its clients. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

test.each([
  ['garbage', 'NONSENSE\r\n\r\n'],
  ['a broken length', 'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n'],
])(
  'a connection that sent %s is let go, even if the client keeps its half',
  async (_what, bytes) => {
    const server = await createServer({ store: { kind: 'memory' } });
    onTestFinished(() => server.close());
    const before = openSockets();
    const sockets = Array.from({ length: COUNT }, () =>
      open(server.baseUrl, { allowHalfOpen: true }),
    );
    for (const socket of sockets) {
      socket.write(bytes);
      const [refusal] = await once(socket, 'data');
      expect(String(refusal)).toMatch(/^HTTP\/1\.1 400 /);
    }
    // The client stays and sends nothing more.
    await expect.poll(() => openSockets() - before).toBeLessThanOrEqual(COUNT);
    expect(sockets.filter((socket) => socket.destroyed)).toEqual([]);
  },
);

test('the server keeps an unused connection longer than clients do', async () => {
  const server = await createServer({ store: { kind: 'memory' } });
  onTestFinished(() => server.close());
  const { headers } = await call(server.baseUrl, { path: '/v1/auth/check', key: null });
  expect(headers['keep-alive']).toBe('timeout=65');
});

const GET_LIST =
  'GET /v1/automations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer KEY\r\n\r\n';

test('pipelined requests are responded to in order', async () => {
  const server = await createServer({ store: { kind: 'memory' } });
  onTestFinished(() => server.close());
  const key = server.world.keys.wildcard;
  const requests = ['/v1/automations', '/v1/auth/check', '/nowhere', '/v1/templates'].map((path) =>
    GET_LIST.replace('KEY', key).replace('/v1/automations', path),
  );
  const text = await exchange(server.baseUrl, requests.join(''), 4);
  expect(wholeResponses(text).map(({ status }) => status)).toEqual([200, 200, 404, 200]);
  expect(text.indexOf('"folderPath"')).toBeLessThan(text.indexOf('"keyId"'));
  expect(text.indexOf('"keyId"')).toBeLessThan(text.indexOf('"tokens"'));
});
