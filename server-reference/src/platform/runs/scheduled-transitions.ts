import { canMove, RunTransitionError } from '../state/run-transitions.ts';
import type { RunStatus, RunStep } from '../state/runs.ts';

/** A transition with its delay after the previous transition or the creation of the run. */
export interface TransitionStep extends Readonly<Omit<RunStep, 'at'>> {
  readonly afterMilliseconds: number;
}

/** Returns the transitions with their times, for a run that is created `now`. */
export function scheduleTransitions(now: number, steps: readonly TransitionStep[]): RunStep[] {
  let time = now;
  return steps.map(({ afterMilliseconds, ...move }) => {
    time += afterMilliseconds;
    return { ...move, at: new Date(time).toISOString() };
  });
}

/** Returns the first invalid transition of a sequence, or null if all are valid. */
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
