import { compareStatuses } from './run-edge.ts';
import type { RunEdge } from './run-edge.ts';

/** The edges of one moment as a graph of statuses. */
export interface SimultaneousMoves {
  readonly edges: readonly RunEdge[];
  /** Every status in an edge, the latest in the usual order of a run first. */
  readonly statuses: readonly (string | null)[];
  /** For each status, the number of edges that leave it minus the number that enter it. */
  readonly surplus: ReadonlyMap<string | null, number>;
  /** For each status, the status that represents its connected part. */
  readonly part: ReadonlyMap<string | null, string | null>;
}

export function simultaneousMoves(edges: readonly RunEdge[]): SimultaneousMoves {
  const surplus = new Map<string | null, number>();
  const parent = new Map<string | null, string | null>();
  for (const { previousStatus, currentStatus } of edges) {
    surplus.set(previousStatus, (surplus.get(previousStatus) ?? 0) + 1);
    surplus.set(currentStatus, (surplus.get(currentStatus) ?? 0) - 1);
    const from = root(parent, previousStatus);
    const to = root(parent, currentStatus);
    if (from !== to) parent.set(from, to);
  }
  const statuses = [...surplus.keys()].toSorted((left, right) => compareStatuses(right, left));
  const part = new Map(statuses.map((status) => [status, root(parent, status)] as const));
  return { edges, statuses, surplus, part };
}

function root(parent: Map<string | null, string | null>, status: string | null): string | null {
  let current = status;
  for (;;) {
    const next = parent.get(current);
    if (next === undefined) return current;
    const afterNext = parent.get(next);
    if (afterNext !== undefined) parent.set(current, afterNext);
    current = next;
  }
}

/** A connected part of the moves, with the missing moves of one walk through all of it. */
export interface Part {
  /** Statuses where a stretch begins, once for each missing move into it. */
  readonly entries: (string | null)[];
  /** Statuses where a stretch ends, once for each missing move out of it. */
  readonly exits: (string | null)[];
}

/**
 * Returns the parts of a walk from `start` to `end` through all the moves. The walk needs exactly one
 * missing move for each entry (Euler). The part with both ends comes first.
 */
export function partsBetween(
  moves: SimultaneousMoves,
  start: string | null,
  end: string | null,
): readonly Part[] {
  const startPart = moves.part.get(start) ?? start;
  const endPart = moves.part.get(end) ?? end;
  const parts = new Map<string | null, Part>([[endPart, { entries: [], exits: [] }]]);
  const statuses = moves.surplus.has(start) ? moves.statuses : [...moves.statuses, start];
  for (const status of statuses.toReversed()) {
    const own = moves.part.get(status) ?? status;
    const key = own === startPart ? endPart : own;
    const part = parts.get(key) ?? { entries: [], exits: [] };
    parts.set(key, part);
    const isStart = status === start ? 1 : 0;
    const isEnd = status === end ? 1 : 0;
    const missing = (moves.surplus.get(status) ?? 0) - isStart + isEnd;
    for (let count = 0; count < missing; count += 1) part.entries.push(status);
    for (let count = 0; count < -missing; count += 1) part.exits.push(status);
  }
  if (parts.size > 1) joinClosedParts(parts, end);
  return [...parts.values()];
}

/** A part that forms a closed round trip is entered and left at the same status. */
function joinClosedParts(parts: ReadonlyMap<string | null, Part>, end: string | null): void {
  let isFirst = true;
  for (const [status, part] of parts) {
    if (part.entries.length === 0) {
      const place = isFirst ? end : status;
      part.entries.push(place);
      part.exits.push(place);
    }
    isFirst = false;
  }
}

/** Returns the fewest missing moves of a walk from `start` through all the moves to `end`. */
export function fewestMissing(
  moves: SimultaneousMoves,
  start: string | null,
  end: string | null,
): number {
  const [first, ...others] = moves.edges;
  if (others.length === 0) return first?.previousStatus === start ? 0 : 1;
  return partsBetween(moves, start, end).reduce((sum, part) => sum + part.entries.length, 0);
}
