import { virtualClock } from '@hookproof/server-reference';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const START = Date.parse('2026-07-01T00:00:00.000Z');
const DAY = 86_400_000;

/** Work that takes real time, whatever the virtual clock shows. */
function realWork(turns: number): Promise<void> {
  return new Promise((resolve) => {
    if (turns === 0) resolve();
    else setImmediate(() => void realWork(turns - 1).then(resolve));
  });
}

describe('virtualClock', () => {
  test('keeps its time until it is advanced', async () => {
    const clock = virtualClock({ now: START });
    await realWork(3);
    expect(clock.now()).toBe(START);
    await clock.advance(250);
    expect(clock.now()).toBe(START + 250);
  });

  test('fires by due time and then in the order set, and shows the due time meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 20 }), { maxLength: 40 }), async (delays) => {
        const clock = virtualClock({ now: 0 });
        const fired: { delay: number; index: number; now: number }[] = [];
        for (const [index, delay] of delays.entries()) {
          clock.setTimeout(() => void fired.push({ delay, index, now: clock.now() }), delay);
        }
        await clock.advance(20);
        const expected = delays
          .map((delay, index) => ({ delay, index, now: delay }))
          .toSorted((a, b) => a.delay - b.delay || a.index - b.index);
        expect(fired).toEqual(expected);
      }),
    );
  });

  test('fires timers that other timers set, for three days in one step', async () => {
    const clock = virtualClock({ now: START });
    const fired: number[] = [];
    const everyHour = (): void => {
      fired.push((clock.now() - START) / 3_600_000);
      clock.setTimeout(everyHour, 3_600_000);
    };
    clock.setTimeout(everyHour, 3_600_000);
    await clock.advance(3 * DAY);
    expect(fired).toEqual(Array.from({ length: 72 }, (_, hour) => hour + 1));
  });

  test('waits for the work of a callback before it fires the next timer', async () => {
    const clock = virtualClock({ now: 0 });
    const order: string[] = [];
    clock.setTimeout(async () => {
      await realWork(5);
      order.push('first done');
      clock.setTimeout(() => void order.push('set by the first'), 1);
    }, 1);
    clock.setTimeout(() => void order.push('third'), 5);
    await clock.advance(10);
    expect(order).toEqual(['first done', 'set by the first', 'third']);
  });

  test('waits for tracked work that began outside a timer', async () => {
    const clock = virtualClock({ now: 0 });
    let done = false;
    clock.track(realWork(5).then(() => (done = true)));
    await clock.advance(0);
    expect(done).toBe(true);
  });

  test('continues past hanging work, to the deadline that ends it', async () => {
    const clock = virtualClock({ now: 0, stallTimeoutMilliseconds: 20 });
    const order: string[] = [];
    const hung = new Promise<void>((resolve) => {
      clock.setTimeout(() => {
        order.push(`deadline at ${clock.now()}`);
        resolve();
        return hung;
      }, 10_000);
    });
    clock.track(hung.then(() => order.push('ended')));
    await clock.advance(9_999);
    expect(order).toEqual([]);
    await clock.advance(1);
    expect(order).toEqual(['deadline at 10000', 'ended']);
  });

  test('lets other work continue between timers', async () => {
    const clock = virtualClock({ now: 0 });
    const TIMERS = 5;
    for (let index = 0; index < TIMERS; index += 1) {
      clock.setTimeout(() => {
        const busyUntil = performance.now() + 15;
        while (performance.now() < busyUntil);
      }, 1);
    }
    let [turns, isOver] = [0, false];
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await clock.advance(1);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(TIMERS);
  });

  test('does not fire a cleared timer', async () => {
    const clock = virtualClock({ now: 0 });
    const handle = clock.setTimeout(() => expect.unreachable('cleared'), 5);
    clock.clearTimeout(handle);
    clock.clearTimeout(handle);
    await clock.advance(10);
    expect(clock.now()).toBe(10);
  });

  test('advances one step after the other', async () => {
    const clock = virtualClock({ now: 0 });
    const seen: number[] = [];
    clock.setTimeout(() => realWork(3).then(() => void seen.push(clock.now())), 10);
    clock.setTimeout(() => void seen.push(clock.now()), 15);
    await Promise.all([clock.advance(10), clock.advance(10)]);
    expect(seen).toEqual([10, 15]);
    expect(clock.now()).toBe(20);
  });

  test('names timers that set each other without delay, instead of running endlessly', async () => {
    const clock = virtualClock({ now: START });
    const again = (): void => void clock.setTimeout(again, 0);
    again();
    await expect(clock.advance(1)).rejects.toThrow(
      /timers without delay fired in a row at 2026-07-01T00:00:00\.000Z\. .*above 0\./,
    );
  });

  test('fires a large number of timers at the same moment', async () => {
    const clock = virtualClock({ now: 0 });
    let fired = 0;
    for (let index = 0; index < 20_000; index += 1) clock.setTimeout(() => void (fired += 1), 5);
    await clock.advance(5);
    expect(fired).toBe(20_000);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('broken callback');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken callback'))],
  ])('rejects with what a callback %s', async (_how, callback) => {
    const clock = virtualClock({ now: 0 });
    clock.setTimeout(callback, 1);
    await expect(clock.advance(1)).rejects.toThrow('broken callback');
    await clock.advance(1);
    expect(clock.now()).toBeGreaterThanOrEqual(2);
  });

  test.each([-1, Number.NaN, Infinity])('refuses to advance by %s', async (step) => {
    await expect(virtualClock({ now: 0 }).advance(step)).rejects.toThrow(
      new TypeError(`milliseconds must be a finite number from 0, got ${step}.`),
    );
  });

  test.each([
    [Number.NaN, 'NaN ms'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [Date.parse('9999-12-31T23:59:59.999Z') + 1, '+010000-01-01T00:00:00.000Z'],
    [Infinity, 'Infinity ms'],
  ])('refuses to start at %s', (now, text) => {
    expect(() => virtualClock({ now })).toThrow(
      new TypeError(
        `A virtual clock must be from 1970-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z, got ${text}.`,
      ),
    );
  });

  test('refuses to leave the year 9999, and stays where it is', async () => {
    const now = Date.parse('9999-12-31T23:59:59.000Z');
    const clock = virtualClock({ now });
    await expect(clock.advance(1_000)).rejects.toThrow('got +010000-01-01T00:00:00.000Z.');
    expect(clock.now()).toBe(now);
    await clock.advance(999);
  });

  test('refuses an invalid delay', () => {
    const clock = virtualClock({ now: 0 });
    expect(() => clock.setTimeout(() => {}, -1)).toThrow(
      'delayMilliseconds must be a number from 0 to 2147483647, got -1.',
    );
  });
});
