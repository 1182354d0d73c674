import type { RunCancelled } from '@hookproof/spec';

import { findRun } from '../resources/find.ts';
import { runWithoutOutput } from '../resources/present.ts';
import { cancellationOf, cancelRun as cancel } from '../runs/cancel-run.ts';
import { commitRunChanges } from '../runs/change-run.ts';
import { isTerminal } from '../state/run-transitions.ts';
import type { Handler, Services } from './services.ts';

/** `POST /v1/runs/{id}/cancel`: cancels a run now or soon. An ended run stays unchanged. */
export function cancelRun(services: Services): Handler {
  return async function handle(request) {
    return commitRunChanges(services, (state) => {
      const before = findRun(state, request);
      const cancellation = { state: cancellationOf(before), wasStatus: before.status };
      const change = cancel(state, services.clock.now(), before);
      const snapshot = runWithoutOutput(change.run);
      const result: RunCancelled = {
        ...snapshot,
        finished: isTerminal(snapshot.status),
        execution: { status: snapshot.status },
        cancellation,
      };
      return { changes: [change], result };
    });
  };
}
