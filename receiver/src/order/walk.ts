import type { RunEdge } from './timeline.ts';
import { componentsBetween } from './moment.ts';
import type { Component, Moment } from './moment.ts';

interface WalkEdge {
  readonly from: string | null;
  readonly to: string | null;
  /** Absent for a missing edge. */
  readonly edge?: RunEdge;
}

/**
 * Orders the edges of a moment as a walk from `start` to `end` that uses each edge once and has the
 * fewest missing edges (Hierholzer's algorithm, without recursion).
 */
export function walk(moment: Moment, start: string | null, end: string | null): readonly RunEdge[] {
  const leavingEdges = edgesByStart(moment, componentsBetween(moment, start, end));
  const backwards: RunEdge[] = [];
  const path: WalkEdge[] = [{ from: null, to: start }];
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const next = leavingEdges.get(last.to)?.pop();
    if (next !== undefined) {
      path.push(next);
    } else {
      path.pop();
      if (last.edge !== undefined) backwards.push(last.edge);
    }
  }
  return backwards.toReversed();
}

/** Returns the edges by the status that they leave, the one to use last first. */
function edgesByStart(
  moment: Moment,
  components: readonly Component[],
): ReadonlyMap<string | null, WalkEdge[]> {
  const leavingEdges = new Map<string | null, WalkEdge[]>();
  const known = moment.edges.map((edge) => ({
    from: edge.previousStatus,
    to: edge.currentStatus,
    edge,
  }));
  for (const edge of [...known, ...missingEdges(components)].toReversed()) {
    const leaving = leavingEdges.get(edge.from);
    if (leaving === undefined) leavingEdges.set(edge.from, [edge]);
    else leaving.push(edge);
  }
  return leavingEdges;
}

/**
 * Joins the components in a ring, so that the walk reaches all, then pairs the remaining ends and
 * starts.
 */
function missingEdges(components: readonly Component[]): readonly WalkEdge[] {
  const ends = components.flatMap((component) => component.ends.slice(1));
  const starts = components.flatMap((component) => component.starts.slice(1));
  for (const [index, component] of components.entries()) {
    const [end] = component.ends;
    const [start] = components[(index + 1) % components.length]?.starts ?? [];
    if (end !== undefined && start !== undefined) {
      ends.push(end);
      starts.push(start);
    }
  }
  return ends.map((from, index) => ({ from, to: starts[index] ?? null }));
}
