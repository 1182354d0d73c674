import { compareEntries, entryOf } from './entry.ts';
import type { Entry } from './entry.ts';
import { orderMoves } from './ordered-moves.ts';
import type { OrderedMoves } from './ordered-moves.ts';
import { edgeKindOf, isTerminal } from './run-edge.ts';
import type { EdgeKind } from './run-edge.ts';
import { findEnd } from './run-end.ts';
import type { Gap, RunEdge, Timeline } from './timeline.ts';

/** What all events of a run show. It does not depend on the order in which they arrived. */
export interface History {
  /** The oldest creation. */
  readonly creation: Entry | null;
  readonly end: Entry | null;
  /** The moves between them. */
  readonly moves: OrderedMoves;
  /** The creation, the moves and the end. */
  readonly steps: readonly Entry[];
  /** Events that contradict the steps, by time. */
  readonly impossible: readonly Entry[];
  /** True when another end is as good. */
  readonly isEndAmbiguous: boolean;
}

/**
 * Orders all events of a run that are known.
 *
 * @param isWhole - false: earlier events are left out, and the walk begins where the first of these
 *   leaves
 * @throws {TypeError} When a `createdAt` is not an ISO 8601 time.
 */
export function historyOf(edges: Iterable<RunEdge>, isWhole: boolean = true): History {
  const entries = new Map<string, Entry>();
  for (const edge of edges) if (!entries.has(edge.id)) entries.set(edge.id, entryOf(edge));
  const sorted = [...entries.values()].toSorted(compareEntries);
  const ofKind = (kind: EdgeKind): readonly Entry[] =>
    sorted.filter(({ edge }) => edgeKindOf(edge) === kind);
  const [creation = null] = ofKind('creation');
  const known = ofKind('move');
  const left = isWhole ? null : ([...known, ...ofKind('end')][0]?.edge.previousStatus ?? null);
  const start = creation?.edge.currentStatus ?? left;
  const { end, before, isAmbiguous } = findEnd(start, known, ofKind('end'));
  const moves = orderMoves(before, start, end?.edge.previousStatus);
  if (end !== null) end.hasGap = moves.hasGapAtEnd;
  const steps = [...(creation ? [creation] : []), ...moves.order, ...(end ? [end] : [])];
  const possible = new Set(steps);
  return {
    creation,
    end,
    moves,
    steps,
    impossible: sorted.filter((entry) => !possible.has(entry)),
    isEndAmbiguous: isAmbiguous,
  };
}

export function timelineOf({ steps, impossible, moves, isEndAmbiguous }: History): Timeline {
  const gaps = steps.flatMap(({ edge, hasGap }, index): readonly Gap[] => {
    const before = edge.previousStatus;
    if (before === null || !hasGap) return [];
    return [{ after: steps[index - 1]?.edge.currentStatus ?? null, before, index }];
  });
  const status = steps.at(-1)?.edge.currentStatus ?? null;
  return {
    steps: steps.map(({ edge }) => edge),
    gaps,
    impossible: impossible.map(({ edge }) => edge),
    status,
    isTerminal: isTerminal(status),
    isUnbroken: steps.length > 0 && gaps.length === 0,
    isAmbiguous: isEndAmbiguous || moves.ambiguities > 0,
  };
}
