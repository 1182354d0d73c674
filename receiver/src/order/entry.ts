import { compareTimes, parseTime } from '../time.ts';
import type { ExactTime } from '../time.ts';
import type { RunEdge } from './timeline.ts';

/**
 * How far the clocks of the platform may differ, in milliseconds. `createdAt` orders two events
 * that are further apart for certain. Closer ones are in the order of the walk with the fewest
 * gaps.
 *
 * Synchronised clocks differ by a few milliseconds and neglected ones by some tens, so that two of
 * them differ by 100. A larger value would leave more to the walk than it can decide, because a run
 * that returns to a status within this time has several walks.
 */
export const CLOCK_SKEW_MILLISECONDS = 250;

/** The status that the event after some entries leaves; `undefined` when there is none. */
export type Next = string | null | undefined;

/** An edge at its place in the order: with its time, and what the order around it shows. */
export interface Entry {
  readonly edge: RunEdge;
  readonly time: ExactTime;
  /** `time` as milliseconds since the epoch, to measure distances. */
  readonly milliseconds: number;
  /** True when at least one event is missing before it. */
  hasGap: boolean;
  /** True when it is the first of some entries for which several orders are equally good. */
  isContested: boolean;
  /** True when it ends a walk within the skew whose events have another walk too. */
  isInterchangeable: boolean;
}

/** @throws {TypeError} When `createdAt` is not an ISO 8601 time. */
export function entryOf(edge: RunEdge): Entry {
  const time = parseTime(edge.createdAt);
  if (time === null) {
    throw new TypeError(
      `createdAt of event ${JSON.stringify(edge.id)} must be an ISO 8601 time, ` +
        `got ${JSON.stringify(edge.createdAt)}.`,
    );
  }
  const part = time.fraction === '' ? 0 : Number(`0.${time.fraction}`);
  const milliseconds = time.seconds * 1000 + part * 1000;
  const flags = { hasGap: false, isContested: false, isInterchangeable: false };
  return { edge, time, milliseconds, ...flags };
}

/** Oldest first; simultaneous ones by id. */
export function compareEntries(left: Entry, right: Entry): number {
  const difference = compareTimes(left.time, right.time);
  if (difference !== 0) return difference;
  return left.edge.id < right.edge.id ? -1 : 1;
}

export function isSimultaneous(left: Entry | undefined, right: Entry | undefined): boolean {
  if (left?.milliseconds !== right?.milliseconds) return false;
  return left !== undefined && right !== undefined && compareTimes(left.time, right.time) === 0;
}

/** Returns the number of gaps in an order that starts at a status and leads to `next`. */
export function countGaps(order: readonly Entry[], start: string | null, next: Next): number {
  let gaps = 0;
  let status = start;
  for (const { edge } of order) {
    if (edge.previousStatus !== status) gaps += 1;
    status = edge.currentStatus;
  }
  return next === undefined || next === status ? gaps : gaps + 1;
}
