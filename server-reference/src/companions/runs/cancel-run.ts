import type { RunCancelled } from '../../generated/companions.ts';
import { findRun } from '../../api/runs/runs.ts';
import type { Handler, Services } from '../../api/services.ts';
import { isoTime } from '../../clock/clock.ts';
import { commitRunChanges, moveRun } from '../../events/run-change.ts';
import type { RunChange } from '../../events/run-change.ts';
import { runWithoutOutput } from '../../events/run-snapshot.ts';
import { withCancellation } from '../../events/scheduled-transitions.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { impliesStart, isTerminal } from '../../events/run-transitions.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { State } from '../../store/state.ts';

/** `POST /v1/runs/{id}/cancel`: cancels a run now or soon. An ended run stays unchanged. */
export function cancelRun(services: Services): Handler {
  return async function handle(request) {
    const cancel = (state: State) => {
      const before = findRun(state, request);
      const cancellation = { state: cancellationOf(before), wasStatus: before.status };
      const change = requestCancellation(state, services.clock.now(), before);
      const snapshot = runWithoutOutput(change.run);
      const result: RunCancelled = {
        ...snapshot,
        finished: isTerminal(snapshot.status),
        execution: { status: snapshot.status },
        cancellation,
      };
      return { changes: [change], result };
    };
    return commitRunChanges(services, cancel);
  };
}

/** Returns what a request to cancel a run in its status does. */
function cancellationOf({
  status,
}: DeepReadonly<RunRecord>): RunCancelled['cancellation']['state'] {
  if (isTerminal(status)) return 'already_terminal';
  return impliesStart(status) ? 'requested' : 'cancelled';
}

/**
 * Cancels a run that has not started. Schedules the cancellation of a started run, unless it was requested
 * before. An ended run stays unchanged.
 */
export function requestCancellation(
  state: State,
  now: number,
  run: DeepReadonly<RunRecord>,
): RunChange {
  const effect = cancellationOf(run);
  if (effect === 'cancelled') return moveRun(state, now, run, { status: 'cancelled' });
  if (effect === 'already_terminal' || run.cancelRequestedAt !== undefined) {
    return { run, deliveries: [] };
  }
  const requested = state.runs.edit(run.id);
  requested.cancelRequestedAt = isoTime(now);
  requested.scheduledTransitions = withCancellation(requested, requested.scheduledTransitions, now);
  return { run: requested, deliveries: [] };
}
