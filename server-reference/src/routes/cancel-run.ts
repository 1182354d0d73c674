import type { RunSnapshot } from '@hookproof/spec';

import type { Handler, Services } from '../app/handler.ts';
import { commitRunChange } from '../runs/commit-run-change.ts';
import { moveRun } from '../runs/move-run.ts';
import { refuseTransition } from '../runs/refuse-transition.ts';
import { findRun } from './find-run.ts';

/** `POST /v1/runs/{id}/cancel`: ends a run that has not come to an end yet. */
export function cancelRun(services: Services): Handler {
  return async function handle(request): Promise<RunSnapshot> {
    return commitRunChange(services, (state) => {
      const run = findRun(state, request);
      return moveRun(state, services.clock.now(), run, { status: 'cancelled' });
    }).catch(refuseTransition('id', 'GET /v1/runs/{id} tells how the run has ended.'));
  };
}
