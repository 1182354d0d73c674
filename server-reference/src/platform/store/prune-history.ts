import type { DeliveryRecord } from '../state/deliveries.ts';
import { isTerminal } from '../state/run-transitions.ts';
import type { RunRecord } from '../state/runs.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import { find } from './records.ts';

/** So many settled deliveries are kept at least, with their events, and so many ended runs: the newest. */
export const MAX_SETTLED_DELIVERIES = 5_000;
export const MAX_ENDED_RUNS = 5_000;
/** Events that no delivery is left of, or that no endpoint was there for. */
export const MAX_UNSENT_EVENTS = 1_000;
/** Looking costs a walk over everything; shared between so many changes it costs each next to nothing. */
export const CHANGES_BETWEEN_PRUNES = 5_000;

/** To lose the count costs one look: the first change after a start looks as well. */
const changesUntilLook = new WeakMap<State, number>();

/**
 * Forgets the oldest of what has come to rest: deliveries that are settled, events that no delivery is
 * left of, and runs that have ended, with their reviews. What is pending or open stays, whatever its
 * age, and so do the fixtures of the worlds. Every function that settles a delivery, or creates or moves a run, calls it.
 */
export function pruneHistory(state: State): void {
  const left = changesUntilLook.get(state) ?? 0;
  changesUntilLook.set(state, left === 0 ? CHANGES_BETWEEN_PRUNES : left - 1);
  if (left > 0) return;
  deleteOldest(state.deliveries, isSettled, MAX_SETTLED_DELIVERIES);
  const sent = new Set(Object.values(state.deliveries).map(({ eventId }) => eventId));
  deleteOldest(state.events, ({ id }) => !sent.has(id), MAX_UNSENT_EVENTS);
  const fixtures = fixtureRuns(state);
  deleteOldest(state.runs, (run) => hasEnded(run) && !fixtures.has(run.id), MAX_ENDED_RUNS);
  forgetTraces(state);
}

function fixtureRuns({ worlds }: ReadonlyState): ReadonlySet<string> {
  return new Set(
    Object.values(worlds).flatMap(({ fixtures }) => [
      fixtures.runId,
      fixtures.reviewedRunId,
      fixtures.otherTenantRunId,
    ]),
  );
}

/** What speaks of a run that is forgotten goes with it. */
function forgetTraces({ runs, runReviews, listed }: State): void {
  for (const id of Object.keys(runReviews)) {
    if (find(runs, id) === undefined) delete runReviews[id];
  }
  for (const [tenantId, ids] of Object.entries(listed.runs)) {
    listed.runs[tenantId] = ids.filter((id) => find(runs, id) !== undefined);
  }
}

/** Records stand in the order in which they were made. */
function deleteOldest<T extends { readonly id: string }>(
  records: Record<string, T>,
  isForgettable: (record: T) => boolean,
  kept: number,
): void {
  const forgettable = Object.values(records).filter(isForgettable);
  for (const { id } of forgettable.slice(0, Math.max(0, forgettable.length - kept))) {
    delete records[id];
  }
}

function isSettled({ status }: DeliveryRecord): boolean {
  return status !== 'pending';
}

function hasEnded({ status }: RunRecord): boolean {
  return isTerminal(status);
}
