import { MAX_WIDTH, closestWalk, isEqualEdge } from './closest-walk.ts';
import { timeOrder } from './time-order.ts';
import { CLOCK_SKEW_MILLISECONDS, countGaps } from './entry.ts';
import type { Entry, Next } from './entry.ts';

/** A part of an order: from an index to another one, which it does not contain. */
interface Range {
  readonly from: number;
  readonly to: number;
  /** Where the events within the skew of the last gap end. */
  readonly within: number;
}

/** How many events beyond the skew around a gap are considered. */
const MAX_FURTHER = 12;
/** A longer range stays in the order of time. */
const MAX_RANGE = 32;

/**
 * Orders entries, which are sorted by time, from status `start` to an event that leaves `next`.
 * Time decides. Where that leaves a gap, events around it change places within the skew of the
 * clocks if the walk then has fewer gaps. Sets `isContested` of the entries.
 */
export function orderEdges(
  sorted: readonly Entry[],
  start: string | null,
  next: Next,
): readonly Entry[] {
  for (const entry of sorted) entry.isContested = false;
  const base = timeOrder(sorted, start, next);
  const ranges = rangesAroundGaps(base, start, next);
  if (ranges.length === 0) return base;
  const order = [...base];
  for (const { from, to } of ranges) {
    const before = base[from - 1];
    const status = before === undefined ? start : before.edge.currentStatus;
    const after = base[to];
    const leadsTo = after === undefined ? next : after.edge.previousStatus;
    const part = orderRange(base.slice(from, to), sorted.slice(from, to), status, leadsTo);
    order.splice(from, part.length, ...part);
    // Other orders of what is outside may change what is inside.
    const isCut = !isFirm(base, from) || !isFirm(base, to);
    const first = part[0] ?? before;
    if (isCut && first !== undefined) first.isContested = true;
  }
  return order;
}

/** Returns the places where clocks that differ can be the cause of a gap. */
function rangesAroundGaps(
  base: readonly Entry[],
  start: string | null,
  next: Next,
): readonly Range[] {
  const ranges: Range[] = [];
  let status = start;
  for (let index = 0; index <= base.length; index += 1) {
    const entry = base[index];
    const leaves = entry === undefined ? next : entry.edge.previousStatus;
    const isGap = leaves !== undefined && leaves !== status;
    const last = ranges.at(-1);
    const around = isGap ? rangeAround(base, index, last) : null;
    if (around !== null && last !== undefined && around.from < last.to) {
      ranges[ranges.length - 1] = joined(last, around);
    } else if (around !== null) {
      ranges.push(around);
    }
    status = entry?.edge.currentStatus ?? null;
  }
  return ranges;
}

function joined(left: Range, right: Range): Range {
  return {
    from: Math.min(left.from, right.from),
    to: Math.max(left.to, right.to),
    within: Math.max(left.within, right.within),
  };
}

/**
 * Returns the entries within the skew of a gap, and those next to them up to a firm place, because
 * a gap can move along as far as the order is open. Single events that are apart are no part of it.
 */
function rangeAround(base: readonly Entry[], gap: number, last: Range | undefined): Range | null {
  if (isCrowded(base, gap)) return { from: gap, to: gap, within: gap };
  const isOpen = !isApart(base, gap);
  let from = gap;
  if (isOpen || !isApart(base, gap - 1)) {
    const earliest = timeAt(base, gap - 1) - CLOCK_SKEW_MILLISECONDS;
    // What begins inside the last range becomes a part of it.
    const least = (last?.to ?? 1) - 1;
    while (from > least && timeAt(base, from - 1) >= earliest) from -= 1;
    const furthest = Math.max(from - MAX_FURTHER, least);
    while (from > furthest && !isFirm(base, from)) from -= 1;
  }
  let within = gap;
  let to = gap;
  if (isOpen || !isApart(base, gap + 1)) {
    const latest = timeAt(base, gap) + CLOCK_SKEW_MILLISECONDS;
    within = Math.max(gap, last?.within ?? 0);
    while (timeAt(base, within) <= latest) within += 1;
    const furthest = Math.min(within + MAX_FURTHER, base.length);
    to = within;
    while (to < furthest && !isFirm(base, to)) to += 1;
  }
  return from < to ? { from, to, within } : null;
}

/** Returns true when more events are around a place within the skew than a search distinguishes. */
function isCrowded(base: readonly Entry[], place: number): boolean {
  const half = Math.ceil(MAX_WIDTH / 2);
  return timeAt(base, place + half) - timeAt(base, place - half) <= CLOCK_SKEW_MILLISECONDS;
}

/** Returns true when no order that the clocks permit has other events next to the place. */
function isFirm(base: readonly Entry[], place: number): boolean {
  return isApart(base, place) && (isApart(base, place - 1) || isApart(base, place + 1));
}

/**
 * Returns true when the events before and after a place are further apart than clocks may differ.
 */
function isApart(base: readonly Entry[], place: number): boolean {
  return !(timeAt(base, place) - timeAt(base, place - 1) <= CLOCK_SKEW_MILLISECONDS);
}

function timeAt(entries: readonly Entry[], index: number): number {
  return entries[index]?.milliseconds ?? Number.NaN;
}

function orderRange(
  base: readonly Entry[],
  sorted: readonly Entry[],
  start: string | null,
  next: Next,
): readonly Entry[] {
  const mostGaps = countGaps(base, start, next);
  const isLong = sorted.length > MAX_RANGE;
  const walk = isLong ? null : closestWalk(sorted, { start, next, mostGaps });
  const order = walk !== null && walk.gaps < mostGaps ? walk.order : base;
  const [first] = order;
  if (first !== undefined) {
    first.isContested =
      walk === null ||
      !walk.isOnly ||
      hasEqualEdges(sorted) ||
      (mostGaps > walk.gaps && mayBeIncomplete(order, start, mostGaps - walk.gaps));
  }
  return order;
}

/** Returns true when two edges between the same statuses are too close to know which came first. */
function hasEqualEdges(sorted: readonly Entry[]): boolean {
  return sorted.some((entry, index) => {
    for (let later = index + 1; later < sorted.length; later += 1) {
      const other = sorted[later];
      if (other === undefined) break;
      if (other.milliseconds > entry.milliseconds + CLOCK_SKEW_MILLISECONDS) break;
      if (isEqualEdge(entry, other)) return true;
    }
    return false;
  });
}

/**
 * Returns true when missing events explain the times as well as clocks that differ: one missing
 * round trip, whose two halves are before and after the events, leaves two gaps at most, and a walk
 * without them returns to a status.
 */
function mayBeIncomplete(
  order: readonly Entry[],
  start: string | null,
  closedGaps: number,
): boolean {
  const visits: (string | null)[] = [start];
  for (const { edge } of order) {
    if (edge.previousStatus !== visits.at(-1)) visits.push(edge.previousStatus);
    visits.push(edge.currentStatus);
  }
  return closedGaps <= 2 && new Set(visits).size < visits.length;
}
