import type { RunEdge } from './run-edge.ts';
import { partsBetween } from './simultaneous-moves.ts';
import type { Part, SimultaneousMoves } from './simultaneous-moves.ts';

interface Move {
  readonly from: string | null;
  readonly to: string | null;
  /** Absent for a missing move. */
  readonly edge?: RunEdge;
}

/**
 * Orders simultaneous edges as a walk from `start` to `end` that uses each edge once and has the
 * fewest missing moves (Hierholzer's algorithm, without recursion).
 */
export function walk(
  moves: SimultaneousMoves,
  start: string | null,
  end: string | null,
): readonly RunEdge[] {
  const leavingMoves = movesByStart(moves, partsBetween(moves, start, end));
  const backwards: RunEdge[] = [];
  const path: Move[] = [{ from: null, to: start }];
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const next = leavingMoves.get(last.to)?.pop();
    if (next !== undefined) {
      path.push(next);
    } else {
      path.pop();
      if (last.edge !== undefined) backwards.push(last.edge);
    }
  }
  return backwards.toReversed();
}

/** Returns the moves by the status that they leave, the one to use last first. */
function movesByStart(
  moves: SimultaneousMoves,
  parts: readonly Part[],
): ReadonlyMap<string | null, Move[]> {
  const leavingMoves = new Map<string | null, Move[]>();
  const known = moves.edges.map((edge) => ({
    from: edge.previousStatus,
    to: edge.currentStatus,
    edge,
  }));
  for (const move of [...known, ...missingMoves(parts)].toReversed()) {
    const leaving = leavingMoves.get(move.from);
    if (leaving === undefined) leavingMoves.set(move.from, [move]);
    else leaving.push(move);
  }
  return leavingMoves;
}

/** Joins the parts in a ring, so that the walk reaches all, then pairs the remaining exits and entries. */
function missingMoves(parts: readonly Part[]): readonly Move[] {
  const exits = parts.flatMap((part) => part.exits.slice(1));
  const entries = parts.flatMap((part) => part.entries.slice(1));
  for (const [index, part] of parts.entries()) {
    const [exit] = part.exits;
    const [entry] = parts[(index + 1) % parts.length]?.entries ?? [];
    if (exit !== undefined && entry !== undefined) {
      exits.push(exit);
      entries.push(entry);
    }
  }
  return exits.map((from, index) => ({ from, to: entries[index] ?? null }));
}
