import { fewestMissing, simultaneousMoves } from './simultaneous-moves.ts';
import type { SimultaneousMoves } from './simultaneous-moves.ts';
import { isSimultaneous } from './timed-edge.ts';
import type { Entry, Next } from './timed-edge.ts';
import { walk } from './walk.ts';

/** One path through the moments so far: its last status and the number of missing moves. */
interface Path {
  readonly end: string | null;
  readonly missing: number;
  readonly before: Path | null;
}

/**
 * Orders entries, which are sorted by time, from `start` on. Simultaneous ones are ordered so that the
 * fewest events are missing in the whole, up to an event that leaves `next`, if there is one.
 */
export function timeOrder(
  sorted: readonly Entry[],
  start: string | null,
  next: Next,
): readonly Entry[] {
  const hasTies = sorted.some((entry, index) => isSimultaneous(sorted[index - 1], entry));
  return hasTies ? bestWalk(momentsOf(sorted), start, next) : sorted;
}

/** Returns the entries in groups of the same time. */
function momentsOf(sorted: readonly Entry[]): readonly (readonly Entry[])[] {
  const moments: Entry[][] = [];
  for (const [index, entry] of sorted.entries()) {
    if (isSimultaneous(sorted[index - 1], entry)) moments.at(-1)?.push(entry);
    else moments.push([entry]);
  }
  return moments;
}

/** Chooses the last status of each moment so that the history has the fewest missing moves. */
function bestWalk(
  moments: readonly (readonly Entry[])[],
  start: string | null,
  next: Next,
): readonly Entry[] {
  const allMoves = moments.map((entries) => simultaneousMoves(entries.map(({ edge }) => edge)));
  let paths: readonly Path[] = [{ end: start, missing: 0, before: null }];
  for (const moves of allMoves) {
    paths = possibleEnds(moves).map((end) => shortestPath(paths, moves, end));
  }
  const total = ({ end, missing }: Path) => missing + (next === undefined || next === end ? 0 : 1);
  let path: Path | null = paths.reduce((best, other) =>
    total(other) < total(best) ? other : best,
  );
  const parts: (readonly Entry[])[] = [];
  for (let index = allMoves.length - 1; index >= 0; index -= 1) {
    const [entries = [], moves] = [moments[index], allMoves[index]];
    const from: string | null = path?.before?.end ?? null;
    if (entries.length === 1 || moves === undefined) parts.push(entries);
    else parts.push(inOrder(entries, walk(moves, from, path?.end ?? null)));
    path = path?.before ?? null;
  }
  return parts.toReversed().flat();
}

function inOrder(entries: readonly Entry[], edges: readonly Entry['edge'][]): readonly Entry[] {
  const byEdge = new Map(entries.map((entry) => [entry.edge, entry] as const));
  return edges.flatMap((edge) => byEdge.get(edge) ?? []);
}

function possibleEnds(moves: SimultaneousMoves): readonly (string | null)[] {
  if (moves.edges.length === 1) return moves.edges.map((edge) => edge.currentStatus);
  return moves.statuses;
}

function shortestPath(paths: readonly Path[], moves: SimultaneousMoves, end: string | null): Path {
  return paths
    .map((before) => ({
      end,
      missing: before.missing + fewestMissing(moves, before.end, end),
      before,
    }))
    .reduce((best, other) => (other.missing < best.missing ? other : best));
}
