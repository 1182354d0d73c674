/**
 * Lists the codes that `onError` can receive:
 *
 * - `event_id_conflict`: an authentic delivery has the id of another event; it was refused with 409.
 * - `body_already_read`: a parser consumed the body before the receiver; it responded with 500.
 * - `store_unavailable`: the store failed; senders got 503, or handling is delayed.
 * - `receiver_failed`: an unexpected error; the sender got 500.
 * - `event_quarantined`: authentic, but not an event of the contract; it is a dead letter.
 * - `run_not_confirmed`: events of an ended run are missing, and `fetchRun` read another status.
 * - `event_unknown`: of a type or version that this release does not know, and no `unknown` handler is set.
 * - `handler_failed`: a handler threw; it will be retried.
 * - `event_dead_lettered`: a handler threw on its last attempt; the event is a dead letter.
 * - `event_poisoned`: the process ended three times while handling the event; it is a dead letter.
 * - `closed_unfinished`: `close()` reached its timeout; unfinished events are handled again later.
 *
 * @example
 * ```ts
 * import { PROBLEM_CODES } from '@hookproof/receiver';
 * import type { Problem } from '@hookproof/receiver';
 *
 * const counts = new Map(PROBLEM_CODES.map((code) => [code, 0]));
 *
 * export function onError({ code, message }: Problem): void {
 *   counts.set(code, (counts.get(code) ?? 0) + 1);
 *   console.error(code, message);
 * }
 * ```
 */
export const PROBLEM_CODES = [
  'event_id_conflict',
  'body_already_read',
  'store_unavailable',
  'receiver_failed',
  'event_quarantined',
  'run_not_confirmed',
  'event_unknown',
  'handler_failed',
  'event_dead_lettered',
  'event_poisoned',
  'closed_unfinished',
] as const;

/** Stable name of one kind of problem; `PROBLEM_CODES` explains each. */
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** Something that the operator should know. It never contains a payload. */
export interface Problem {
  readonly code: ProblemCode;
  /** For people: what happened and what to do. */
  readonly message: string;
  readonly eventId: string | null;
  readonly runId: string | null;
  /** The thrown value, if there was one. */
  readonly cause?: unknown;
}

export type ReportProblem = (problem: Problem) => void;

/** Returns the message of a thrown value, cut to 500 characters. */
export function describeThrown(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return text.slice(0, 500);
}
