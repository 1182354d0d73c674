import { setTimeout as delay } from 'node:timers/promises';

/** A clock to wait by: it never jumps. Timestamps use the option `now` instead. */
export interface MonotonicClock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Rejects when `signal` aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The monotonic clock of the machine. */
export const monotonicClock: MonotonicClock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
};

/** Lets requests through one at a time, no faster than the agreed rate. */
export interface Pacer {
  /** Resolves when the next request may go. */
  turn(signal: AbortSignal): Promise<void>;
  /** Delays every turn, as the target requests with `Retry-After`. */
  pause(milliseconds: number): void;
}

/** `perSecond` null: no rate, only pauses. */
export function createPacer(perSecond: number | null, clock: MonotonicClock): Pacer {
  const gap = perSecond === null ? 0 : 1000 / perSecond;
  let free = 0;
  let queue: Promise<void> = Promise.resolve();

  const wait = async (signal: AbortSignal): Promise<void> => {
    for (let due = free - clock.now(); due > 0; due = free - clock.now()) {
      await clock.sleep(due, signal);
    }
    free = clock.now() + gap;
  };

  return {
    turn(signal) {
      const mine = queue.then(() => wait(signal));
      queue = mine.catch(() => {});
      return mine;
    },
    pause(milliseconds) {
      free = Math.max(free, clock.now() + milliseconds);
    },
  };
}
