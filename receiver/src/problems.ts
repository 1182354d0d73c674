import type { Clock } from './clock.ts';
import { PROBLEM_CHANNEL } from './diagnostics.ts';
import type { ProblemMessage } from './diagnostics.ts';
import { stackOf } from './thrown.ts';

/**
 * What the receiver reports: how often a minute at most, and at which level it is logged. A flood
 * of requests or a broken store repeats some without end; each of the others concerns another
 * event. `warn`: the receiver gets over it alone.
 */
const PROBLEMS = {
  /** Deliveries got 401, 405, 413 or 415, which is final. The message names which, and why. */
  deliveries_refused: { perMinute: 1, level: 'error' },
  /** An authentic delivery was too old or too new (425): a clock is wrong. */
  deliveries_outside_tolerance: { perMinute: 1, level: 'error' },
  /** A delivery got 503, because too many bodies arrived at once. */
  overloaded: { perMinute: 1, level: 'warn' },
  /** A parser consumed the body before the receiver; it responded with 500. */
  body_already_read: { perMinute: 1, level: 'error' },
  /** The receiver got a body that is not bytes; it responded with 500. */
  body_not_bytes: { perMinute: 1, level: 'error' },
  /** An adapter was called with something else than a request; it responded with 500. */
  request_unexpected: { perMinute: 1, level: 'error' },
  /** The store failed; senders got 503, or handling is delayed. */
  store_unavailable: { perMinute: 1, level: 'error' },
  /** The function `secrets` failed; senders got 503, or the last known secrets are used further. */
  secrets_unavailable: { perMinute: 1, level: 'error' },
  /** An unexpected error; the sender got 500. */
  receiver_failed: { perMinute: 1, level: 'error' },
  /** A delivery got 503, because `start()` was not called or has not resolved. */
  not_started: { perMinute: 1, level: 'error' },
  /** A delivery came to another path than that of the adapter; its 404 ends the delivery. */
  path_unexpected: { perMinute: 1, level: 'error' },
  /** Another process took a run that this one was handling. */
  lease_lost: { perMinute: 1, level: 'warn' },
  /** The store has events of a source that this receiver does not have; they wait. */
  source_unknown: { perMinute: 1, level: 'error' },
  /** The pool of PostgreSQL has fewer connections than the store and all handlers need. */
  pool_small: { perMinute: 1, level: 'warn' },
  /**
   * `authorize` of the inbox threw, or returned neither true, false nor a `Response`; nobody was
   * let in.
   */
  inbox_failed: { perMinute: 1, level: 'error' },
  /** A delivery was refused, and `explainRefusals` says which mistake explains it. */
  delivery_explained: { perMinute: 100, level: 'error' },
  /** An authentic delivery has the id of another event; it was refused with 409. */
  event_id_conflict: { perMinute: 100, level: 'error' },
  /** Authentic, but not an event of the contract; it is a dead letter. */
  event_quarantined: { perMinute: 100, level: 'error' },
  /** Events of an ended run are missing, and `fetchRun` read another status. */
  run_not_confirmed: { perMinute: 100, level: 'error' },
  /** Of a type or version that this release does not know, and no `unknown` handler is set. */
  event_unknown: { perMinute: 100, level: 'warn' },
  /** A handler threw; it will be retried. */
  handler_failed: { perMinute: 100, level: 'warn' },
  /** A handler did not finish before its deadline; it will be retried. */
  handler_slow: { perMinute: 100, level: 'warn' },
  /** A handler failed on its last attempt; the event is a dead letter. */
  event_dead_lettered: { perMinute: 100, level: 'error' },
  /** An output does not match the schema of `withOutput()`; the event is a dead letter. */
  output_invalid: { perMinute: 100, level: 'error' },
  /** The process ended five times while it handled this event; it is a dead letter. */
  event_poisoned: { perMinute: 100, level: 'error' },
  /** `close()` reached its timeout; unfinished events are handled again later. */
  closed_unfinished: { perMinute: 100, level: 'warn' },
} as const;

/** Stable name of one kind of problem; `docs/reference.md` explains each. */
export type ProblemCode = keyof typeof PROBLEMS;

/**
 * Lists the codes that `onError` can receive. Each is reported at a bounded rate; `count` says how
 * often it happened. `docs/reference.md` says what each means, and how often it is reported.
 *
 * @example
 * ```ts
 * import { PROBLEM_CODES } from '@hookproof/receiver';
 * import type { Problem } from '@hookproof/receiver';
 *
 * const counts = new Map(PROBLEM_CODES.map((code) => [code, 0]));
 *
 * export function onError(problem: Problem): void {
 *   counts.set(problem.code, (counts.get(problem.code) ?? 0) + problem.count);
 *   console.error(problem);
 * }
 * ```
 */
export const PROBLEM_CODES: readonly ProblemCode[] = Object.keys(PROBLEMS).filter(isCode);

function isCode(name: string): name is ProblemCode {
  return Object.hasOwn(PROBLEMS, name);
}

/** Something that the operator should know. It never contains a payload. */
export interface Problem {
  /** What kind of problem it is: stable, for alerts and metrics. */
  readonly code: ProblemCode;
  /** `error`: a person must act. `warn`: the receiver gets over it alone. */
  readonly level: 'warn' | 'error';
  /** For people: what happened and what to do. */
  readonly message: string;
  /**
   * The source that it concerns; absent when it concerns none, and for the one of a receiver
   * without `sources`.
   */
  readonly source?: string;
  /** The event that it concerns; `null` when it concerns none or many. */
  readonly eventId: string | null;
  /** The run that it concerns; `null` when it concerns none, or the run is unknown. */
  readonly runId: string | null;
  /** How often this code occurred since its last report, this time included. */
  readonly count: number;
  /** The thrown value, if there was one, with its stack and its causes. */
  readonly cause?: unknown;
}

/** A problem as it occurs. */
type NewProblem = Omit<Problem, 'count' | 'level'>;

/**
 * Takes a problem as it occurs; the receiver counts. Problems of one code and different reasons are
 * counted and reported apart. There must be few reasons.
 */
export type ReportProblem = (problem: NewProblem, reason?: string) => void;

const MINUTE_MILLISECONDS = 60_000;

/** Returns a function that passes problems on at a bounded rate for each code and reason. */
export function boundedReport(
  report: (problem: Problem) => void,
  clock: Pick<Clock, 'monotonic'>,
): ReportProblem {
  const windows = new Map<string, { until: number; reports: number; withheld: number }>();
  return (problem, reason = '') => {
    publish(problem);
    const now = clock.monotonic();
    const key = `${problem.code} ${reason}`;
    let window = windows.get(key);
    if (window === undefined || window.until <= now) {
      const withheld = window?.withheld ?? 0;
      window = { until: now + MINUTE_MILLISECONDS, reports: 0, withheld };
      windows.set(key, window);
    }
    window.withheld += 1;
    const { perMinute, level } = PROBLEMS[problem.code];
    if (window.reports >= perMinute) return;
    window.reports += 1;
    report({ ...problem, level, count: window.withheld });
    window.withheld = 0;
  };
}

/** Returns what reports the problems of one source, whose rate no other source uses up. */
export function reportOf(report: ReportProblem, source: string): ReportProblem {
  return (problem, reason = '') => report({ ...problem, source }, `${source} ${reason}`);
}

/**
 * Returns what takes the problems. Nothing stops silently: without a callback they go to the
 * console, with the stack of what was thrown.
 */
export function problemReporter(
  onError: ((problem: Problem) => void) | undefined,
): (problem: Problem) => void {
  return safely(onError ?? printProblem);
}

function printProblem({ level, cause, message, ...facts }: Problem): void {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  const texts = known.map(([name, value]) => `${name}=${String(value)}`);
  // Nothing in a message breaks its line or moves the cursor of a terminal.
  const line = [message, '[hookproof]', ...texts].join(' ').replaceAll(/\p{Cc}+/gu, ' ');
  const stack = stackOf(cause)?.replaceAll(/[^\P{Cc}\n]+/gu, ' ');
  // oxlint-disable-next-line no-console -- the default of onError
  console[level](stack === undefined ? line : `${line}\n${stack}`);
}

/**
 * Returns a function that calls a callback of the user, whose exceptions must not change anything.
 */
function safely<Value>(callback: ((value: Value) => void) | undefined): (value: Value) => void {
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
