import { createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { impatientClock, START, startControlled } from '../../lab/control/control-client.ts';
import { signed } from '../../lab/delivery-faults/signed.ts';
import { openSink } from '../../lab/sinks/sink-client.ts';
import { listenAt, statuses } from './endpoint-listener.ts';

const THREE_DAYS = 259_200_000;

describe('a delivery', () => {
  test('arrives signed over its exact bytes, with the headers of the contract', async () => {
    const control = await startControlled();
    const listener = await listenAt();
    const endpoint = await control.endpoint(listener.url, { headers: { 'X-Team': 'blue' } });
    await control.run();
    const [arrival] = await listener.arrived(1);
    const headers = arrival?.headers ?? {};
    const body = arrival?.body ?? Buffer.alloc(0);
    const timestamp = String(START / 1000);
    const digest = createHmac('sha256', endpoint.secret)
      .update(`${String(headers['webhook-id'])}.${timestamp}.${body.toString('utf8')}`)
      .digest('hex');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': JSON.parse(body.toString('utf8')).id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${digest}`,
      'user-agent': expect.stringContaining('Hookproof-Reference/'),
      'x-team': 'blue',
    });
  });

  test('is retried with the same id and bytes and a new signature until a 2xx', async () => {
    const control = await startControlled();
    const listener = await listenAt(statuses(503, 429, 425, 408, 500, 200));
    await control.endpoint(listener.url);
    await control.run();
    await control.advance(THREE_DAYS);
    const delivery = await control.onlyDelivery();
    expect(delivery).toMatchObject({ status: 'delivered', endReason: null, nextAttemptAt: null });
    expect(delivery.attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, 503],
      [2, 429],
      [3, 425],
      [4, 408],
      [5, 500],
      [6, 200],
    ]);
    const bodies = new Set(listener.arrivals.map(({ body }) => body.toString('base64')));
    const ids = new Set(listener.arrivals.map(({ headers }) => headers['webhook-id']));
    expect([bodies.size, ids.size]).toEqual([1, 1]);
    const stamped = listener.arrivals.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(stamped).toEqual(
      delivery.attempts.map(({ startedAt }) => Math.floor(Date.parse(startedAt) / 1000)),
    );
    expect(new Set(stamped).size).toBeGreaterThan(2);
  });

  test('has a row for each attempt with its times and result', async () => {
    const control = await startControlled();
    const sink = await openSink(control, [
      { status: 503, body: 'busy', afterMilliseconds: 700 },
      { status: 201 },
    ]);
    await control.endpoint(sink.url);
    await control.run();
    await control.advance(5_000);
    const { attempts } = await control.onlyDelivery();
    expect(attempts).toEqual([
      {
        number: 1,
        startedAt: '2026-07-01T00:00:00.000Z',
        finishedAt: '2026-07-01T00:00:00.700Z',
        trigger: 'automatic',
        deliveryFault: null,
        webhookTimestamp: START / 1000,
        status: 503,
        error: null,
        detail: null,
        retryAfter: null,
        responseBody: 'busy',
      },
      expect.objectContaining({ number: 2, status: 201, responseBody: '' }),
    ]);
  });

  test('goes to each endpoint, signed with the secret of that endpoint', async () => {
    const control = await startControlled();
    const listeners = [await listenAt(), await listenAt()];
    const secrets: string[] = [];
    for (const { url } of listeners) secrets.push((await control.endpoint(url)).secret);
    await control.run();
    await control.idle();
    for (const [index, { arrivals }] of listeners.entries()) {
      expect(arrivals.map((arrival) => signed(arrival, secrets[index] ?? ''))).toEqual([
        { second: 0, fits: true },
      ]);
    }
  });

  test('keeps its body when the run changes between two attempts', async () => {
    const control = await startControlled();
    const listener = await listenAt(statuses(503, 204));
    await control.endpoint(listener.url);
    const { id } = await control.run();
    await control.idle();
    await control.move(id, 'running');
    await control.advance(60_000);
    const created = listener.arrivals
      .map(({ body }) => body.toString('utf8'))
      .filter((body) => body.includes('"run.created"'));
    expect(created).toHaveLength(2);
    expect(created[0]).toBe(created[1]);
  });

  test.each([
    [400, 'final_status'],
    [401, 'final_status'],
    [404, 'final_status'],
    [410, 'final_status'],
    [301, 'redirect_not_followed'],
    [302, 'redirect_not_followed'],
    [303, 'redirect_not_followed'],
    [307, 'redirect_not_followed'],
    [308, 'redirect_not_followed'],
  ])('ends on %s with the reason %s', async (status, endReason) => {
    const control = await startControlled();
    const elsewhere = await listenAt();
    const listener = await listenAt((response) => {
      response.writeHead(status, { location: elsewhere.url, 'retry-after': '5' }).end('no');
    });
    await control.endpoint(listener.url);
    await control.run();
    await control.advance(THREE_DAYS);
    expect(await control.onlyDelivery()).toMatchObject({
      status: 'ended',
      endReason,
      attempts: [
        {
          number: 1,
          status,
          error: null,
          retryAfter: null,
          responseBody: 'no',
          trigger: 'automatic',
        },
      ],
    });
    expect([listener.arrivals.length, elsewhere.arrivals.length]).toEqual([1, 0]);
  });

  test.each([
    ['never responds', () => {}],
    ['stops in the middle of the body', (write: (text: string) => void) => write('half')],
  ])('to an endpoint that %s times out at its deadline and is retried', async (_how, start) => {
    const control = await startControlled({ clock: impatientClock() });
    const listener = await listenAt((response, number) => {
      if (number > 1) response.end();
      else start((text) => void response.writeHead(200).write(text));
    });
    await control.endpoint(listener.url);
    await control.run();
    await listener.arrived(1);
    await control.advance(9_999);
    expect((await control.onlyDelivery()).attempts).toEqual([]);
    await control.advance(1);
    expect((await control.onlyDelivery()).attempts).toMatchObject([
      { number: 1, status: null, error: 'timeout', finishedAt: '2026-07-01T00:00:10.000Z' },
    ]);
    await control.advance(1_000);
    expect(await control.onlyDelivery()).toMatchObject({
      status: 'delivered',
      attempts: [{ error: 'timeout' }, { status: 200 }],
    });
  });

  test('is retried when the connection breaks before or during the response', async () => {
    const control = await startControlled();
    const listener = await listenAt((response, number) => {
      if (number === 1) response.destroy();
      else if (number === 2) {
        response.writeHead(200, { 'content-length': '10' });
        response.write('half', () => response.destroy());
      } else response.end();
    });
    await control.endpoint(listener.url);
    await control.run();
    await control.advance(10_000);
    expect(await control.onlyDelivery()).toMatchObject({
      status: 'delivered',
      attempts: [
        { status: null, error: 'ECONNRESET' },
        { status: null, error: 'ECONNRESET' },
        { status: 200, error: null },
      ],
    });
  });

  test('keeps 4 KiB of an endless response and counts its status', async () => {
    const control = await startControlled();
    const listener = await listenAt((response) => {
      response.on('error', () => {});
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(1_000), more);
      };
      more();
    });
    await control.endpoint(listener.url);
    await control.run();
    await control.idle();
    const { status, attempts } = await control.onlyDelivery();
    expect(status).toBe('delivered');
    expect(attempts[0]?.responseBody).toBe('x'.repeat(4_096));
  });

  test('ends on a response that switches protocols', async () => {
    const control = await startControlled();
    const listener = await listenAt((response) => {
      response.socket?.end(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      );
    });
    await control.endpoint(listener.url);
    await control.run();
    await control.idle();
    expect(await control.onlyDelivery()).toMatchObject({
      status: 'ended',
      endReason: 'final_status',
      attempts: [{ status: 101 }],
    });
  });
});
