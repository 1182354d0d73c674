import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { createServer, realClock } from '@hookproof/server-reference';
import type { Clock } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { call } from '../contract-client.ts';
import { exchange, wholeResponses } from '../raw-exchange.ts';
import { startServerProcess } from '../server-process.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

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

test('under a low limit of descriptors, the server finishes what it has begun, closes what is too much, and goes on', async () => {
  const server = await startServerProcess(await temporaryFolder(), { maxDescriptors: 120 });
  onTestFinished(() => server.kill());
  const { wildcard } = server.world.keys;
  const moving = request(`${server.baseUrl}/v1/automations/${server.world.fixtures.workflowId}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${wildcard}`,
      'content-type': 'application/json',
      'content-length': 18,
      expect: '100-continue',
    },
  });
  moving.flushHeaders();
  await once(moving, 'continue');
  const idle = Array.from({ length: 150 }, () => open(server.baseUrl));
  await expect.poll(() => idle.filter((one) => one.closed).length).toBeGreaterThan(100);
  moving.end('{"folderPath":"a"}');
  const [response] = await once(moving, 'response');
  expect(response.statusCode).toBe(200);
  response.resume();

  for (const socket of idle) socket.destroy();
  const check = { path: '/v1/auth/check', key: wildcard };
  const status = (): Promise<number | null> =>
    call(server.baseUrl, check).then(
      (called) => called.status,
      () => null,
    );
  await expect.poll(status).toBe(200);
});

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

test('a client that pipelines and reads nothing gets no more responses than its connection holds', async () => {
  let readings = 0;
  const clock: Clock = { ...realClock(), now: () => ((readings += 1), Date.now()) };
  const server = await createServer({
    store: { kind: 'memory' },
    clock,
    rateLimit: { requests: 1e6, windowSeconds: 60 },
  });
  onTestFinished(() => server.close());
  const key = server.world.keys.wildcard;
  const path = '/v1/runs?limit=100';
  const before = readings;
  const { bytes } = await call(server.baseUrl, { path, key });
  const perRequest = readings - before;
  expect(bytes.length).toBeGreaterThan(20_000);
  readings = 0;
  const sockets = Array.from({ length: 10 }, () => open(server.baseUrl).pause());
  const requests = GET_LIST.replace('KEY', key).replace('/v1/automations', path).repeat(3000);
  for (const socket of sockets) socket.write(requests);
  // Others are served meanwhile.
  for (let round = 0; round < 20; round += 1) {
    expect((await call(server.baseUrl, { path: '/v1/auth/check', key })).status).toBe(200);
  }
  // A connection holds some MB. Unbounded, a single packet has hundreds of requests.
  expect((readings / perRequest) * bytes.length).toBeLessThan(10 * 8_000_000);
});
