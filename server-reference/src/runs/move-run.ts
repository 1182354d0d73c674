import type { RunStatus } from '@hookproof/spec';

import type { RunRecord } from '../state/run.ts';
import type { State } from '../store/state.ts';
import type { RunChange } from './create-run.ts';
import { emitRunEvent } from './emit-run-event.ts';
import { pruneHistory } from './prune-history.ts';
import {
  impliesStart,
  isTerminal,
  RUN_TRANSITIONS,
  RunTransitionError,
} from './run-transitions.ts';

export interface RunMove {
  readonly status: RunStatus;
  /** Replaces the output; without it the output stays. */
  readonly output?: unknown;
}

/**
 * Moves a run and, for a top-level one, emits `run.status_changed`. Call it inside a commit.
 *
 * @throws {RunTransitionError} when the graph has no such move; nothing has changed then
 */
export function moveRun(state: State, now: number, run: RunRecord, move: RunMove): RunChange {
  const previousStatus = run.status;
  if (!RUN_TRANSITIONS[previousStatus].includes(move.status)) {
    throw new RunTransitionError(previousStatus, move.status);
  }
  const at = new Date(now).toISOString();
  run.status = move.status;
  run.history.push({ status: move.status, at });
  if (impliesStart(move.status)) run.startedAt ??= at;
  if (isTerminal(move.status)) run.completedAt = at;
  if (move.output !== undefined) run.output = move.output;
  const deliveries = emitRunEvent(state, now, run, previousStatus);
  pruneHistory(state);
  return { run, deliveries };
}
