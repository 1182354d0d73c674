import { resolveTimeline } from './resolve-timeline.ts';
import type { Timeline } from './resolve-timeline.ts';
import type { RunEdge } from './run-edge.ts';

/**
 * What one more event is to those already known:
 *
 * - `applied`: the newest step, it moves the run on;
 * - `fills-gap`: its place is where the chain was broken;
 * - `late`: older than events already known, where nothing seemed to be missing;
 * - `impossible`: it contradicts the others, such as a move out of a terminal status.
 */
export type Arrival = 'applied' | 'late' | 'fills-gap' | 'impossible';

/** Says what `edge` is to the `known` edges of the same run. */
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
