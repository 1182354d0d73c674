import { historyOf, timelineOf } from './history.ts';
import type { RunEdge, Timeline } from './timeline.ts';

// Requirements: receiver.order.not-by-arrival, webhook-event.status-changed.chain.
/**
 * Orders the events of one run as a walk from status to status that uses each event once. They are
 * sorted by `createdAt`, compared to its last digit. Where that order leaves a gap in the walk,
 * events that are at most 250 ms apart change places if the walk then has fewer gaps, because the
 * clocks of the platform may differ. Simultaneous events are ordered by the walk alone. The
 * creation comes first, and the first edge to a terminal status last.
 *
 * The same set of events gives the same timeline in any order of arrival, and an id that occurs
 * twice counts once. The cost is n log n for n events.
 *
 * @throws {TypeError} When a `createdAt` is not an ISO 8601 time.
 * @example
 * ```ts
 * import { edgeOf, resolveTimeline } from '@hookproof/receiver/order';
 * import { runTimeline } from '@hookproof/receiver/testing';
 *
 * const events = runTimeline(['pending', 'running', 'completed']);
 * const timeline = resolveTimeline(events.toReversed().map(edgeOf));
 * console.log(timeline.status, timeline.isUnbroken); // completed true
 * ```
 */
export function resolveTimeline(edges: Iterable<RunEdge>): Timeline {
  return timelineOf(historyOf(edges));
}
