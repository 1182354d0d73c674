import { setImmediate } from 'node:timers/promises';

import type { Clock } from '@hookproof/receiver';

/** A clock that only a test moves. */
export interface VirtualClock extends Clock {
  /** Fires the due timers in order, and lets the event loop turn after each. */
  advance(milliseconds: number): Promise<void>;
  /** Resolves when a timer of this delay is set. */
  nextTimer(delayMilliseconds: number): Promise<void>;
  /** Drops every timer, as the end of a process does. */
  stopTimers(): void;
}

/** Lets what has begun go on until it waits for the clock. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
}

export const NOON: number = Date.parse('2026-07-01T12:00:00.000Z');

export function virtualClock(start: number = NOON): VirtualClock {
  let now = start;
  const awaited = new Map<number, () => void>();
  const timers = new Map<object, { at: number; callback: () => void }>();
  return {
    now: () => now,
    monotonic: () => now,
    setTimeout(callback, delayMilliseconds) {
      const handle = {};
      timers.set(handle, { at: now + delayMilliseconds, callback });
      awaited.get(delayMilliseconds)?.();
      return handle;
    },
    clearTimeout(handle) {
      timers.delete(handle);
    },
    nextTimer: (delayMilliseconds) =>
      new Promise((resolve) => awaited.set(delayMilliseconds, resolve)),
    stopTimers: () => timers.clear(),
    async advance(milliseconds) {
      const end = now + milliseconds;
      await turns();
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end);
        const [next] = due.toSorted(([, left], [, right]) => left.at - right.at);
        if (next === undefined) break;
        const [handle, { at, callback }] = next;
        timers.delete(handle);
        now = Math.max(now, at);
        callback();
        await turns();
      }
      now = end;
    },
  };
}
