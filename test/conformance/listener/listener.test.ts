import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';

import type { ResponseScript } from '../../../conformance/src/listener/delivery.ts';
import { LOOPBACK, openListenerServer } from '../../../conformance/src/listener/listener-server.ts';
import type { ListenerServer } from '../../../conformance/src/listener/listener-server.ts';

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
  for (const body of [one, other, one, one]) statuses.push(await post(listener.url, [], body));
  expect(statuses).toEqual([503, 200, 503, 200]);
});

test('resets the connection and records the delivery', async () => {
  const listener = await open(() => 'reset');
  expect(await post(listener.url, [], Buffer.from('{}'))).toBe('ECONNRESET');
  expect(listener.deliveries.map(({ response }) => response)).toEqual(['reset']);
});

test('resolves arrival at the next delivery', async () => {
  const listener = await open(() => ({ status: 200 }));
  const arrived = listener.arrival(10_000);
  await post(listener.url, [], Buffer.from('{}'));
  await arrived;
  expect(listener.deliveries).toHaveLength(1);
});

test('holds a delivery until release', async () => {
  const listener = await open(() => 'hold');
  const posted = post(listener.url, [], Buffer.from('{}'));
  await listener.arrival(10_000);
  expect(listener.held).toBe(1);
  listener.release();
  expect(await posted).toBe(204);
});

test('does not count a held delivery after its sender has disconnected', async () => {
  const listener = await open(() => 'hold');
  const sent = request(listener.url, { method: 'POST' });
  const ended = new Promise((resolve) => sent.once('error', resolve));
  sent.end('{}');
  await listener.arrival(10_000);
  expect(listener.held).toBe(1);
  sent.destroy(new Error('gave up'));
  await ended;
  await expect.poll(() => listener.held).toBe(0);
});
