import type { Wait } from '@hookproof/spec/control';

import { realClock } from '../../clock/clock.ts';
import { ROOT, refusal } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import type { ControlRoute } from './operation.ts';
import type { LabServices } from './services.ts';
import { lookAt, watch } from './wait-conditions.ts';

/**
 * Calls `reached` now and after each change. Resolves to true when it returns true, and to false after the
 * timeout, which is in real time, or when the client disconnects.
 */
export function waitUntil(
  reached: () => boolean,
  subscribe: (listener: () => void) => () => void,
  timeoutMilliseconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  const clock = realClock();
  return new Promise((resolve, reject) => {
    if (reached()) return resolve(true);
    const finish = (settle: () => void): void => {
      clock.clearTimeout(timer);
      unsubscribe();
      settle();
    };
    const look = (): void => {
      try {
        if (reached()) finish(() => resolve(true));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    const giveUp = (): void => finish(() => resolve(false));
    const timer = clock.setTimeout(giveUp, timeoutMilliseconds);
    const unsubscribe = subscribe(look);
    signal.addEventListener('abort', giveUp);
  });
}

const DEFAULT_TIMEOUT_MILLISECONDS = 5_000;

/** The route to wait for a state in real time, without polling. */
export function waitRoutes(services: LabServices): ControlRoute[] {
  return [waitRoute()];

  function waitRoute(): ControlRoute<Wait> {
    return {
      operationId: 'wait',
      async handle({ body: wait, signal }) {
        const timeout = wait.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS;
        const look = watch(services, wait);
        const reached = await waitUntil(look, services.feed.subscribe, timeout, signal);
        const { body, progress } = lookAt(services, wait);
        if (!reached) throw timedOut(timeout, progress);
        return { status: 200, body: body() };
      },
    };
  }
}

function timedOut(timeout: number, progress: string): ApiError {
  const message = `the awaited state was not reached within ${timeout} ms: ${progress}`;
  return refusal('timed_out', ROOT, message, {
    hint: 'Advance a virtual clock with POST /_control/clock/advance.',
  });
}
