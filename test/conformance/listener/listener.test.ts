import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';

import type { ResponseScript } from '../../../conformance/src/listener/delivery.ts';
import { LOOPBACK, openListenerServer } from '../../../conformance/src/listener/listener-server.ts';
import type { ListenerServer } from '../../../conformance/src/listener/listener-server.ts';

/** A request without any of them is no delivery. */
const HEADERS = ['webhook-id', 'a'];

const opened: ListenerServer[] = [];

async function open(script: ResponseScript): Promise<ReturnType<ListenerServer['open']>> {
  const server = await openListenerServer(LOOPBACK, { now: () => 42 });
  opened.push(server);
  return server.open(script);
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

function post(url: string, headers: readonly string[], body: Buffer): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    for (let index = 0; index < headers.length; index += 2) {
      sent.appendHeader(headers[index] ?? '', headers[index + 1] ?? '');
    }
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    sent.end(body);
  });
}

test('records headers in their original case, repeats included, and the bytes of the body', async () => {
  const listener = await open(() => ({ status: 204 }));
  const body = Buffer.from([0x7b, 0x7d, 0x20, 0xff, 0x00]);
  await post(listener.url, ['Webhook-Id', 'a', 'Webhook-Id', 'b', 'X-Other', 'c'], body);
  const [delivery] = listener.deliveries;
  expect(delivery?.headers.filter(([name]) => /^(webhook|x-)/i.test(name))).toEqual([
    ['Webhook-Id', 'a'],
    ['Webhook-Id', 'b'],
    ['X-Other', 'c'],
  ]);
  expect(delivery?.header('webhook-id')).toBe('a');
  expect(delivery?.body).toEqual(body);
  expect(delivery?.event).toEqual({});
  expect([delivery?.method, delivery?.arrivedAt]).toEqual(['POST', 42]);
});

test('responds by event and attempt', async () => {
  const listener = await open(({ event }, tries) =>
    event['id'] === 'one' && tries < 3
      ? { status: 503, headers: { 'retry-after': '1' } }
      : { status: 200 },
  );
  const one = Buffer.from('{"id":"one"}');
  const other = Buffer.from('{"id":"other"}');
  const statuses = [];
  for (const body of [one, other, one, one]) statuses.push(await post(listener.url, HEADERS, body));
  expect(statuses).toEqual([503, 200, 503, 200]);
});

test('resets the connection and records the delivery', async () => {
  const listener = await open(() => 'reset');
  expect(await post(listener.url, HEADERS, Buffer.from('{}'))).toBe('ECONNRESET');
  expect(listener.deliveries.map(({ response }) => response)).toEqual(['reset']);
});

test('resolves arrival at the next delivery', async () => {
  const listener = await open(() => ({ status: 200 }));
  const arrived = listener.arrival(10_000);
  await post(listener.url, HEADERS, Buffer.from('{}'));
  await arrived;
  expect(listener.deliveries).toHaveLength(1);
});

test('holds a delivery until release', async () => {
  const listener = await open(() => 'hold');
  const posted = post(listener.url, HEADERS, Buffer.from('{}'));
  await listener.arrival(10_000);
  expect(listener.held).toBe(1);
  listener.release();
  expect(await posted).toBe(204);
});

test('does not count a held delivery after its sender has disconnected', async () => {
  const listener = await open(() => 'hold');
  const sent = request(listener.url, { method: 'POST', headers: { 'webhook-id': 'a' } });
  const ended = new Promise((resolve) => sent.once('error', resolve));
  sent.end('{}');
  await listener.arrival(10_000);
  expect(listener.held).toBe(1);
  sent.destroy(new Error('gave up'));
  await ended;
  await expect.poll(() => listener.held).toBe(0);
});

/** The status line of the response to a request whose target no URL parser takes. */
async function statusOf(target: string, { url }: ListenerServer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.end(`GET ${target} HTTP/1.1\r\nhost: listener\r\nconnection: close\r\n\r\n`);
  return (await text(socket)).split('\r\n')[0] ?? '';
}

test.each(['//', '///', 'http://', '/', '/%', '/favicon.ico?x=//', '/..//'])(
  'a stranger that asks for %s gets 404, and the listener goes on',
  async (target) => {
    const server = await openListenerServer(LOOPBACK, { now: () => 42 });
    opened.push(server);
    const listener = server.open(() => ({ status: 202 }));
    expect(await statusOf(target, server)).toBe('HTTP/1.1 404 Not Found');
    expect(await post(listener.url, HEADERS, Buffer.from('{}'))).toBe(202);
  },
);

test('a sender that still has the path of a closed listener gets 410', async () => {
  const listener = await open(() => ({ status: 202 }));
  await listener.close();
  expect(await post(listener.url, HEADERS, Buffer.from('{}'))).toBe(410);
});

test.each([
  ['HEAD', ''],
  ['GET', ''],
  ['POST', '{"type":"ping"}'],
])('a %s request that tries the address is not a delivery', async (method, body) => {
  const remarks: string[] = [];
  const server = await openListenerServer(LOOPBACK, {
    now: () => 42,
    onRemark: (remark) => remarks.push(remark),
  });
  opened.push(server);
  const listener = server.open(() => ({ status: 500 }));
  const sent = request(listener.url, { method, headers: { 'content-type': 'application/json' } });
  sent.end(body);
  const [response] = await once(sent, 'response');
  response.resume();
  expect(response.statusCode).toBe(204);
  expect(listener.deliveries).toEqual([]);
  expect(remarks).toEqual([expect.stringContaining(`a ${method} request`)]);
});

test('an event without any header is a delivery, of a wrong sender', async () => {
  const listener = await open(() => ({ status: 202 }));
  const event = { id: 'whev_1', type: 'run.created', data: { run: { id: 'run_1' } } };
  expect(await post(listener.url, [], Buffer.from(JSON.stringify(event)))).toBe(202);
  expect(listener.deliveries).toHaveLength(1);
});

test('the attempts of an event are found without a search through all deliveries', async () => {
  const listener = await open(() => ({ status: 202 }));
  for (const id of ['one', 'two', 'one']) {
    await post(listener.url, HEADERS, Buffer.from(JSON.stringify({ id })));
  }
  const [first, second, third] = listener.deliveries;
  expect(first?.attempts()).toEqual([first, third]);
  expect(second?.attempts()).toEqual([second]);
});

test('a delivery has the query that was sent, whatever the query of the listener is', async () => {
  const server = await openListenerServer(LOOPBACK, { now: () => 42 });
  opened.push(server);
  const listener = server.open(() => ({ status: 204 }), '?code=a%20b');
  const [path = ''] = listener.url.split('?');
  for (const url of [listener.url, path, `${path}?other`])
    await post(url, HEADERS, Buffer.from(''));
  const { pathname } = new URL(listener.url);
  expect(listener.deliveries.map(({ url }) => url.replace(pathname, ''))).toEqual([
    '?code=a%20b',
    '',
    '?other',
  ]);
});
