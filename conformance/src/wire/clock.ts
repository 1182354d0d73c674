import { setTimeout as delay } from 'node:timers/promises';

/** Time to wait by: it never jumps. What the time is, for timestamps, is another question and another option. */
export interface MonotonicClock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Rejects when `signal` aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The machine's monotonic clock. */
export const monotonicClock: MonotonicClock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
};
