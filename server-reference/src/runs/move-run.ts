import type { RunRecord, RunStep } from '../state/run.ts';
import type { State } from '../store/state.ts';
import type { RunChange } from './create-run.ts';
import { emitRunEvent } from './emit-run-event.ts';
import { pruneHistory } from './prune-history.ts';
import { canMove, impliesStart, isTerminal, RunTransitionError } from './run-transitions.ts';

/** Where a run goes, and what it has then; without output, files or usage it keeps those that it has. */
export interface RunMove extends Readonly<Omit<RunStep, 'at'>> {
  /** The moves that the run will make by itself from here. Default: none, it is moved by hand. */
  readonly course?: readonly RunStep[];
}

/**
 * Moves a run and, for a top-level one, emits `run.status_changed`. Call it inside a commit.
 *
 * @throws {RunTransitionError} when the graph has no such move; nothing has changed then
 */
export function moveRun(state: State, now: number, run: RunRecord, move: RunMove): RunChange {
  const previousStatus = run.status;
  if (!canMove(previousStatus, move.status)) {
    throw new RunTransitionError(previousStatus, move.status);
  }
  const at = new Date(now).toISOString();
  run.status = move.status;
  run.history.push({ status: move.status, at });
  if (impliesStart(move.status)) run.startedAt ??= at;
  if (isTerminal(move.status)) run.completedAt = at;
  if (move.output !== undefined) run.output = move.output;
  run.outputFiles = move.outputFiles ?? run.outputFiles;
  run.usage = move.usage ?? run.usage;
  run.course = [...(move.course ?? [])];
  const deliveries = emitRunEvent(state, now, run, previousStatus);
  pruneHistory(state);
  return { run, deliveries };
}
