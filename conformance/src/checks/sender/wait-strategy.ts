import type { CheckContext } from '../../check-kit/check.ts';
import type { Listener } from '../../listener/listener.ts';

/** How a check gets to a moment that it waits for. */
export interface WaitStrategy {
  /** Ends when `come` is true or the patience is over; says how long that was, by the sender's clock. */
  until(come: () => boolean, listener: Listener): Promise<string>;
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const HELD_PAUSE = SECOND / 20;
/** How long, in real time, what was sent last may be on its way to a listener: after a sender said that nothing is, and else. */
const GRACE = { idle: SECOND / 10, busy: SECOND };

/** Growing steps, so that whatever falls due does so at its own time and not at the end of one leap. */
const STEPS = [0, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_200].map((step) => step * SECOND);
const LONG_STEPS = [HOUR, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR];

export async function chooseWaitStrategy(context: CheckContext): Promise<WaitStrategy> {
  const { mode } = await context.control.clock();
  return mode === 'virtual' ? advancing(context) : waiting(context);
}

/** On a virtual clock: a day and more passes in a moment. Only in checks that run alone. */
function advancing(context: CheckContext): WaitStrategy {
  return {
    async until(come, listener) {
      const { control, signal } = context;
      let passed = 0;
      let idle = false;
      for (const step of [...STEPS, ...LONG_STEPS]) {
        if (come() || signal.aborted) break;
        await control.advanceClock(step);
        passed += step;
        // While the listener holds a delivery, the sender is not idle.
        idle = false;
        if (listener.held > 0) await listener.arrival(HELD_PAUSE);
        else idle = await control.waitForIdle(SECOND);
      }
      if (!come()) await arrivals(come, listener, idle ? GRACE.idle : GRACE.busy, context);
      return `${Math.round(passed / SECOND)} s of the deployment's virtual clock`;
    },
  };
}

function waiting(context: CheckContext): WaitStrategy {
  return {
    async until(come, listener) {
      const { retryWindowMilliseconds } = context;
      await arrivals(come, listener, retryWindowMilliseconds, context);
      return `${retryWindowMilliseconds / SECOND} s`;
    },
  };
}

async function arrivals(
  come: () => boolean,
  listener: Listener,
  milliseconds: number,
  context: CheckContext,
): Promise<void> {
  const end = context.now() + milliseconds;
  while (!come() && !context.signal.aborted && context.now() < end) {
    await listener.arrival(Math.min(end - context.now(), SECOND / 4));
  }
}
