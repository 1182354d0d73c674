import { scheduler } from 'node:timers/promises';

/** The handle of a timer, to clear it with. */
export type TimerHandle = object;

/** The source of time. Tests pass a clock that they move by hand. */
export interface Clock {
  /**
   * Returns milliseconds since the epoch. It may step when somebody sets the clock of the machine.
   */
  now(): number;
  /**
   * Returns milliseconds since an unknown start. It never steps, and all processes of one machine
   * read the same value.
   */
  monotonic(): number;
  /** Calls back once after this time, and returns a handle for `clearTimeout`. */
  setTimeout(callback: () => void, delayMilliseconds: number): TimerHandle;
  /** Ends a timer before it calls back. A handle that has called back is ignored. */
  clearTimeout(handle: TimerHandle): void;
}

/**
 * Returns the clock and timers of the machine: the default of every `clock` option.
 *
 * @example
 * ```ts
 * import { realClock } from '@hookproof/receiver';
 * import type { Clock } from '@hookproof/receiver';
 *
 * const clock = realClock();
 * export const oneHourAhead: Clock = { ...clock, now: () => clock.now() + 3_600_000 };
 * ```
 */
export function realClock(): Clock {
  return {
    now: Date.now,
    monotonic() {
      const [seconds, nanoseconds] = process.hrtime();
      return seconds * 1_000 + nanoseconds / 1_000_000;
    },
    // Called as a member, the function of some runtimes is an illegal invocation.
    setTimeout: (callback, delayMilliseconds) => setTimeout(callback, delayMilliseconds),
    clearTimeout(handle) {
      if (isTimeout(handle)) clearTimeout(handle);
    },
  };
}

const METHODS = ['now', 'monotonic', 'setTimeout', 'clearTimeout'] as const;

/**
 * Returns the clock of an option, or that of the machine.
 *
 * @throws {TypeError} When a method is missing.
 */
export function usableClock(clock: Clock = realClock()): Clock {
  const missing = METHODS.find((method) => typeof clock?.[method] !== 'function');
  if (missing === undefined) return clock;
  throw new TypeError(
    `clock must have the methods ${METHODS.join(', ')}, got one without ${missing}. ` +
      'Start from realClock() and replace what you need.',
  );
}

/** Environments of browsers have numbers in place of objects. */
function isTimeout(handle: TimerHandle): handle is NodeJS.Timeout {
  return typeof handle !== 'object' || 'hasRef' in handle;
}

/**
 * Returns the value of a promise, or `null` after `milliseconds`; the promise then continues alone.
 */
export function within<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
): Promise<{ readonly value: Value } | null> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => resolve(null), milliseconds);
    promise.then(
      (value) => {
        clock.clearTimeout(timer);
        resolve({ value });
      },
      (error: unknown) => {
        clock.clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/**
 * Resolves in a later turn of the event loop, after what waits for this one. Fake timers of tests
 * replace `setImmediate`, also that of `node:timers`, and leave this one.
 */
export function nextTurn(): Promise<void> {
  return scheduler.yield();
}
