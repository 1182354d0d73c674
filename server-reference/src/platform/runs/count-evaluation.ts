import { averageScore, hasPassed } from '../resources/present-run.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { isTerminal } from '../state/run-transitions.ts';
import type { RunRecord } from '../state/runs.ts';
import type { State } from '../state/state.ts';

/** Counts the start or the end of a run in its experiment, if it belongs to one. Call it after each move. */
export function countEvaluation(state: State, run: DeepReadonly<RunRecord>): void {
  const id = run.evaluation?.experimentId ?? null;
  if (id === null) return;
  const known = state.experiments.get(id);
  if (known === undefined) return;
  const hasEnded = isTerminal(run.status);
  if (!hasEnded && (known.startedAt !== null || run.startedAt === null)) return;
  const experiment = state.experiments.edit(id);
  experiment.startedAt ??= run.startedAt;
  if (!hasEnded) return;
  experiment.completedCount += 1;
  const passed = hasPassed(run);
  if (passed === true) experiment.passedCount += 1;
  else if (passed === false || run.status !== 'completed') experiment.failedCount += 1;
  const score = averageScore(run);
  if (score !== null) {
    experiment.scores.sum += score;
    experiment.scores.count += 1;
  }
  if (experiment.completedCount >= experiment.runCount) experiment.completedAt = run.completedAt;
}
