/** Returned by `setTimeout`. Pass it to `clearTimeout` of the same clock. */
export interface TimerHandle {
  /** When the timer is due, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** Work that was passed to {@link Clock.track}. */
export interface TrackedHandle {
  /** The work now waits for the clock, so a virtual clock must not wait for the work. */
  pause(): void;
  /** The work continues. */
  resume(): void;
}

export interface TrackedOptions {
  /** Similar work timed out before, so a virtual clock waits for it only a tenth of the time. Default false. */
  readonly isDoubtful?: boolean;
}

/** May return a promise. A virtual clock waits for it before it fires the next timer. */
export type TimerCallback = () => void | Promise<void>;

/** The only source of time in the server: for dates, expiry and waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `delayMilliseconds`. Throws a TypeError unless it is 0 to 2147483647. */
  setTimeout(callback: TimerCallback, delayMilliseconds: number): TimerHandle;
  /** Cancels a timer. A timer that has fired is ignored. */
  clearTimeout(handle: TimerHandle): void;
  /** Registers work that was started outside a timer. A virtual clock waits for it. */
  track(work: Promise<unknown>, options?: TrackedOptions): TrackedHandle;
}

/** A clock whose time changes only by {@link VirtualClock.advance}. */
export interface VirtualClock extends Clock {
  /**
   * Moves the clock forward and fires the timers that are due, ordered by due time and then by creation.
   * While a timer fires, `now()` returns its due time. Resolves when the callbacks and all tracked work
   * are done. Rejects with the error of a callback, with a TypeError for a negative or infinite step, and
   * with an Error when timers without delay create each other endlessly.
   */
  advance(milliseconds: number): Promise<void>;
}

const MAX_DELAY = 2_147_483_647;

/** Throws a TypeError for a delay that `node:timers` would silently change to one millisecond. */
export function assertDelay(delayMilliseconds: number): void {
  if (!(delayMilliseconds >= 0 && delayMilliseconds <= MAX_DELAY)) {
    throw new TypeError(
      `delayMilliseconds must be a number from 0 to ${MAX_DELAY}, got ${String(delayMilliseconds)}.`,
    );
  }
}

/** Returns whether the clock is virtual. */
export function isVirtualClock(clock: Clock): clock is VirtualClock {
  return 'advance' in clock;
}

class RealTimer implements TimerHandle {
  readonly dueAt: number;
  readonly timeout: NodeJS.Timeout;

  constructor(callback: TimerCallback, delayMilliseconds: number) {
    this.dueAt = Date.now() + delayMilliseconds;
    this.timeout = setTimeout(() => void callback(), delayMilliseconds);
  }
}

const NOTHING_TO_WAIT_FOR: TrackedHandle = { pause() {}, resume() {} };

/**
 * Returns the clock of this machine. It ignores the promise of a callback, so a callback must handle its own
 * errors.
 *
 * @example
 * ```ts
 * import { createServer, realClock } from '@hookproof/server-reference';
 *
 * const server = await createServer({ store: { kind: 'memory' }, clock: realClock() });
 * console.log(server.clock.now());
 * await server.close();
 * ```
 */
export function realClock(): Clock {
  return {
    now: () => Date.now(),
    setTimeout(callback, delayMilliseconds) {
      assertDelay(delayMilliseconds);
      return new RealTimer(callback, delayMilliseconds);
    },
    clearTimeout(handle) {
      if (handle instanceof RealTimer) clearTimeout(handle.timeout);
    },
    track: () => NOTHING_TO_WAIT_FOR,
  };
}

/** Returns a time in milliseconds since the epoch as an ISO 8601 string in UTC. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
