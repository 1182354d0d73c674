import type { DeepReadonly } from '../state/read-only.ts';
import { isTerminal } from '../state/run-transitions.ts';
import type { RunRecord } from '../state/runs.ts';
import type { State } from '../state/state.ts';

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
