import { parseTime } from '../time.ts';
import type { RunEdge } from './run-edge.ts';
import { isTerminal } from './run-edge.ts';

/** What an event of a run is by its own statuses. In this order they come in a history. */
export type EdgeKind = 'creation' | 'move' | 'end' | 'contradiction';

const KIND_DIGITS: Readonly<Record<EdgeKind, string>> = {
  creation: '0',
  move: '1',
  end: '2',
  contradiction: '3',
};

/** The events before this place in a run are not contradictions. */
export const FIRST_CONTRADICTION: string = KIND_DIGITS.contradiction;

/** Larger than the seconds of any year before 1970, so that every number has 13 digits. */
const SECONDS_OFFSET = 1_000_000_000_000;
/** More digits would make a key of any length. Events that differ only beyond them share a key. */
const MAX_FRACTION_DIGITS = 20;
/** Of a position at the end of a place. */
export const POSITION_DIGITS = 10;

/** `contradiction`: a move out of a terminal status, or to the same status. */
export function kindOf({ previousStatus, currentStatus }: RunEdge): EdgeKind {
  if (previousStatus === null) return 'creation';
  if (isTerminal(previousStatus) || previousStatus === currentStatus) return 'contradiction';
  return isTerminal(currentStatus) ? 'end' : 'move';
}

/**
 * Returns a text by which a store sorts the events of a run: creations, moves, ends, contradictions, each
 * by `createdAt`. It consists of digits, so that every way of comparing texts agrees. Append the position
 * with ten digits, `orderPlace(edge, position)`, to tell apart events of one time.
 *
 * @throws {TypeError} When `createdAt` is not an RFC 3339 time.
 * @example
 * ```ts
 * import { orderKey } from '@hookproof/receiver/order';
 * import type { RunEdge } from '@hookproof/receiver/order';
 *
 * export function sorted(edges: readonly RunEdge[]): RunEdge[] {
 *   return edges.toSorted((left, right) => (orderKey(left) < orderKey(right) ? -1 : 1));
 * }
 * ```
 */
export function orderKey(edge: RunEdge): string {
  const time = parseTime(edge.createdAt);
  if (time === null) {
    throw new TypeError(
      `createdAt must be an RFC 3339 time, got ${JSON.stringify(edge.createdAt)}.`,
    );
  }
  const seconds = String(time.seconds + SECONDS_OFFSET).padStart(13, '0');
  const fraction = time.fraction.slice(0, MAX_FRACTION_DIGITS).padEnd(MAX_FRACTION_DIGITS, '0');
  return `${KIND_DIGITS[kindOf(edge)]}${seconds}${fraction}`;
}

/**
 * Returns the key of an event, then its position: unique in its run.
 *
 * @throws {TypeError} When `createdAt` is not an RFC 3339 time.
 * @example
 * ```ts
 * import { orderPlace } from '@hookproof/receiver/order';
 * import type { RunEdge } from '@hookproof/receiver/order';
 *
 * export function row(edge: RunEdge, position: number): { place: string; edge: string } {
 *   return { place: orderPlace(edge, position), edge: JSON.stringify(edge) };
 * }
 * ```
 */
export function orderPlace(edge: RunEdge, position: number): string {
  return orderKey(edge) + String(position).padStart(POSITION_DIGITS, '0');
}
