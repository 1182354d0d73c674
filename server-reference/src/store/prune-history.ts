import type { WorldId } from './ids.ts';
import type { DeepReadonly } from './read-only.ts';
import type { RunRecord } from './runs.ts';
import type { ReadonlyState, State } from './state.ts';

/** Per ended run that a world retains: a run has five or six events, most of them with one delivery. */
export const DELIVERIES_PER_RUN = 5;

/** One prune reads the whole history, so it waits for this share of the limit in changes. */
const PRUNED_SHARE = 0.1;

/**
 * Deletes the oldest ended runs with their reviews, the oldest settled deliveries with their events, and the oldest
 * events without a delivery, as far as a world has more than it retains. Open runs, pending deliveries and the runs
 * that the fixtures of a world name are retained.
 */
export function pruneHistory(state: State): void {
  if (state.changes - state.prunedAt < state.historyLimit * PRUNED_SHARE) return;
  const { runs, runReviews, events, deliveries, historyLimit } = state;
  const ended = runs.filter((run) => run.completedAt !== null && !isFixture(state, run));
  for (const { id } of excess(ended, historyLimit, ({ completedAt }) => completedAt ?? '')) {
    runReviews.delete(id);
    runs.delete(id);
  }
  const deliveryCounts = new Map<string, number>();
  for (const { eventId } of deliveries.values()) {
    deliveryCounts.set(eventId, (deliveryCounts.get(eventId) ?? 0) + 1);
  }
  const settled = deliveries
    .filter(({ status }) => status !== 'pending')
    .flatMap((delivery) => {
      const event = events.get(delivery.eventId);
      return event === undefined ? [] : { delivery, event, worldId: event.worldId };
    });
  const limit = historyLimit * DELIVERIES_PER_RUN;
  const settledAt = ({ delivery }: (typeof settled)[number]): string =>
    delivery.attempts.at(-1)?.finishedAt ?? delivery.createdAt;
  for (const { delivery, event } of excess(settled, limit, settledAt)) {
    deliveries.delete(delivery.id);
    const left = (deliveryCounts.get(event.id) ?? 1) - 1;
    deliveryCounts.set(event.id, left);
    if (left === 0) events.delete(event.id);
  }
  const undelivered = events.filter(({ id }) => !deliveryCounts.has(id));
  for (const { id } of excess(undelivered, limit, ({ createdAt }) => createdAt)) events.delete(id);
  state.prunedAt = state.changes;
}

function isFixture({ worlds }: ReadonlyState, { id, worldId }: DeepReadonly<RunRecord>): boolean {
  const { runId, reviewedRunId, otherTenantRunId } = worlds.get(worldId)?.fixtures ?? {};
  return [runId, reviewedRunId, otherTenantRunId].includes(id);
}

/** Returns the oldest records of each world, without which it has no more than `limit`. */
function excess<T extends { readonly worldId: WorldId }>(
  records: readonly T[],
  limit: number,
  timeOf: (record: T) => string,
): T[] {
  const counts = new Map<WorldId, number>();
  for (const { worldId } of records) counts.set(worldId, (counts.get(worldId) ?? 0) + 1);
  return [...counts].flatMap(([worldId, count]) => {
    if (count <= limit) return [];
    const all = records.filter((record) => record.worldId === worldId);
    return all.toSorted((a, b) => compareTexts(timeOf(a), timeOf(b))).slice(0, count - limit);
  });
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
