import type { ControlClient } from '../clients/control-client.ts';
import type { Listener } from '../listener/listener.ts';

/** How a check waits for a condition. */
export interface WaitStrategy {
  /** Resolves when the condition holds or on timeout, with the time waited by the sender's clock. */
  until(condition: () => boolean, listener: Listener): Promise<string>;
}

/** The time limits of a wait. */
export interface WaitTimes {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A sender on a real clock must retry within this time. */
  readonly retryWindowMilliseconds: number;
  /** Ends every wait when it aborts. */
  readonly signal: AbortSignal;
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const HELD_PAUSE = SECOND / 20;
/** The real time that a last delivery may take to arrive: when the sender reports to be idle, and otherwise. */
const GRACE = { idle: SECOND / 10, busy: SECOND };

/** Growing steps, so that the sender acts when an attempt is due and not at the end of one long step. */
const STEPS = [0, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_200].map((step) => step * SECOND);
const LONG_STEPS = [HOUR, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR];

export async function chooseWaitStrategy(
  control: Pick<ControlClient, 'clock' | 'advanceClock' | 'waitForIdle'>,
  times: WaitTimes,
): Promise<WaitStrategy> {
  const { mode } = await control.clock();
  return mode === 'virtual' ? advancing(control, times) : waiting(times);
}

/** On a virtual clock: advances it by more than a day. Only in checks that run alone. */
function advancing(
  control: Pick<ControlClient, 'advanceClock' | 'waitForIdle'>,
  times: WaitTimes,
): WaitStrategy {
  const { signal } = times;
  return {
    async until(condition, listener) {
      let passed = 0;
      let idle = false;
      for (const step of [...STEPS, ...LONG_STEPS]) {
        if (condition() || signal.aborted) break;
        await control.advanceClock(step);
        passed += step;
        // The sender is not idle while the listener holds a delivery.
        idle = false;
        if (listener.held > 0) await listener.arrival(HELD_PAUSE);
        else idle = await control.waitForIdle(SECOND);
      }
      if (!condition()) await arrivals(condition, listener, idle ? GRACE.idle : GRACE.busy, times);
      return `${Math.round(passed / SECOND)} s of the deployment's virtual clock`;
    },
  };
}

/** On a real clock: waits for the retry window. */
export function waiting(times: WaitTimes): WaitStrategy {
  const { retryWindowMilliseconds } = times;
  return {
    async until(condition, listener) {
      await arrivals(condition, listener, retryWindowMilliseconds, times);
      return `${retryWindowMilliseconds / SECOND} s`;
    },
  };
}

async function arrivals(
  condition: () => boolean,
  listener: Listener,
  milliseconds: number,
  { now, signal }: WaitTimes,
): Promise<void> {
  const end = now() + milliseconds;
  while (!condition() && !signal.aborted && now() < end) {
    await listener.arrival(Math.min(end - now(), SECOND / 4));
  }
}
