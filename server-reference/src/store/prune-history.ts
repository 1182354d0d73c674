import type { Groups } from './table.ts';
import type { DeliveryId } from './ids.ts';
import type { State } from './state.ts';

/** Per ended run that a world retains: a run has five or six events, most of them with one delivery. */
export const DELIVERIES_PER_RUN = 5;

/**
 * Deletes the oldest ended runs with their reviews, the oldest settled deliveries with their events, and the oldest
 * events without a delivery, as far as a world has more than it retains. Open runs, pending deliveries and the runs
 * that the fixtures of a world name are retained.
 */
export function pruneHistory(state: State): void {
  const { runs, runReviews, events, grouped, historyLimit } = state;
  for (const id of oldest(grouped.endedRuns, historyLimit)) {
    runReviews.delete(id);
    runs.delete(id);
  }
  const deliveryLimit = historyLimit * DELIVERIES_PER_RUN;
  for (const id of oldest(grouped.settledDeliveries, deliveryLimit)) removeDelivery(state, id);
  for (const id of oldest(grouped.undeliveredEvents, deliveryLimit)) {
    // An event can get its first delivery later.
    if (grouped.deliveriesByEvent.of(id).size === 0) events.delete(id);
  }
}

function removeDelivery({ deliveries, events, grouped }: State, id: DeliveryId): void {
  const eventId = deliveries.get(id)?.eventId;
  deliveries.delete(id);
  if (eventId !== undefined && grouped.deliveriesByEvent.of(eventId).size === 0) {
    events.delete(eventId);
  }
}

/** Returns the first ids of each group, without which it has no more than `limit`. */
function oldest<I extends string>(groups: Groups<I>, limit: number): I[] {
  return [...groups.entries()].flatMap(([, ids]) => {
    const excess = ids.size - limit;
    return excess > 0 ? [...ids].slice(0, excess) : [];
  });
}
