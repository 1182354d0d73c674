/** Returned by `setTimeout`. Pass it to `clearTimeout` of the same clock. */
export interface TimerHandle {
  /** When the timer is due, in the milliseconds of {@link Clock.steady}. */
  readonly dueAt: number;
}

/** Work that was passed to {@link Clock.track}. */
export interface TrackedHandle {
  /** The work now waits for the clock, so a virtual clock must not wait for the work. */
  pause(): void;
  /** The work continues. */
  resume(): void;
}

/** May return a promise. A virtual clock waits for it before it fires the next timer. */
export type TimerCallback = () => void | Promise<void>;

/** The only source of time in the server: for dates, expiry and waiting. */
export interface Clock {
  /** Milliseconds since the epoch. Use it for dates. A real clock can be set back or forward. */
  now(): number;
  /**
   * Milliseconds that are never set back. They equal `now()` until the clock is set back, and leap forward
   * with it. Use them to wait: see {@link dueTime}.
   */
  steady(): number;
  /**
   * Calls back once after `delayMilliseconds`, however the clock is set meanwhile. Throws a TypeError unless
   * the delay is 0 to 2147483647.
   */
  setTimeout(callback: TimerCallback, delayMilliseconds: number): TimerHandle;
  /**
   * Calls back once when `steady()` has reached a time, and within a second if it has leapt there, for example
   * because the machine has slept.
   */
  setAlarm(callback: TimerCallback, dueAt: number): TimerHandle;
  /** Cancels a timer or an alarm. One that has fired is ignored. */
  clearTimeout(handle: TimerHandle): void;
  /** Registers work that was started outside a timer. A virtual clock waits for it. */
  track(work: Promise<unknown>): TrackedHandle;
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
  /** Returns when the next timer is due, in milliseconds since the epoch. Null without a timer. */
  nextDueAt(): number | null;
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

/** Returns a time in milliseconds since the epoch as an ISO 8601 string in UTC. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const LATEST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** The times that a clock can have, for messages. */
export const CLOCK_TIMES = 'from 1970-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z';

/**
 * Returns whether a clock can have a time. ISO 8601 writes later years with more digits, which are not sorted
 * after the others as text, and the timestamp of a signature cannot be negative.
 */
export function isClockTime(milliseconds: number): boolean {
  return milliseconds >= 0 && milliseconds <= LATEST_TIME;
}

/**
 * Returns when a date of this clock is due, as a steady time. Call it when the date is made: if the clock is
 * set back later, the wait stays the same.
 */
export function dueTime(clock: Clock, date: string): number {
  return clock.steady() + Date.parse(date) - clock.now();
}

/** The readings of a machine. */
interface MachineTime {
  /** Milliseconds since the epoch. It can be set back or forward. */
  wall(): number;
  /** Milliseconds since any moment. It cannot be set. */
  monotonic(): number;
}

/** A smaller step is the time that the process waited between the two readings. */
const MIN_STEP_MILLISECONDS = 500;
/** An alarm looks at the clock this often, so that it notices a leap. */
const MAX_SLEEP_MILLISECONDS = 1_000;

const THIS_MACHINE: MachineTime = { wall: () => Date.now(), monotonic: () => performance.now() };

/**
 * Returns the clock of this machine. It ignores the promise of a callback, so a callback must handle its own
 * errors.
 *
 * @param machine - default `Date.now` and `performance.now`
 * @example
 * ```ts
 * import { createServer, realClock } from '@hookproof/server-reference';
 *
 * const server = await createServer({ store: { kind: 'memory' }, clock: realClock() });
 * console.log(server.clock.now());
 * await server.close();
 * ```
 */
export function realClock(machine: MachineTime = THIS_MACHINE): Clock {
  const time = new SetTime(machine);
  return {
    now: () => time.read().now,
    steady: () => time.read().steady,
    setTimeout(callback, delayMilliseconds): TimerHandle {
      assertDelay(delayMilliseconds);
      const timer = new RealTimer(time.read().steady + delayMilliseconds);
      timer.timeout = setTimeout(() => void callback(), delayMilliseconds);
      return timer;
    },
    setAlarm(callback, dueAt): TimerHandle {
      const timer = new RealTimer(dueAt);
      const look = (): void => {
        const left = dueAt - time.read().steady;
        if (left <= 0) void callback();
        else timer.timeout = setTimeout(look, Math.min(left, MAX_SLEEP_MILLISECONDS));
      };
      timer.timeout = setTimeout(look, 0);
      return timer;
    },
    clearTimeout(handle) {
      if (handle instanceof RealTimer) clearTimeout(handle.timeout);
    },
    track: () => NOTHING_TO_WAIT_FOR,
  };
}

class RealTimer implements TimerHandle {
  readonly dueAt: number;
  timeout: NodeJS.Timeout | undefined;

  constructor(dueAt: number) {
    this.dueAt = dueAt;
  }
}

const NOTHING_TO_WAIT_FOR: TrackedHandle = { pause() {}, resume() {} };

/** Compares the two times of a machine, and so notices when its clock is set. */
class SetTime {
  readonly #machine: MachineTime;
  #wall: number;
  #monotonic: number;
  /** How far the clock has been set back, less what it has been set forward since. */
  #behind = 0;

  constructor(machine: MachineTime) {
    this.#machine = machine;
    this.#wall = machine.wall();
    this.#monotonic = machine.monotonic();
  }

  read(): { readonly now: number; readonly steady: number } {
    const [wall, monotonic] = [this.#machine.wall(), this.#machine.monotonic()];
    const step = Math.round(wall - this.#wall - (monotonic - this.#monotonic));
    this.#wall = wall;
    this.#monotonic = monotonic;
    if (Math.abs(step) >= MIN_STEP_MILLISECONDS) this.#behind = Math.max(0, this.#behind - step);
    return { now: wall, steady: wall + this.#behind };
  }
}
