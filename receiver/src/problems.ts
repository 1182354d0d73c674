/**
 * - `event_id_conflict`: an authentic delivery bears the id of another event; it was not accepted.
 * - `body_already_read`: something read or parsed the body before the receiver, which answers 500.
 * - `store_unavailable`: the store could not do its work; senders got 503, or handling waits.
 * - `receiver_failed`: an error that nobody foresaw; the sender got 500.
 * - `event_quarantined`: authentic, but not an event of the contract; set aside as a dead letter.
 * - `run_not_confirmed`: events of an ended run are missing, and the run itself has another status.
 * - `event_unknown`: of a type or version that this release does not know, and there is no handler `unknown`.
 * - `handler_failed`: a handler threw; it is tried again.
 * - `event_dead_lettered`: a handler threw for the last time; the event is a dead letter.
 * - `event_poisoned`: the process ended three times while it handled the event; it is a dead letter.
 * - `closed_unfinished`: `close()` waited long enough for handlers; their events are handled again.
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

/** Stable name of one kind of problem; what each means stands at `PROBLEM_CODES`. */
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** Something that a person should know of. It never holds a payload. */
export interface Problem {
  readonly code: ProblemCode;
  /** For people: what happened and what to do. */
  readonly message: string;
  readonly eventId: string | null;
  readonly runId: string | null;
  /** What was thrown, when something was. */
  readonly cause?: unknown;
}

export type ReportProblem = (problem: Problem) => void;

/** An `onError` that throws must not stop what goes on. */
export function safely<Value>(
  callback: ((value: Value) => void) | undefined,
): (value: Value) => void {
  return (value) => {
    try {
      callback?.(value);
    } catch {
      // There is nobody left to tell.
    }
  };
}

/** The message of what was thrown, short enough to keep. */
export function describeThrown(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return text.slice(0, 500);
}
