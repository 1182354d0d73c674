import { describe, expect, test } from 'vitest';

import type { Delivery } from '../../../server-reference/src/lab/control/deliveries.ts';
import { startControlled } from '../lab/control/control-client.ts';
import { listenAt, statuses } from './endpoint-listener.ts';

const HOUR = 3_600_000;
const THREE_DAYS = 259_200_000;

/** The longest waits of each profile, as BEHAVIOR.md lists them. */
const LONGEST = {
  real: [5_000, 20_000, 80_000, 320_000, 1_280_000, HOUR, HOUR],
  fast: [400, 800, 1_600, 3_200, 6_400, 10_000, 10_000],
  instant: [0, 0, 0, 0, 0, 0, 0],
} as const;

/** Each wait is between half of its figure and the whole. */
function expectWaits({ attempts }: Delivery, profile: keyof typeof LONGEST): void {
  const starts = attempts.map(({ startedAt }) => Date.parse(startedAt));
  const waits = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  expect(waits).toHaveLength(7);
  for (const [index, wait] of waits.entries()) {
    const longest = LONGEST[profile][index] ?? 0;
    expect(wait).toBeGreaterThanOrEqual(longest / 2);
    expect(wait).toBeLessThanOrEqual(longest);
  }
}

describe('the next attempt', () => {
  test.each(['real', 'fast', 'instant'] as const)(
    'comes within the waits of the profile %s, up to the eighth',
    async (name) => {
      const control = await startControlled({ retryProfile: name });
      const listener = await listenAt(statuses(500));
      await control.endpoint(listener.url);
      await control.run();
      await control.advance(THREE_DAYS);
      const delivery = await control.onlyDelivery();
      expect(delivery).toMatchObject({
        status: 'ended',
        endReason: 'attempts_exhausted',
        nextAttemptAt: null,
      });
      expectWaits(delivery, name);
      expect(listener.arrivals).toHaveLength(8);
    },
  );

  test('has a different time for each delivery that failed at the same time', async () => {
    const control = await startControlled({ retryProfile: 'real' });
    const listener = await listenAt(statuses(500));
    for (let count = 0; count < 10; count += 1) await control.endpoint(listener.url);
    await control.run();
    await control.idle();
    const next = (await control.deliveries()).map(({ nextAttemptAt }) => nextAttemptAt);
    expect(new Set(next).size).toBeGreaterThan(5);
  });

  test('waits as long as Retry-After demands, up to an hour, and records both numbers', async () => {
    const control = await startControlled();
    const listener = await listenAt((response, number) => {
      if (number === 1) response.writeHead(503, { 'retry-after': '120' });
      if (number === 2) response.writeHead(429, { 'retry-after': '86400' });
      response.end();
    });
    await control.endpoint(listener.url);
    await control.run();
    await control.advance(119_999);
    expect(listener.arrivals).toHaveLength(1);
    await control.advance(1);
    expect(listener.arrivals).toHaveLength(2);
    await control.advance(HOUR - 1);
    expect(listener.arrivals).toHaveLength(2);
    await control.advance(1);
    expect((await control.onlyDelivery()).attempts.map((attempt) => attempt.retryAfter)).toEqual([
      { asked: 120, used: 120 },
      { asked: 86_400, used: 3_600 },
      null,
    ]);
  });

  test('waits by its profile where Retry-After is shorter or unreadable', async () => {
    const control = await startControlled({ retryProfile: 'real' });
    const values = [
      '1',
      'Tue, 30 Jun 2026 23:00:00 GMT',
      '-60',
      '1.5e9',
      '0x7fffffff',
      'soon',
      '٦٠',
    ];
    const listener = await listenAt((response, number) => {
      const value = Buffer.from(values[number - 1] ?? '').toString('latin1');
      response.writeHead(503, { 'retry-after': value }).end();
    });
    await control.endpoint(listener.url);
    await control.run();
    await control.advance(THREE_DAYS);
    const delivery = await control.onlyDelivery();
    expect(delivery.attempts.map(({ retryAfter }) => retryAfter)).toEqual([
      { asked: 1, used: 1 },
      { asked: 0, used: 0 },
      ...Array<null>(6).fill(null),
    ]);
    expectWaits(delivery, 'real');
  });
});
