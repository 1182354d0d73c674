import type { Wait } from '@hookproof/spec/control';

import { ApiError, ROOT, issue } from '../app/api-error.ts';
import type { Services } from '../app/handler.ts';
import type { ControlRoute } from './control-route.ts';
import { lookAt, watch } from './wait-conditions.ts';
import { waitUntil } from './wait-until.ts';

const DEFAULT_TIMEOUT_MILLISECONDS = 5_000;

/** Waiting for a state, in real time, told by changes and not by asking again. */
export function waitRoutes(services: Services): ControlRoute[] {
  return [waitRoute()];

  function waitRoute(): ControlRoute<Wait> {
    return {
      operationId: 'wait',
      async handle({ body: wait, signal }) {
        const timeout = wait.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS;
        const look = watch(services, wait);
        const reached = await waitUntil(look, services.changes.subscribe, timeout, signal);
        const { body, present } = lookAt(services, wait);
        if (!reached) throw timedOut(timeout, present);
        return { status: 200, body: body() };
      },
    };
  }
}

function timedOut(timeout: number, present: string): ApiError {
  const message = `it did not come to that within ${timeout} ms: ${present}`;
  return new ApiError(408, [issue('timed_out', ROOT, message)], {
    hint: 'A virtual clock stands still: POST /_control/clock/advance moves it.',
  });
}
