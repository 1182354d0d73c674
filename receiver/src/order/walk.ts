import type { RunEdge } from './run-edge.ts';
import { partsBetween } from './simultaneous-moves.ts';
import type { Part, SimultaneousMoves } from './simultaneous-moves.ts';

interface Move {
  readonly from: string | null;
  readonly to: string | null;
  /** Absent for a move that nobody told us of. */
  readonly edge?: RunEdge;
}

/**
 * Puts simultaneous edges in the order of a walk from `start` to `end` that uses each of them once
 * and assumes as few missing moves as possible (Hierholzer's algorithm, without recursion).
 */
export function walk(
  moves: SimultaneousMoves,
  start: string | null,
  end: string | null,
): readonly RunEdge[] {
  const departures = departuresOf(moves, partsBetween(moves, start, end));
  const backwards: RunEdge[] = [];
  const path: Move[] = [{ from: null, to: start }];
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const next = departures.get(last.to)?.pop();
    if (next !== undefined) {
      path.push(next);
    } else {
      path.pop();
      if (last.edge !== undefined) backwards.push(last.edge);
    }
  }
  return backwards.toReversed();
}

/** Moves by the status they leave, last one to be taken first. */
function departuresOf(
  moves: SimultaneousMoves,
  parts: readonly Part[],
): ReadonlyMap<string | null, Move[]> {
  const departures = new Map<string | null, Move[]>();
  const told = moves.edges.map((edge) => ({
    from: edge.previousStatus,
    to: edge.currentStatus,
    edge,
  }));
  for (const move of [...told, ...missingMoves(parts)].toReversed()) {
    const leaving = departures.get(move.from);
    if (leaving === undefined) departures.set(move.from, [move]);
    else leaving.push(move);
  }
  return departures;
}

/** Joins the parts in a ring, so that all are reached, then pairs what is left over. */
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
