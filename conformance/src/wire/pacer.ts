import type { MonotonicClock } from './clock.ts';

/** Lets requests through one after the other, no faster than agreed. */
export interface Pacer {
  /** Resolves when the next request may go. */
  turn(signal: AbortSignal): Promise<void>;
  /** Nobody gets a turn for so long: the target asked for it. */
  pause(milliseconds: number): void;
}

/** `perSecond` null: no pace, only pauses. */
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
