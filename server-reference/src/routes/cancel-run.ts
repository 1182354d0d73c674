import type { RunSnapshot } from '@hookproof/spec';

import { ApiError, issue } from '../app/api-error.ts';
import type { Handler, Services } from '../app/handler.ts';
import { commitRunChange } from '../runs/commit-run-change.ts';
import { moveRun } from '../runs/move-run.ts';
import { RunTransitionError } from '../runs/run-transitions.ts';
import { findRun } from './find-run.ts';

/** `POST /v1/runs/{id}/cancel`: ends a run that has not come to an end yet. */
export function cancelRun(services: Services): Handler {
  return async function handle(request): Promise<RunSnapshot> {
    return commitRunChange(services, (state) => {
      const run = findRun(state, request);
      return moveRun(state, services.clock.now(), run, { status: 'cancelled' });
    }).catch((error: unknown) => {
      if (!(error instanceof RunTransitionError)) throw error;
      throw new ApiError(409, [issue('invalid_transition', 'id', error.message)]);
    });
  };
}
