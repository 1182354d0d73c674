import type { Clock } from './clock.ts';
import { PROBLEM_CHANNEL } from './diagnostics.ts';
import type { ProblemMessage } from './diagnostics.ts';

/**
 * Lists the codes that `onError` can receive. Each is reported at a bounded rate; `count` says how often
 * it happened.
 *
 * At most once a minute:
 *
 * - `deliveries_refused`: a delivery was not authentic (401). When all are, the secret is wrong.
 * - `deliveries_outside_tolerance`: an authentic delivery was too old or too new (425). When all are, a
 *   clock is wrong.
 * - `overloaded`: a delivery got 503, because too many bodies arrived at once.
 * - `body_already_read`: a parser consumed the body before the receiver; it responded with 500.
 * - `body_not_bytes`: the receiver got a body that is not bytes; it responded with 500.
 * - `store_unavailable`: the store failed; senders got 503, or handling is delayed.
 * - `secrets_unavailable`: the function `secrets` failed; senders got 503, or the last known secrets are used further.
 * - `receiver_failed`: an unexpected error; the sender got 500.
 * - `not_started`: a delivery got 503, because `start()` was not called or has not resolved.
 * - `path_unexpected`: a request with signature headers came to another path than that of the adapter; its
 *   404 ends the delivery.
 * - `lease_lost`: another process took a run that this one was handling.
 * - `pool_small`: the pool of PostgreSQL has fewer connections than the store and all handlers need.
 *
 * At most 100 times a minute, because each concerns another event:
 *
 * - `delivery_explained`: a delivery was refused, and `explainRefusals` says which mistake explains it.
 * - `event_id_conflict`: an authentic delivery has the id of another event; it was refused with 409.
 * - `event_quarantined`: authentic, but not an event of the contract; it is a dead letter.
 * - `run_not_confirmed`: events of an ended run are missing, and `fetchRun` read another status.
 * - `event_unknown`: of a type or version that this release does not know, and no `unknown` handler is set.
 * - `handler_failed`: a handler threw; it will be retried.
 * - `handler_slow`: a handler did not finish before its deadline; it will be retried.
 * - `event_dead_lettered`: a handler failed on its last attempt; the event is a dead letter.
 * - `output_invalid`: an output does not match the schema of `withOutput()`; the event is a dead letter.
 * - `event_poisoned`: the process ended `maxCrashes` times while it handled this event; it is a dead letter.
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
  'deliveries_refused',
  'deliveries_outside_tolerance',
  'overloaded',
  'body_already_read',
  'body_not_bytes',
  'store_unavailable',
  'secrets_unavailable',
  'receiver_failed',
  'not_started',
  'path_unexpected',
  'lease_lost',
  'pool_small',
  'delivery_explained',
  'event_id_conflict',
  'event_quarantined',
  'run_not_confirmed',
  'event_unknown',
  'handler_failed',
  'handler_slow',
  'event_dead_lettered',
  'output_invalid',
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
  /** How often this code occurred since its last report, this time included. */
  readonly count: number;
  /** The thrown value, if there was one. */
  readonly cause?: unknown;
}

/** Takes a problem as it occurs; the receiver counts. */
export type ReportProblem = (problem: Omit<Problem, 'count'>) => void;

const MINUTE_MILLISECONDS = 60_000;
const MAX_EVENT_REPORTS = 100;

/** The codes that a flood of requests or a broken store repeats without end. */
const FLOODS: ReadonlySet<ProblemCode> = new Set([
  'deliveries_refused',
  'deliveries_outside_tolerance',
  'overloaded',
  'body_already_read',
  'body_not_bytes',
  'store_unavailable',
  'secrets_unavailable',
  'receiver_failed',
  'not_started',
  'path_unexpected',
  'lease_lost',
  'pool_small',
]);

/** Returns a function that passes problems on at a bounded rate for each code. */
export function boundedReport(
  report: (problem: Problem) => void,
  clock: Pick<Clock, 'monotonic'>,
): ReportProblem {
  const windows = new Map<ProblemCode, { until: number; reports: number; withheld: number }>();
  return (problem) => {
    publish(problem);
    const now = clock.monotonic();
    let window = windows.get(problem.code);
    if (window === undefined || window.until <= now) {
      const withheld = window?.withheld ?? 0;
      window = { until: now + MINUTE_MILLISECONDS, reports: 0, withheld };
      windows.set(problem.code, window);
    }
    window.withheld += 1;
    if (window.reports >= (FLOODS.has(problem.code) ? 1 : MAX_EVENT_REPORTS)) return;
    window.reports += 1;
    report({ ...problem, count: window.withheld });
    window.withheld = 0;
  };
}

/** The problem of an authentic delivery with the id of another event. */
export function idConflict(eventId: string, runId: string | null = null): Omit<Problem, 'count'> {
  const message =
    'Event id must be new or repeat the same bytes, got other bytes under a known id. The ' +
    'delivery was refused. Compare the deliveries of this id in the dashboard.';
  return { code: 'event_id_conflict', message, eventId, runId };
}

/** The problem of an authentic body that is not an event. */
export function keptAsDeadLetter(eventId: string, cause: Error): Omit<Problem, 'count'> {
  const message = `Event became a dead letter: it cannot be handled. ${cause.message}`;
  return { code: 'event_quarantined', message, eventId, runId: null, cause };
}

/** Returns a function that calls a callback of the user, whose exceptions must not change anything. */
export function safely<Value>(
  callback: ((value: Value) => void) | undefined,
): (value: Value) => void {
  return (value) => {
    // There is no further callback that could report a failure.
    try {
      const returned: unknown = callback?.(value);
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {}
  };
}

/** Publishes every problem, also those that are not passed on. */
function publish({ code, message, eventId, runId }: ProblemMessage): void {
  if (PROBLEM_CHANNEL.hasSubscribers) PROBLEM_CHANNEL.publish({ code, message, eventId, runId });
}

/** Returns the message of a thrown value, cut to 500 characters. */
export function describeThrown(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    return text.slice(0, 500);
  } catch {
    return `a thrown ${typeof thrown} that has no text`;
  }
}
