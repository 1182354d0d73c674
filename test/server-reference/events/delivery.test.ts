import { describe, expect, test } from 'vitest';

import { START, startControlled } from '../lab/control/control-client.ts';
import { listenAt } from './endpoint-listener.ts';

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

  test('names the server and its version as user agent', async () => {
    const control = await startControlled();
    const app = await listenAt();
    await control.endpoint(app.url);
    await control.run();
    const [arrival] = await app.arrived(1);
    expect(arrival?.headers['user-agent']).toMatch(/^Hookproof-Reference\/\d+\.\d+\.\d+$/);
  });
});
