import { edgeTime, isTerminal } from './run-edge.ts';
import type { RunEdge } from './run-edge.ts';

/** Edges of one run with the same time. Only the continuity of statuses shows their order. */
export type SimultaneousEdges = readonly RunEdge[];

export interface SortedEdges {
  /** Oldest first; the creation of the run comes before all others. */
  readonly groups: readonly SimultaneousEdges[];
  /** Edges that no history of a run can contain, oldest first. */
  readonly impossible: readonly RunEdge[];
}

interface TimedEdge {
  readonly edge: RunEdge;
  readonly time: number;
}

/**
 * Sorts the edges by time and separates those that cannot have happened: a second creation, a move
 * to the same status, a move out of a terminal status, and everything after the first terminal one.
 */
export function sortEdges(edges: Iterable<RunEdge>): SortedEdges {
  const groups: RunEdge[][] = [];
  const impossible: RunEdge[] = [];
  const sorted = oldestFirst(edges);
  const creation = sorted.find(({ edge }) => edge.previousStatus === null)?.edge;
  const contradictsItself = (edge: RunEdge): boolean =>
    edge.previousStatus === null
      ? edge !== creation
      : isTerminal(edge.previousStatus) || edge.previousStatus === edge.currentStatus;
  const latch = sorted.find(
    ({ edge }) => isTerminal(edge.currentStatus) && !contradictsItself(edge),
  );
  let groupTime: number | undefined;
  for (const { edge, time } of sorted) {
    if (contradictsItself(edge) || isAfter(latch, edge, time)) {
      impossible.push(edge);
    } else if (time === groupTime) {
      groups.at(-1)?.push(edge);
    } else {
      groups.push([edge]);
      groupTime = time;
    }
  }
  return { groups, impossible };
}

function oldestFirst(edges: Iterable<RunEdge>): readonly TimedEdge[] {
  const byId = new Map<string, TimedEdge>();
  for (const edge of edges) {
    const time = edge.previousStatus === null ? -Infinity : edgeTime(edge);
    byId.set(edge.id, { edge, time });
  }
  return [...byId.values()].toSorted(
    (left, right) =>
      compare(left.time, right.time) ||
      compare(creationTime(left), creationTime(right)) ||
      compare(left.edge.id, right.edge.id),
  );
}

/** Orders two creations of one run: the older one counts. */
function creationTime({ edge, time }: TimedEdge): number {
  return time === -Infinity ? edgeTime(edge) : 0;
}

function compare<Value extends number | string>(left: Value, right: Value): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function isAfter(latch: TimedEdge | undefined, edge: RunEdge, time: number): boolean {
  if (latch === undefined || edge === latch.edge) return false;
  return time > latch.time || isTerminal(edge.currentStatus);
}
