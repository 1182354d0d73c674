import type { DeliveryRecord } from '../state/deliveries.ts';
import type { RunId } from '../state/ids.ts';
import { isTerminal } from '../state/run-transitions.ts';
import type { RunRecord } from '../state/runs.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import { find } from './records.ts';

/** The newest settled deliveries and ended runs that a prune keeps. */
export const MAX_SETTLED_DELIVERIES = 5_000;
export const MAX_ENDED_RUNS = 5_000;
/** The newest events without a delivery that a prune keeps. */
export const MAX_UNSENT_EVENTS = 1_000;
/** A prune reads all records, so it runs only once per this number of changes. */
export const CHANGES_BETWEEN_PRUNES = 5_000;

/** Not stored: the first change after a start prunes too. */
const changesUntilPrune = new WeakMap<State, number>();

/**
 * Deletes the oldest settled deliveries, events without a delivery, and ended runs with their reviews.
 * Pending deliveries, open runs and the fixtures of the worlds are kept. Every function that settles a
 * delivery, or creates or moves a run, calls it.
 */
export function pruneHistory(state: State): void {
  const left = changesUntilPrune.get(state) ?? 0;
  changesUntilPrune.set(state, left === 0 ? CHANGES_BETWEEN_PRUNES : left - 1);
  if (left > 0) return;
  deleteOldest(state.deliveries, isSettled, MAX_SETTLED_DELIVERIES);
  const sent = new Set(Object.values(state.deliveries).map(({ eventId }) => eventId));
  deleteOldest(state.events, ({ id }) => !sent.has(id), MAX_UNSENT_EVENTS);
  const fixtures = fixtureRuns(state);
  deleteOldest(state.runs, (run) => hasEnded(run) && !fixtures.has(run.id), MAX_ENDED_RUNS);
  deleteTraces(state);
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

/** The collections of a state that refer to runs, with keys as `Object.keys` returns them. */
interface Traces {
  readonly runs: State['runs'];
  readonly runReviews: Record<string, unknown>;
  readonly listed: { readonly runs: Record<string, RunId[]> };
}

/** Deletes the reviews and list entries of deleted runs. */
function deleteTraces({ runs, runReviews, listed }: Traces): void {
  for (const id of Object.keys(runReviews)) {
    if (find(runs, id) === undefined) delete runReviews[id];
  }
  for (const [tenantId, ids] of Object.entries(listed.runs)) {
    listed.runs[tenantId] = ids.filter((id) => find(runs, id) !== undefined);
  }
}

/** Relies on the order of records, which is that of their creation. */
function deleteOldest<T extends { readonly id: string }>(
  records: Record<string, T>,
  isDeletable: (record: T) => boolean,
  max: number,
): void {
  const deletable = Object.values(records).filter(isDeletable);
  for (const { id } of deletable.slice(0, Math.max(0, deletable.length - max))) {
    delete records[id];
  }
}

function isSettled({ status }: DeliveryRecord): boolean {
  return status !== 'pending';
}

function hasEnded({ status }: RunRecord): boolean {
  return isTerminal(status);
}
