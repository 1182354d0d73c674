import type { RunCancelled } from '@hookproof/spec';

import { isoTime } from '../clock/clock.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { impliesStart, isTerminal } from '../state/run-transitions.ts';
import type { RunRecord } from '../state/runs.ts';
import type { State } from '../state/state.ts';
import { moveRun } from './change-run.ts';
import type { RunChange } from './change-run.ts';
import { withCancellation } from './scheduled-transitions.ts';

/** Returns what a request to cancel a run in its status does. */
export function cancellationOf({
  status,
}: DeepReadonly<RunRecord>): RunCancelled['cancellation']['state'] {
  if (isTerminal(status)) return 'already_terminal';
  return impliesStart(status) ? 'requested' : 'cancelled';
}

/**
 * Cancels a run that has not started. Schedules the cancellation of a started run, unless it was requested
 * before. An ended run stays unchanged.
 */
export function cancelRun(state: State, now: number, run: DeepReadonly<RunRecord>): RunChange {
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
