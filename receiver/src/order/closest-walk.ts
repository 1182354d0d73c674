import { CLOCK_SKEW_MILLISECONDS } from './entry.ts';
import type { Entry, Next } from './entry.ts';

/** The order of some entries with the fewest gaps. */
export interface Walk {
  readonly order: readonly Entry[];
  readonly gaps: number;
  /** True when no other order that the clocks permit has as few gaps. */
  readonly isOnly: boolean;
}

/** Part of an order: which entries are in it, where it ends, and how good it is. */
interface Beginning {
  /** Entries before this index are in it. */
  readonly low: number;
  /** Bit n: the entry at `low + n` is in it. */
  readonly used: number;
  readonly status: string | null;
  readonly gaps: number;
  /** Pairs in an order that their times contradict. */
  readonly inversions: number;
  /** Number of orders with these entries, this end and this number of gaps: 1, or 2 for more. */
  readonly ways: number;
  readonly last: Entry | null;
  readonly before: Beginning | null;
}

/** Entries within the skew of one another that the search distinguishes. */
export const MAX_WIDTH = 30;
/** Beginnings of one length that the search follows. */
const MAX_BEGINNINGS = 32;

/**
 * Returns the order of entries, sorted by time, from status `start` to an event that leaves `next`,
 * with fewer than or as many gaps as `mostGaps`: the fewest gaps, then the fewest pairs against
 * their times. Entries further apart than the clocks may differ keep their order. Returns `null`
 * when the entries are too many to search.
 */
export function closestWalk(
  sorted: readonly Entry[],
  { start, next, mostGaps }: { start: string | null; next: Next; mostGaps: number },
): Walk | null {
  if (isCrowded(sorted)) return null;
  const empty = { low: 0, used: 0, status: start, gaps: 0, inversions: 0, ways: 1 };
  let beginnings: readonly Beginning[] = [{ ...empty, last: null, before: null }];
  let isComplete = true;
  for (let length = 0; length < sorted.length; length += 1) {
    const longer = new Map<string, Beginning>();
    for (const beginning of beginnings) {
      extend(beginning, sorted, (found) => keepBest(longer, found, mostGaps));
    }
    beginnings = [...longer.values()];
    if (beginnings.length > MAX_BEGINNINGS) {
      isComplete = false;
      beginnings = beginnings.toSorted(compareBeginnings).slice(0, MAX_BEGINNINGS);
    }
  }
  const gapsOf = ({ gaps, status }: Beginning): number =>
    next === undefined || next === status ? gaps : gaps + 1;
  const [best] = beginnings.toSorted(
    (left, right) => gapsOf(left) - gapsOf(right) || left.inversions - right.inversions,
  );
  if (best === undefined) return null;
  const gaps = gapsOf(best);
  const equal = beginnings.filter((beginning) => gapsOf(beginning) === gaps);
  const ways = equal.reduce((sum, beginning) => sum + beginning.ways, 0);
  return { order: entriesOf(best), gaps, isOnly: isComplete && ways === 1 };
}

/**
 * Returns true when more entries are within the skew of one another than the search distinguishes.
 */
function isCrowded(sorted: readonly Entry[]): boolean {
  return sorted.some(({ milliseconds }, index) => {
    const other = sorted[index + MAX_WIDTH];
    return other !== undefined && other.milliseconds - milliseconds <= CLOCK_SKEW_MILLISECONDS;
  });
}

/** Finds every next entry that the clocks permit. */
function extend(
  beginning: Beginning,
  sorted: readonly Entry[],
  found: (longer: Beginning) => void,
): void {
  const { low, used, status } = beginning;
  const latest = (sorted[low]?.milliseconds ?? 0) + CLOCK_SKEW_MILLISECONDS;
  const skipped: Entry[] = [];
  for (let index = low; index < sorted.length; index += 1) {
    const entry = sorted[index];
    if (entry === undefined || entry.milliseconds > latest) break;
    if ((used & (1 << (index - low))) !== 0) continue;
    // Of equal edges the older one comes first.
    if (!skipped.some((other) => isEqualEdge(other, entry))) {
      const inversions = skipped.filter((other) => other.milliseconds < entry.milliseconds).length;
      found({
        ...advanced(low, used | (1 << (index - low))),
        status: entry.edge.currentStatus,
        gaps: beginning.gaps + (entry.edge.previousStatus === status ? 0 : 1),
        inversions: beginning.inversions + inversions,
        ways: beginning.ways,
        last: entry,
        before: beginning,
      });
    }
    skipped.push(entry);
  }
}

function advanced(low: number, used: number): { readonly low: number; readonly used: number } {
  let [first, rest] = [low, used];
  while ((rest & 1) !== 0) {
    first += 1;
    rest >>>= 1;
  }
  return { low: first, used: rest };
}

export function isEqualEdge({ edge: left }: Entry, { edge: right }: Entry): boolean {
  return left.previousStatus === right.previousStatus && left.currentStatus === right.currentStatus;
}

function keepBest(longer: Map<string, Beginning>, found: Beginning, mostGaps: number): void {
  if (found.gaps > mostGaps) return;
  const key = `${found.low} ${found.used} ${found.status}`;
  const known = longer.get(key);
  if (known === undefined || found.gaps < known.gaps) longer.set(key, found);
  if (known === undefined || found.gaps !== known.gaps) return;
  const better = found.inversions < known.inversions ? found : known;
  longer.set(key, { ...better, ways: 2 });
}

function compareBeginnings(left: Beginning, right: Beginning): number {
  return left.gaps - right.gaps || left.inversions - right.inversions;
}

function entriesOf(beginning: Beginning): readonly Entry[] {
  const backwards: Entry[] = [];
  for (let part: Beginning | null = beginning; part?.last; part = part.before) {
    backwards.push(part.last);
  }
  return backwards.toReversed();
}
