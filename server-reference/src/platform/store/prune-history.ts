import type { History } from '../state/history-index.ts';
import type { State } from '../state/state.ts';

const MEBIBYTE = 1_048_576;

/** What a prune keeps of the ended runs, the settled deliveries and the events without a delivery. */
export const MAX_RUN_BYTES: number = 192 * MEBIBYTE;
export const MAX_DELIVERY_BYTES: number = 128 * MEBIBYTE;
export const MAX_UNSENT_EVENT_BYTES: number = 32 * MEBIBYTE;

/** A prune runs once per this number of changes, because it updates the indexes. */
export const CHANGES_BETWEEN_PRUNES = 64;
/** Bounds the work of one prune. What is left goes with the next ones. */
const MAX_DELETIONS = 500;

/** Not stored: the first change after a start prunes too. */
const changesUntilPrune = new WeakMap<State, number>();

/**
 * Deletes the oldest settled deliveries with their events, events without a delivery, and ended runs with
 * their reviews, as far as they exceed their bytes. Pending deliveries, open runs, and the runs that a world
 * needs are kept. Every function that settles a delivery, or creates or moves a run, calls it. Its cost does
 * not depend on the number of records.
 */
export function pruneHistory(state: State): void {
  const left = changesUntilPrune.get(state) ?? 0;
  changesUntilPrune.set(state, left === 0 ? CHANGES_BETWEEN_PRUNES : left - 1);
  if (left > 0) return;
  for (const id of beyond(state.history.deliveries, MAX_DELIVERY_BYTES)) {
    const eventId = state.deliveries.get(id)?.eventId;
    state.deliveries.delete(id);
    if (eventId !== undefined && !state.sentEvents.has(eventId)) state.events.delete(eventId);
  }
  for (const id of beyond(state.history.unsentEvents, MAX_UNSENT_EVENT_BYTES)) {
    state.events.delete(id);
  }
  for (const id of beyond(state.history.runs, MAX_RUN_BYTES)) {
    state.runs.delete(id);
    state.runReviews.delete(id);
  }
}

/** Returns the oldest records of a history without which it has at most these bytes. */
function beyond<I extends string>(history: History<I>, maxBytes: number): I[] {
  let { bytes } = history;
  const ids: I[] = [];
  if (bytes <= maxBytes) return ids;
  for (const [id, size] of history.entries()) {
    if (bytes <= maxBytes || ids.length === MAX_DELETIONS) break;
    ids.push(id);
    bytes -= size;
  }
  return ids;
}
