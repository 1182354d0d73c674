import { isoTime } from '../clock/clock.ts';
import type { DeepReadonly } from '../store/read-only.ts';
import { canMove, isTerminal, RunTransitionError } from './run-transitions.ts';
import type { RunRecord, RunStatus, RunStep } from '../store/runs.ts';

/** A transition with its delay after the previous transition or the creation of the run. */
export interface TransitionStep extends Readonly<Omit<RunStep, 'at' | 'output'>> {
  readonly output?: unknown;
  readonly afterMilliseconds: number;
}

/** Returns the transitions with their times, for a run that is created `now`. */
export function scheduleTransitions(now: number, steps: readonly TransitionStep[]): RunStep[] {
  let time = now;
  return steps.map(({ afterMilliseconds, output, ...move }) => {
    time += afterMilliseconds;
    const made = output === undefined ? {} : { output };
    return { ...move, ...made, at: isoTime(time) };
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

/** The delay between a request to cancel a started run and its cancellation. */
const CANCEL_DELAY_MILLISECONDS = 250;

/**
 * Returns the transitions of an open run with its cancellation, if one was requested: those that are due
 * before it, and then the cancellation unless they end the run.
 *
 * @param now - milliseconds since the epoch; a cancellation that is overdue is due now
 */
export function withCancellation(
  { status, cancelRequestedAt }: DeepReadonly<Pick<RunRecord, 'status' | 'cancelRequestedAt'>>,
  steps: readonly RunStep[],
  now: number,
): RunStep[] {
  if (cancelRequestedAt === undefined || isTerminal(status)) return [...steps];
  const due = Math.max(now, Date.parse(cancelRequestedAt) + CANCEL_DELAY_MILLISECONDS);
  const at = isoTime(due);
  const earlier = steps.filter((step) => step.at < at && step.status !== 'cancelled');
  const last = earlier.at(-1)?.status ?? status;
  return isTerminal(last) ? earlier : [...earlier, { status: 'cancelled', at }];
}
