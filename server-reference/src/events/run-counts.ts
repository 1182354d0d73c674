import type { DeepReadonly } from '../store/read-only.ts';
import { isTerminal } from './run-transitions.ts';
import type { RunRecord } from '../store/runs.ts';
import type { State } from '../store/state.ts';

/** Counts a new run in the statistics of its agent. */
export function countExecution(state: State, run: DeepReadonly<RunRecord>): void {
  if (run.type !== 'agent' || !state.agents.has(run.automationId)) return;
  const { stats } = state.agents.edit(run.automationId);
  stats.totalExecutions = (stats.totalExecutions ?? 0) + 1;
  stats.lastExecutionAt = run.createdAt;
}

/** Adds the duration and credits of a run that has just ended to the averages of its agent. */
export function countResult(state: State, run: DeepReadonly<RunRecord>): void {
  const { startedAt, completedAt, usage } = run;
  if (run.type !== 'agent' || startedAt === null || completedAt === null) return;
  if (!isTerminal(run.status) || !state.agents.has(run.automationId)) return;
  const { stats } = state.agents.edit(run.automationId);
  const count = Math.max(1, stats.totalExecutions ?? 1);
  const average = (before: number | null | undefined, value: number): number =>
    Math.round(((before ?? 0) + (value - (before ?? 0)) / count) * 1000) / 1000;
  stats.avgDurationMs = average(
    stats.avgDurationMs,
    Date.parse(completedAt) - Date.parse(startedAt),
  );
  stats.avgCredits = average(stats.avgCredits, usage.creditsCharged);
}

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

/** Returns the average of the scores of a run, weighted; null without a score. */
export function averageScore({ scores = [] }: DeepReadonly<RunRecord>): number | null {
  let sum = 0;
  let weights = 0;
  for (const { score, weight } of scores) {
    if (score === null) continue;
    sum += score * (weight ?? 1);
    weights += weight ?? 1;
  }
  return weights === 0 ? null : Math.round((sum / weights) * SCORE_PRECISION) / SCORE_PRECISION;
}

/** Four decimals, so that a sum has no noise. */
const SCORE_PRECISION = 10_000;

/** Returns whether the average score of an evaluation run reaches its threshold; null without a score. */
export function hasPassed(run: DeepReadonly<RunRecord>): boolean | null {
  const score = averageScore(run);
  return score === null ? null : score >= (run.evaluation?.passThreshold ?? 1);
}
