import { nextTurn } from '../clock.ts';
import type { Clock } from '../clock.ts';

/** A clock that only a test moves. */
export interface VirtualClock extends Clock {
  /** Moves the time forward, and fires the timers that become due, in order. */
  advance(milliseconds: number): Promise<void>;
  /** Returns the milliseconds until the next timer; `null` when none is set. */
  nextTimerIn(): number | null;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Turns of the event loop that a callback gets to do what it starts. */
const TURNS = 10;

/** Lets what has begun go on until it waits for the clock. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
}

/**
 * Creates a clock for the option `clock`. Its time stands still until the test advances it.
 *
 * @param start The first time, ISO 8601 or milliseconds since the epoch. Default: 2026-07-01 at
 *   noon UTC.
 * @throws {TypeError} When `start` is no time, or `advance()` gets a negative number.
 * @example
 * ```ts
 * import { createReceiver } from '@hookproof/receiver';
 * import { memoryStore } from '@hookproof/receiver/memory';
 * import { virtualClock } from '@hookproof/receiver/testing';
 *
 * const clock = virtualClock('2026-07-01T12:00:00Z');
 * export const receiver = createReceiver({
 *   secrets: 'whsec_c2VjcmV0',
 *   store: memoryStore(),
 *   handlers: { failed: ({ data }) => console.log(data.run.id) },
 *   clock,
 * });
 * await receiver.start();
 * await clock.advance(60_000);
 * ```
 */
export function virtualClock(start: string | number = '2026-07-01T12:00:00Z'): VirtualClock {
  const first = new Date(start).getTime();
  if (Number.isNaN(first)) throw new TypeError(`start must be a time, got ${String(start)}.`);
  let passed = 0;
  const timers = new Set<Timer>();
  const next = (): Timer | null =>
    [...timers].reduce<Timer | null>(
      (earliest, timer) => (earliest === null || timer.at < earliest.at ? timer : earliest),
      null,
    );
  return {
    now: () => first + passed,
    monotonic: () => passed,
    setTimeout(callback, delayMilliseconds) {
      const timer = { at: passed + delayMilliseconds, callback };
      timers.add(timer);
      return timer;
    },
    clearTimeout(handle) {
      for (const timer of timers) if (timer === handle) timers.delete(timer);
    },
    nextTimerIn() {
      const timer = next();
      return timer === null ? null : Math.max(timer.at - passed, 0);
    },
    async advance(milliseconds) {
      if (!(milliseconds >= 0)) {
        throw new TypeError(`milliseconds must be 0 or more, got ${milliseconds}.`);
      }
      const end = passed + milliseconds;
      await turns();
      for (let timer = next(); timer !== null && timer.at <= end; timer = next()) {
        timers.delete(timer);
        passed = Math.max(passed, timer.at);
        timer.callback();
        await turns();
      }
      passed = end;
    },
  };
}
