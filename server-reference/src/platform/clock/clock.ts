/** What `setTimeout` hands back; only good for `clearTimeout` of the same clock. */
export interface TimerHandle {
  /** When the timer falls due, in milliseconds since the epoch of that clock. */
  readonly dueAt: number;
}

/** Work that a clock was told of. */
export interface TrackedHandle {
  /** The work waits for time itself, so a virtual clock need not wait for the work. */
  pause(): void;
  /** The work goes on. */
  resume(): void;
}

export interface TrackedOptions {
  /** Its like has never ended before, so that a virtual clock has less patience with it. Default false. */
  readonly isDoubtful?: boolean;
}

/** May return a promise; a virtual clock waits for it before it fires the next timer. */
export type TimerCallback = () => void | Promise<void>;

/** The only source of time in this room: everything that waits, expires or is dated hangs on it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `delayMilliseconds` (0 to 2147483647, else a TypeError). */
  setTimeout(callback: TimerCallback, delayMilliseconds: number): TimerHandle;
  /** Forgets a timer; a timer that has fired already is no error. */
  clearTimeout(handle: TimerHandle): void;
  /** Tells the clock of work that was started outside a timer, so that a virtual clock waits for it. */
  track(work: Promise<unknown>, options?: TrackedOptions): TrackedHandle;
}

/** A clock that stands still until it is moved. */
export interface VirtualClock extends Clock {
  /**
   * Moves the clock forward and fires what falls due, by due time and then in the order it was set.
   * `now()` stands at a timer's due time while it fires. Resolves when the callbacks and all tracked
   * work are done. Rejects with what a callback threw, with a TypeError for a negative or endless
   * step, and with an Error when timers without delay keep setting each other.
   */
  advance(milliseconds: number): Promise<void>;
}

const MAX_DELAY = 2_147_483_647;

/** Refuses a delay that `node:timers` would silently turn into one millisecond. */
export function assertDelay(delayMilliseconds: number): void {
  if (!(delayMilliseconds >= 0 && delayMilliseconds <= MAX_DELAY)) {
    throw new TypeError(
      `a delay is 0 to ${MAX_DELAY} milliseconds, not ${String(delayMilliseconds)}`,
    );
  }
}

/** Tells whether time can be moved by hand. */
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
 * The clock of the machine. A callback's promise is its own affair: let it handle its failures.
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
