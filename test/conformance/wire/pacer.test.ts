import { describe, expect, test } from 'vitest';

import { createPacer } from '../../../conformance/src/wire/pacer.ts';
import type { MonotonicClock } from '../../../conformance/src/wire/pacer.ts';

/** A clock that only sleeping moves. */
function sleepingClock(): MonotonicClock {
  let now = 0;
  return {
    now: () => now,
    sleep(milliseconds, signal) {
      signal.throwIfAborted();
      now += milliseconds;
      return Promise.resolve();
    },
  };
}

const never = new AbortController().signal;

async function turns(perSecond: number | null, count: number): Promise<number[]> {
  const clock = sleepingClock();
  const pacer = createPacer(perSecond, clock);
  return Promise.all(
    Array.from({ length: count }, () => pacer.turn(never).then(() => clock.now())),
  );
}

describe('a pacer', () => {
  test('spreads turns evenly', async () => {
    expect(await turns(5, 4)).toEqual([0, 200, 400, 600]);
  });

  test('adds no delay without a rate', async () => {
    expect(await turns(null, 3)).toEqual([0, 0, 0]);
  });

  test('delays every turn during a pause and keeps its rate afterwards', async () => {
    const clock = sleepingClock();
    const pacer = createPacer(5, clock);
    await pacer.turn(never);
    pacer.pause(1_000);
    const after = [pacer.turn(never), pacer.turn(never)].map((turn) =>
      turn.then(() => clock.now()),
    );
    expect(await Promise.all(after)).toEqual([1_000, 1_200]);
  });

  test('continues with the next turn after an aborted one', async () => {
    const pacer = createPacer(5, sleepingClock());
    await pacer.turn(never);
    const given = pacer.turn(AbortSignal.abort(new Error('gave up')));
    const next = pacer.turn(never);
    await expect(given).rejects.toThrow('gave up');
    await expect(next).resolves.toBeUndefined();
  });
});
