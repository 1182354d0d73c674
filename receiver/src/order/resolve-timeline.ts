import { sortEdges } from './possible-edges.ts';
import type { SimultaneousEdges } from './possible-edges.ts';
import type { RunEdge } from './run-edge.ts';
import { fewestMissing, simultaneousMoves } from './simultaneous-moves.ts';
import type { SimultaneousMoves } from './simultaneous-moves.ts';
import { isTerminal } from './status-rank.ts';
import { walk } from './walk.ts';

/** At least one event is missing here: the run was in `after`, the next event known left `before`. */
export interface Gap {
  /** `null`: the creation of the run is missing. */
  readonly after: string | null;
  readonly before: string;
  /** Position in `steps` of the event behind the gap. */
  readonly index: number;
}

/** The history of one run, as far as a set of its events tells it. */
export interface Timeline {
  /** Every event that can have happened, once, oldest first. */
  readonly steps: readonly RunEdge[];
  /** Where the chain of statuses breaks, oldest first. */
  readonly gaps: readonly Gap[];
  /** Events that contradict the others: a second creation, or a move out of or after a terminal status. */
  readonly impossible: readonly RunEdge[];
  /** The status after the last step; `null` when there is none. */
  readonly status: string | null;
  /** True when `status` is one that a run never leaves. */
  readonly isTerminal: boolean;
  /** True when the chain leads from the creation to `status` without a gap. */
  readonly isUnbroken: boolean;
}

/**
 * Puts the events of one run in order: by `createdAt`, and where that is equal by the chain of
 * statuses, so that the fewest events are missing. The same set gives the same timeline in any
 * arrival order; an id that comes twice counts once. Costs n log n for n events.
 *
 * @throws {TypeError} When a `createdAt` is not a time.
 */
export function resolveTimeline(edges: Iterable<RunEdge>): Timeline {
  const { groups, impossible } = sortEdges(edges);
  const steps = bestWalk(groups.map(simultaneousMoves));
  const gaps = gapsOf(steps);
  const status = steps.at(-1)?.currentStatus ?? null;
  return {
    steps,
    gaps,
    impossible,
    status,
    isTerminal: isTerminal(status),
    isUnbroken: steps.length > 0 && gaps.length === 0,
  };
}

/** One way through the moments so far: where it ends and how many moves it has to assume. */
interface Way {
  readonly end: string | null;
  readonly missing: number;
  readonly before: Way | null;
}

/** Chooses the status at the end of each moment so that the whole history misses the fewest moves. */
function bestWalk(moments: readonly SimultaneousMoves[]): readonly RunEdge[] {
  let ways: readonly Way[] = [{ end: null, missing: 0, before: null }];
  for (const moves of moments) {
    ways = possibleEnds(moves).map((end) => shortestWay(ways, moves, end));
  }
  let way: Way | null = ways.reduce((best, other) => (other.missing < best.missing ? other : best));
  const parts: (readonly RunEdge[])[] = [];
  for (const moves of moments.toReversed()) {
    const start: string | null = way?.before?.end ?? null;
    parts.push(moves.edges.length === 1 ? moves.edges : walk(moves, start, way?.end ?? null));
    way = way?.before ?? null;
  }
  return parts.toReversed().flat();
}

function possibleEnds(moves: SimultaneousMoves): readonly (string | null)[] {
  if (moves.edges.length === 1) return moves.edges.map((edge) => edge.currentStatus);
  const terminal = moves.statuses.filter(isTerminal);
  return terminal.length > 0 ? terminal : moves.statuses.filter((status) => status !== null);
}

function shortestWay(ways: readonly Way[], moves: SimultaneousMoves, end: string | null): Way {
  return ways
    .map((before) => ({
      end,
      missing: before.missing + fewestMissing(moves, before.end, end),
      before,
    }))
    .reduce((best, other) => (other.missing < best.missing ? other : best));
}

function gapsOf(steps: SimultaneousEdges): readonly Gap[] {
  const gaps: Gap[] = [];
  let status: string | null = null;
  for (const [index, step] of steps.entries()) {
    if (step.previousStatus !== status && step.previousStatus !== null) {
      gaps.push({ after: status, before: step.previousStatus, index });
    }
    status = step.currentStatus;
  }
  return gaps;
}
