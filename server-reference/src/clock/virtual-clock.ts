import { assertDelay, CLOCK_TIMES, isClockTime, isoTime } from './clock.ts';
import type { TimerCallback, TimerHandle, VirtualClock } from './clock.ts';
import { DueQueue } from './due-queue.ts';
import { TrackedWork } from './tracked-work.ts';

const MAX_TIMERS_WITHOUT_DELAY = 10_000;
const MAX_TURN_MILLISECONDS = 10;

interface VirtualTimer extends TimerHandle {
  readonly setAt: number;
  readonly callback: TimerCallback;
}

interface VirtualClockOptions {
  /** The initial time, in milliseconds since the epoch. */
  readonly now: number;
  /**
   * How long `advance` waits, in real milliseconds, for work without progress, such as a request to an
   * endpoint that never responds, before it fires the next timer. Default 1000.
   */
  readonly stallTimeoutMilliseconds?: number;
}

/**
 * Returns a clock whose time changes only by `advance`. Throws a TypeError unless `now` is in the years 1970 to 9999.
 *
 * @example
 * ```ts
 * import { virtualClock } from '@hookproof/server-reference';
 *
 * const clock = virtualClock({ now: Date.parse('2026-07-01T12:00:00Z') });
 * clock.setTimeout(() => console.log('one hour later'), 3_600_000);
 * await clock.advance(3_600_000);
 * ```
 */
export function virtualClock(options: VirtualClockOptions): VirtualClock {
  assertTime(options.now);
  const timers = new DueQueue<VirtualTimer>();
  const work = new TrackedWork(options.stallTimeoutMilliseconds ?? 1_000);
  let now = options.now;
  let lastAdvance: Promise<void> = Promise.resolve();
  let failure: { readonly cause: unknown } | undefined;

  async function advanceTo(target: number): Promise<void> {
    let withoutDelay = 0;
    const letOthersContinue = sharedTurns();
    await work.settle();
    for (let timer = timers.takeDue(target); timer; timer = timers.takeDue(target)) {
      withoutDelay = timer.setAt === timer.dueAt && timer.dueAt === now ? withoutDelay + 1 : 0;
      if (withoutDelay > MAX_TIMERS_WITHOUT_DELAY) throw new Error(endlessMessage(now));
      now = Math.max(now, timer.dueAt);
      const returned = timer.callback();
      if (returned !== undefined) {
        work.add(returned.catch((cause: unknown) => (failure ??= { cause })));
      }
      await work.settle();
      if (failure !== undefined) {
        const { cause } = failure;
        failure = undefined;
        throw cause;
      }
      await letOthersContinue();
    }
    now = target;
  }

  function addTimer(callback: TimerCallback, dueAt: number): VirtualTimer {
    const timer = { setAt: now, dueAt, callback };
    timers.add(timer);
    return timer;
  }

  return {
    now: () => now,
    steady: () => now,
    setTimeout(callback, delayMilliseconds): TimerHandle {
      assertDelay(delayMilliseconds);
      return addTimer(callback, now + delayMilliseconds);
    },
    setAlarm: (callback, dueAt) => addTimer(callback, Math.max(now, dueAt)),
    clearTimeout(handle) {
      timers.remove(handle);
    },
    track: (promise) => work.add(promise),
    nextDueAt: () => timers.nextDueAt ?? null,
    async advance(milliseconds) {
      if (!(milliseconds >= 0 && Number.isFinite(milliseconds))) {
        throw new TypeError(
          `milliseconds must be a finite number from 0, got ${String(milliseconds)}.`,
        );
      }
      const step = lastAdvance.then(() => {
        assertTime(now + milliseconds);
        return advanceTo(now + milliseconds);
      });
      lastAdvance = step.catch(() => {});
      await step;
    },
  };
}

/** Returns a function that lets the process read what has arrived, if it has not for some time. */
function sharedTurns(): () => Promise<void> {
  let turnStart = performance.now();
  return async () => {
    if (performance.now() - turnStart < MAX_TURN_MILLISECONDS) return;
    await new Promise(setImmediate);
    turnStart = performance.now();
  };
}

function assertTime(time: number): void {
  if (isClockTime(time)) return;
  throw new TypeError(`A virtual clock must be ${CLOCK_TIMES}, got ${timeText(time)}.`);
}

function timeText(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? `${time} ms` : date.toISOString();
}

function endlessMessage(now: number): string {
  return (
    `More than ${MAX_TIMERS_WITHOUT_DELAY} timers without delay fired in a row at ${isoTime(now)}. ` +
    'Give the repeated timer a delay above 0.'
  );
}
