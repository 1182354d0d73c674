import { canMove, RunTransitionError } from '../state/run-transitions.ts';
import type { RunStatus, RunStep } from '../state/runs.ts';

/** A move to come, by how long after the move before it, or after the creation of the run. */
export interface TransitionStep extends Readonly<Omit<RunStep, 'at'>> {
  readonly afterMilliseconds: number;
}

/** The moves with their times, for a run that is created `now`. */
export function scheduleTransitions(now: number, steps: readonly TransitionStep[]): RunStep[] {
  let time = now;
  return steps.map(({ afterMilliseconds, ...move }) => {
    time += afterMilliseconds;
    return { ...move, at: new Date(time).toISOString() };
  });
}

/** The first of the steps that the graph of transitions does not have; null when it has all of them. */
export function findImpossibleStep(
  from: RunStatus,
  steps: readonly TransitionStep[],
): { readonly index: number; readonly error: RunTransitionError } | null {
  let status = from;
  for (const [index, step] of steps.entries()) {
    if (!canMove(status, step.status)) {
      return { index, error: new RunTransitionError(status, step.status) };
    }
    status = step.status;
  }
  return null;
}
