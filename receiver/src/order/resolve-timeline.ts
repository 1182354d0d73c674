import { sortEdges } from './possible-edges.ts';
import type { SimultaneousEdges } from './possible-edges.ts';
import { isTerminal } from './run-edge.ts';
import type { RunEdge } from './run-edge.ts';
import { fewestMissing, simultaneousMoves } from './simultaneous-moves.ts';
import type { SimultaneousMoves } from './simultaneous-moves.ts';
import { walk } from './walk.ts';

/** A place where at least one event is missing: the run was in `after`, and the next known event leaves `before`. */
export interface Gap {
  /** `null`: the creation of the run is missing. */
  readonly after: string | null;
  readonly before: string;
  /** Position in `steps` of the event after the gap. */
  readonly index: number;
}

/** The history of one run, as a set of its events shows it. */
export interface Timeline {
  /** Every possible event once, oldest first. */
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
 * Orders the events of one run by `createdAt`. Events with the same time are ordered by the chain of
 * statuses, so that the fewest events are missing. The same set gives the same timeline in any order
 * of arrival, and an id that occurs twice counts once. The cost is n log n for n events.
 *
 * Requirements: `receiver.order.not-by-arrival`, `webhook-event.status-changed.chain`.
 *
 * @throws {TypeError} When a `createdAt` is not an ISO 8601 time.
 * @example
 * ```ts
 * import { edgeOf, resolveTimeline } from '@hookproof/receiver/order';
 * import { runTimeline } from '@hookproof/receiver/testing';
 *
 * const events = runTimeline(['pending', 'running', 'completed']);
 * const timeline = resolveTimeline(events.toReversed().map(edgeOf));
 * console.log(timeline.status, timeline.isUnbroken); // completed true
 * ```
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

/** One path through the moments so far: its last status and the number of missing moves. */
interface Path {
  readonly end: string | null;
  readonly missing: number;
  readonly before: Path | null;
}

/** Chooses the last status of each moment so that the history has the fewest missing moves. */
function bestWalk(moments: readonly SimultaneousMoves[]): readonly RunEdge[] {
  let paths: readonly Path[] = [{ end: null, missing: 0, before: null }];
  for (const moves of moments) {
    paths = possibleEnds(moves).map((end) => shortestPath(paths, moves, end));
  }
  let path: Path | null = paths.reduce((best, other) =>
    other.missing < best.missing ? other : best,
  );
  const parts: (readonly RunEdge[])[] = [];
  for (const moves of moments.toReversed()) {
    const start: string | null = path?.before?.end ?? null;
    parts.push(moves.edges.length === 1 ? moves.edges : walk(moves, start, path?.end ?? null));
    path = path?.before ?? null;
  }
  return parts.toReversed().flat();
}

function possibleEnds(moves: SimultaneousMoves): readonly (string | null)[] {
  if (moves.edges.length === 1) return moves.edges.map((edge) => edge.currentStatus);
  const terminal = moves.statuses.filter(isTerminal);
  return terminal.length > 0 ? terminal : moves.statuses.filter((status) => status !== null);
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
