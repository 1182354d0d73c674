import { describe, expect, test } from 'vitest';

import { impatientClock, START, startControlled } from '../lab/control/control-client.ts';
import { listenAt } from './endpoint-listener.ts';

const THREE_DAYS = 259_200_000;

describe('a delivery', () => {
  test('has a row for each attempt with its times and result', async () => {
    const control = await startControlled();
    const app = await listenAt((response, number) => {
      if (number === 1) response.writeHead(503).end('busy');
      else response.writeHead(201).end();
    });
    await control.endpoint(app.url);
    await control.run();
    await control.advance(5_000);
    const { attempts } = await control.onlyDelivery();
    expect(attempts).toEqual([
      {
        number: 1,
        startedAt: '2026-07-01T00:00:00.000Z',
        finishedAt: '2026-07-01T00:00:00.000Z',
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

  test.each([
    [400, 'final_status'],
    [302, 'redirect_not_followed'],
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
