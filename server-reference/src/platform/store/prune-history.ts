import type { History } from '../state/history-index.ts';
import { deleteDelivery } from '../state/response-bodies.ts';
import type { State } from '../state/state.ts';
import type { DeliveryId } from '../state/ids.ts';

const MEBIBYTE = 1_048_576;

/** What a prune keeps of the ended runs, their reviews, the settled deliveries and the events without a delivery. */
export const MAX_RUN_BYTES: number = 256 * MEBIBYTE;
export const MAX_REVIEW_BYTES: number = 64 * MEBIBYTE;
export const MAX_DELIVERY_BYTES: number = 128 * MEBIBYTE;
export const MAX_UNSENT_EVENT_BYTES: number = 32 * MEBIBYTE;

/** What a prune keeps of their large values in a data folder. In memory, they count like the records. */
export const MAX_LARGE_RUN_BYTES: number = 8_192 * MEBIBYTE;
export const MAX_LARGE_REVIEW_BYTES: number = 1_024 * MEBIBYTE;
export const MAX_LARGE_DELIVERY_BYTES: number = 1_024 * MEBIBYTE;
export const MAX_LARGE_UNSENT_EVENT_BYTES: number = 256 * MEBIBYTE;

/** What it keeps of their response bodies. It is less than what can be recorded for pending deliveries. */
export const MAX_RESPONSE_BODY_BYTES: number = 48 * MEBIBYTE;

/** A prune runs once per this number of changes, because it updates the indexes. */
export const CHANGES_BETWEEN_PRUNES = 64;
/** Bounds the work of one prune. What is left goes with the next ones. */
const MAX_DELETIONS = 500;

/** Not stored: the first change after a start prunes too. */
const changesUntilPrune = new WeakMap<State, number>();

/**
 * Deletes the oldest settled deliveries with their events, events without a delivery, ended runs with their
 * reviews, and reviews, as far as they exceed their bytes. Pending deliveries, open runs, and the runs that a
 * world needs are kept. Every function that settles a delivery, creates or moves a run, or writes a review calls
 * it. Its cost does not depend on the number of records.
 */
export function pruneHistory(state: State): void {
  const left = changesUntilPrune.get(state) ?? 0;
  changesUntilPrune.set(state, left === 0 ? CHANGES_BETWEEN_PRUNES : left - 1);
  if (left > 0) return;
  const { history, hasLargeValuesOnDisk: onDisk } = state;
  const deliveries = { maxBytes: MAX_DELIVERY_BYTES, maxLargeBytes: MAX_LARGE_DELIVERY_BYTES };
  for (const id of beyond(history.deliveries, deliveries, onDisk)) {
    removeDelivery(state, id);
  }
  // Deliveries share bodies, so only a deletion shows what it frees.
  let deletions = 0;
  for (const [id] of history.deliveries.entries()) {
    if (history.responseBodies.size.bytes < MAX_RESPONSE_BODY_BYTES) break;
    if (deletions === MAX_DELETIONS) break;
    removeDelivery(state, id);
    deletions += 1;
  }
  const unsent = { maxBytes: MAX_UNSENT_EVENT_BYTES, maxLargeBytes: MAX_LARGE_UNSENT_EVENT_BYTES };
  for (const id of beyond(history.unsentEvents, unsent, onDisk)) state.events.delete(id);
  const runs = { maxBytes: MAX_RUN_BYTES, maxLargeBytes: MAX_LARGE_RUN_BYTES };
  for (const id of beyond(history.runs, runs, onDisk)) {
    state.runs.delete(id);
    state.runReviews.delete(id);
  }
  const reviews = { maxBytes: MAX_REVIEW_BYTES, maxLargeBytes: MAX_LARGE_REVIEW_BYTES };
  for (const id of beyond(history.runReviews, reviews, onDisk)) state.runReviews.delete(id);
}

function removeDelivery(state: State, id: DeliveryId): void {
  const eventId = state.deliveries.get(id)?.eventId;
  deleteDelivery(state, id);
  if (eventId !== undefined && !state.sentEvents.has(eventId)) state.events.delete(eventId);
}

interface Budget {
  readonly maxBytes: number;
  readonly maxLargeBytes: number;
}

/** Returns the oldest records of a history without which it is within its budget. */
function beyond<I extends string>(
  history: History<I>,
  { maxBytes, maxLargeBytes }: Budget,
  hasLargeValuesOnDisk: boolean,
): I[] {
  let { bytes, largeBytes } = history.size;
  const isWithin = (): boolean =>
    hasLargeValuesOnDisk
      ? bytes <= maxBytes && largeBytes <= maxLargeBytes
      : bytes + largeBytes <= maxBytes;
  const ids: I[] = [];
  if (isWithin()) return ids;
  for (const [id, one] of history.entries()) {
    if (isWithin() || ids.length === MAX_DELETIONS) break;
    ids.push(id);
    bytes -= one.bytes;
    largeBytes -= one.largeBytes;
  }
  return ids;
}
