import type { AnswerCode } from './answers.ts';
import { realClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { checkHandlers } from './handlers.ts';
import type { Handlers } from './handlers.ts';
import { positiveInteger } from './positive-integer.ts';
import { safely } from './problems.ts';
import type { ReportProblem } from './problems.ts';
import type { Store } from './stores/store.ts';
import type { SecretEncoding } from './verify/secrets.ts';
import { createVerifier } from './verify/verifier.ts';
import type { Verifier } from './verify/verifier.ts';
import type { Mode } from './worker/next-event.ts';
import type { FetchRun, WorkerSettings } from './worker/worker-settings.ts';

/** What a request was answered, for logs and metrics. */
export interface AnswerReport {
  readonly code: AnswerCode;
  readonly status: number;
  /** Known once the signature fits. */
  readonly eventId: string | null;
}

export interface ReceiverOptions {
  /** The endpoint secret (`whsec_…`), or up to 8 of them while secrets are rotated. */
  readonly secrets: string | readonly string[];
  /**
   * While secrets are rotated: until when a delivery that fits none of them is answered 503 instead of
   * 401, so that a sender that already signs with a secret not known here tries again. A `Date` or
   * milliseconds since the epoch. Default: no such time.
   */
  readonly rotationUntil?: Date | number;
  /** Where accepted events live: `sqliteStore()` or `memoryStore()`. The receiver opens and closes it. */
  readonly store: Store;
  /** What to call for which events. */
  readonly handlers: Handlers;
  /** `live`: each event at once. `ordered`: in proven order. Default: `live`. */
  readonly mode?: Mode;
  /** `ordered`: how long an event waits, from its acceptance, for what is missing before it. Default: 60,000. */
  readonly gapGraceMilliseconds?: number;
  /**
   * `ordered`: how long an event that leaves `running` or `waiting` is held back, from its acceptance.
   * A round trip between the two may be missing there without leaving a gap. Default: 1,000.
   */
  readonly roundTripGraceMilliseconds?: number;
  /**
   * Reads a run, for instance with `GET /v1/runs/{id}`: when its output was left out of an event, and
   * in `ordered` mode when a run has ended but events are missing, to confirm the end. A throw counts as
   * one of the handler.
   */
  readonly fetchRun?: FetchRun;
  /** Told of everything that a person should know of. Default: nobody is told. */
  readonly onError?: ReportProblem;
  /** Told of every answer. */
  readonly onAnswer?: (report: AnswerReport) => void;
  /** How keys are made from the secrets. Default: `utf8`. */
  readonly secretEncoding?: SecretEncoding;
  /** Furthest distance of a signature's timestamp from now, either way. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Longest body. Default: 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** Longest time for a body to arrive. Default: 10,000. */
  readonly bodyTimeoutMilliseconds?: number;
  /** Requests at work at the same time; more are answered 503. Default: 512. */
  readonly maxConcurrentRequests?: number;
  /** Runs handled at the same time. Default: 16. */
  readonly maxConcurrentRuns?: number;
  /** Handlings of an event that throws, before it becomes a dead letter. Default: 8. */
  readonly maxAttempts?: number;
  /** Wait after the first failure; each further one doubles it, up to five minutes. Default: 1,000. */
  readonly retryDelayMilliseconds?: number;
  /** After this time without renewal, another process takes the work of one that ended. Default: 30,000. */
  readonly leaseMilliseconds?: number;
  /** Longest time that `close()` waits for handlers. Default: 25,000. */
  readonly closeTimeoutMilliseconds?: number;
  /** How often to look for what other processes accepted. Default: 1,000. */
  readonly pollMilliseconds?: number;
  /** How long handled events are remembered, to recognise duplicates. Default: 30. */
  readonly retentionDays?: number;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

/** The options, checked once, with every default filled in. */
export interface ReceiverSettings {
  readonly worker: WorkerSettings;
  readonly verifier: Verifier;
  readonly rotationUntil: number;
  readonly bodyLimitBytes: number;
  readonly bodyTimeoutMilliseconds: number;
  readonly maxConcurrentRequests: number;
  readonly closeTimeoutMilliseconds: number;
  readonly retentionMilliseconds: number;
  readonly reportAnswer: (report: AnswerReport) => void;
}

const DAY_MILLISECONDS = 86_400_000;
const LONGEST_RETRY_DELAY_MILLISECONDS = 300_000;

export function receiverSettings(options: ReceiverOptions): ReceiverSettings {
  const { store, handlers, mode = 'live', clock = realClock() } = options;
  checkHandlers(handlers);
  if (typeof store?.accept !== 'function') {
    throw new TypeError('store must be a store such as sqliteStore({ file }) or memoryStore()');
  }
  if (mode !== 'live' && mode !== 'ordered') {
    throw new TypeError(`mode must be 'live' or 'ordered', not ${JSON.stringify(mode)}`);
  }
  const positive = (name: PositiveOption, fallback: number): number =>
    positiveInteger(name, options[name], fallback);
  return {
    verifier: createVerifier({
      secrets: options.secrets,
      ...(options.secretEncoding && { secretEncoding: options.secretEncoding }),
      ...(options.toleranceSeconds !== undefined && { toleranceSeconds: options.toleranceSeconds }),
      now: () => clock.now(),
    }),
    rotationUntil: timeOf(options.rotationUntil),
    bodyLimitBytes: positive('bodyLimitBytes', 1024 * 1024),
    bodyTimeoutMilliseconds: positive('bodyTimeoutMilliseconds', 10_000),
    maxConcurrentRequests: positive('maxConcurrentRequests', 512),
    closeTimeoutMilliseconds: positive('closeTimeoutMilliseconds', 25_000),
    retentionMilliseconds: positive('retentionDays', 30) * DAY_MILLISECONDS,
    reportAnswer: safely(options.onAnswer),
    worker: {
      store,
      clock,
      handlers,
      mode,
      gapGraceMilliseconds: duration(options, 'gapGraceMilliseconds', 60_000),
      roundTripGraceMilliseconds: duration(options, 'roundTripGraceMilliseconds', 1_000),
      retry: {
        maxAttempts: positive('maxAttempts', 8),
        firstDelayMilliseconds: positive('retryDelayMilliseconds', 1_000),
        longestDelayMilliseconds: LONGEST_RETRY_DELAY_MILLISECONDS,
      },
      maxConcurrentRuns: positive('maxConcurrentRuns', 16),
      leaseMilliseconds: positive('leaseMilliseconds', 30_000),
      pollMilliseconds: positive('pollMilliseconds', 1_000),
      fetchRun: options.fetchRun,
      report: safely(options.onError),
    },
  };
}

function timeOf(rotationUntil: Date | number = 0): number {
  const time = Number(rotationUntil);
  if (Number.isFinite(time)) return time;
  throw new TypeError(
    `rotationUntil must be a Date or milliseconds since the epoch, not ${String(rotationUntil)}`,
  );
}

function duration(
  options: ReceiverOptions,
  name: 'gapGraceMilliseconds' | 'roundTripGraceMilliseconds',
  fallback: number,
): number {
  const milliseconds = options[name] ?? fallback;
  if (Number.isSafeInteger(milliseconds) && milliseconds >= 0) return milliseconds;
  throw new TypeError(`${name} must be a whole number from 0 on, not ${String(milliseconds)}`);
}

type PositiveOption =
  | 'bodyLimitBytes'
  | 'bodyTimeoutMilliseconds'
  | 'maxConcurrentRequests'
  | 'maxConcurrentRuns'
  | 'maxAttempts'
  | 'retryDelayMilliseconds'
  | 'leaseMilliseconds'
  | 'closeTimeoutMilliseconds'
  | 'pollMilliseconds'
  | 'retentionDays';
