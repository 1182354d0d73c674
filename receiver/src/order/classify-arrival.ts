import type { RunEdge } from './run-edge.ts';
import { historyOf } from './history.ts';
import type { Arrival } from './timeline.ts';

/**
 * Classifies an event of a run against the `known` events of the same run. To classify one event
 * after the other, use `createTimelineResolver`, which keeps what it knows.
 *
 * Requirements: `receiver.order.not-by-arrival`.
 *
 * @throws {TypeError} When a `createdAt` is not an RFC 3339 time.
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
  const [before, after] = [historyOf(others), historyOf([...others, edge])];
  const index = after.steps.findIndex((step) => step.edge.id === edge.id);
  if (index < 0) return 'impossible';
  const next = after.steps[index + 1]?.edge.id;
  if (next === undefined) return 'applied';
  const hadGap = before.steps.some((step) => step.edge.id === next && step.hasGap);
  return hadGap || after.moves.gaps < before.moves.gaps ? 'fills-gap' : 'late';
}
