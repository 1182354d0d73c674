import { orderEdges } from './order-edges.ts';
import { isTerminal } from './run-edge.ts';
import { CLOCK_SKEW_MILLISECONDS, compareEntries } from './entry.ts';
import type { Entry } from './entry.ts';

/** How a run ends, and which edges are before that. */
interface RunEnd {
  /**
   * The first edge to a terminal status; `null` when there is none, or the run was created in one.
   */
  readonly end: Entry | null;
  /** Sorted by time. */
  readonly before: readonly Entry[];
  /** True when another end is as good. */
  readonly isAmbiguous: boolean;
}

type ChosenEnd = Pick<RunEnd, 'end' | 'isAmbiguous'>;

const NO_END: ChosenEnd = { end: null, isAmbiguous: false };

/**
 * Finds the end of a run among its edges, which are sorted by time. Those that are later than the
 * end by no more than clocks may differ happened before it.
 */
export function findEnd(
  start: string | null,
  entries: readonly Entry[],
  terminals: readonly Entry[],
): RunEnd {
  if (isTerminal(start)) return { ...NO_END, before: [] };
  const chosen = chooseEnd(start, entries, terminals);
  const { end } = chosen;
  const before = entries.filter((entry) => end === null || isBeforeEnd(entry, end));
  return { ...chosen, before };
}

function isBeforeEnd(entry: Entry, end: Entry): boolean {
  return entry.milliseconds <= end.milliseconds + CLOCK_SKEW_MILLISECONDS;
}

/**
 * The first edge to a terminal status counts. Of those within the skew of the clocks it is the one
 * that the others lead to.
 */
function chooseEnd(
  start: string | null,
  entries: readonly Entry[],
  terminals: readonly Entry[],
): ChosenEnd {
  const [first, ...others] = terminals.toSorted(compareEntries);
  if (first === undefined) return NO_END;
  const rivals = [first, ...others.filter((other) => isBeforeEnd(other, first))];
  if (rivals.length === 1) return { ...NO_END, end: first };
  const before = entries.filter((entry) => isBeforeEnd(entry, first));
  const status = orderEdges(before, start, undefined).at(-1)?.edge.currentStatus ?? start;
  const fitting = rivals.filter(({ edge }) => edge.previousStatus === status);
  return { end: fitting[0] ?? first, isAmbiguous: fitting.length !== 1 };
}
