import { orderStretch } from './order-stretch.ts';
import { isTerminal } from './run-edge.ts';
import { CLOCK_SKEW_MILLISECONDS, compareEntries } from './timed-edge.ts';
import type { Entry } from './timed-edge.ts';

/** How a run ends, and which moves are before that. */
export interface RunEnd {
  /** The first move to a terminal status; `null` when there is none, or the run was created in one. */
  readonly end: Entry | null;
  /** Sorted by time. */
  readonly before: readonly Entry[];
  /** Moves after the end, which no run can make. */
  readonly after: readonly Entry[];
  /** True when another end is as good. */
  readonly isAmbiguous: boolean;
}

/**
 * Finds the end of a run among its moves, which are sorted by time. Moves that are later than the end
 * by no more than clocks may differ happened before it.
 */
export function findEnd(
  start: string | null,
  moves: readonly Entry[],
  terminals: readonly Entry[],
): RunEnd {
  if (isTerminal(start)) return { end: null, before: [], after: moves, isAmbiguous: false };
  const { end, isAmbiguous } = chooseEnd(start, moves, terminals);
  const before = moves.filter((move) => end === null || isBeforeEnd(move, end));
  return { end, before, after: moves.slice(before.length), isAmbiguous };
}

export function isBeforeEnd(move: Entry, end: Entry): boolean {
  return move.milliseconds <= end.milliseconds + CLOCK_SKEW_MILLISECONDS;
}

/** The first terminal move counts. Of those within the skew of the clocks it is the one that the others lead to. */
function chooseEnd(
  start: string | null,
  moves: readonly Entry[],
  terminals: readonly Entry[],
): { readonly end: Entry | null; readonly isAmbiguous: boolean } {
  const [first, ...others] = terminals.toSorted(compareEntries);
  if (first === undefined) return { end: null, isAmbiguous: false };
  const rivals = [first, ...others.filter((other) => isBeforeEnd(other, first))];
  if (rivals.length === 1) return { end: first, isAmbiguous: false };
  const before = moves.filter((move) => isBeforeEnd(move, first));
  const status = orderStretch(before, start, undefined).at(-1)?.edge.currentStatus ?? start;
  const fitting = rivals.filter(({ edge }) => edge.previousStatus === status);
  return { end: fitting[0] ?? first, isAmbiguous: fitting.length !== 1 };
}
