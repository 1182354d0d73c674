import { resolveTimeline } from './resolve-timeline.ts';
import type { Timeline } from './resolve-timeline.ts';
import type { RunEdge } from './run-edge.ts';

/**
 * How an event relates to the events that are already known:
 *
 * - `applied`: it is the newest step of the run;
 * - `fills-gap`: its place is a gap in the chain;
 * - `late`: it is older than known events, at a place where no gap was known;
 * - `impossible`: it contradicts the others, such as a move out of a terminal status.
 */
export type Arrival = 'applied' | 'late' | 'fills-gap' | 'impossible';

/**
 * Classifies an event of a run against the `known` events of the same run.
 *
 * Requirements: `receiver.order.not-by-arrival`.
 *
 * @throws {TypeError} When a `createdAt` is not an ISO 8601 time.
 * @example
 * ```ts
 * import { classifyArrival, edgeOf } from '@hookproof/receiver/order';
 * import { runTimeline } from '@hookproof/receiver/testing';
 *
 * const [created, started] = runTimeline(['pending', 'running']).map(edgeOf);
 * if (created !== undefined && started !== undefined) {
 *   console.log(classifyArrival([created], started)); // applied
 * }
 * ```
 */
export function classifyArrival(known: Iterable<RunEdge>, edge: RunEdge): Arrival {
  const others = [...known].filter((other) => other.id !== edge.id);
  const before = resolveTimeline(others);
  const after = resolveTimeline([...others, edge]);
  const place = after.steps.findIndex((step) => step.id === edge.id);
  if (place < 0) return 'impossible';
  if (place === after.steps.length - 1) return 'applied';
  if (after.gaps.length < before.gaps.length) return 'fills-gap';
  return wasGapBefore(before, after.steps[place + 1]) ? 'fills-gap' : 'late';
}

function wasGapBefore(timeline: Timeline, next: RunEdge | undefined): boolean {
  return timeline.gaps.some((gap) => timeline.steps[gap.index]?.id === next?.id);
}
