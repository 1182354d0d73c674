import { nonNegativeInteger, positiveInteger } from './argument-checks.ts';
import { realClock } from './clock.ts';
import type { Clock } from './clock.ts';
import type { FetchRun } from './fetch-run/fetched-run.ts';
import type { ReportProblem } from './problems.ts';
import type { BodyLimits } from './receive/receive-delivery.ts';
import type { ResponseCode } from './receive/responses.ts';
import type { Store } from './stores/store.ts';
import type { SecretEncoding } from './verify/secrets.ts';
import type { VerifierOptions } from './verify/verifier.ts';
import { checkHandlers } from './worker/handlers.ts';
import type { Handlers } from './worker/handlers.ts';
import type { Mode } from './worker/next-event.ts';
import type { WorkerSettings } from './worker/worker-settings.ts';

/** One response, for logs and metrics. */
export interface ResponseReport {
  readonly code: ResponseCode;
  readonly status: number;
  /** Known once the signature matches. */
  readonly eventId: string | null;
}

export interface ReceiverOptions {
  /** The endpoint secret (`whsec_…`), or up to 8 secrets during a rotation. */
  readonly secrets: string | readonly string[];
  /**
   * The end of a rotation of secrets. Until then a delivery that matches none of them gets 503 instead
   * of 401, so that a sender with a newer secret retries. A `Date`, or milliseconds since the epoch.
   * Default: no rotation.
   */
  readonly rotationUntil?: Date | number;
  /** Where accepted events are kept: `sqliteStore()` or `memoryStore()`. The receiver opens and closes it. */
  readonly store: Store;
  /** The functions to call, by kind of event. */
  readonly handlers: Handlers;
  /** `live`: each event at once. `ordered`: in proven order. Default: `live`. */
  readonly mode?: Mode;
  /**
   * `ordered`: how long an event waits for missing earlier events, in milliseconds from its acceptance.
   * Default: 60,000.
   */
  readonly gapGraceMilliseconds?: number;
  /**
   * `ordered`: how long an event that leaves `running` or `waiting` is held back, in milliseconds from
   * its acceptance. A round trip between the two can be missing there without a gap. Default: 1,000.
   */
  readonly roundTripGraceMilliseconds?: number;
  /**
   * Reads a run, for instance with `GET /v1/runs/{id}`. Called when an event omits its output, and in
   * `ordered` mode to confirm the end of a run with missing events. An exception counts as one of the
   * handler. Default: outputs are not filled in, and ends are not confirmed.
   */
  readonly fetchRun?: FetchRun;
  /** Called with each problem that the operator should know. Default: problems are ignored. */
  readonly onError?: ReportProblem;
  /** Called with each response. Default: responses are not reported. */
  readonly onResponse?: (report: ResponseReport) => void;
  /** How keys are made from the secrets. Default: `utf8`. */
  readonly secretEncoding?: SecretEncoding;
  /** Maximum difference between the timestamp and now, in seconds, inclusive. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Maximum length of a body. Default: 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** Maximum time for a body to arrive. Default: 10,000. */
  readonly bodyTimeoutMilliseconds?: number;
  /** Maximum number of requests at the same time; further ones get 503. Default: 512. */
  readonly maxConcurrentRequests?: number;
  /** Maximum number of runs handled at the same time. Default: 16. */
  readonly maxConcurrentRuns?: number;
  /** How often an event is handled, the first time included, before it becomes a dead letter. Default: 8. */
  readonly maxAttempts?: number;
  /** Wait after the first failure. Each further failure doubles it, up to five minutes. Default: 1,000. */
  readonly retryDelayMilliseconds?: number;
  /** How long work stays leased without renewal before another process takes it. Default: 30,000. */
  readonly leaseMilliseconds?: number;
  /** Maximum time that `close()` waits for handlers. Default: 25,000. */
  readonly closeTimeoutMilliseconds?: number;
  /** How often to look for events that other processes accepted. Default: 1,000. */
  readonly pollMilliseconds?: number;
  /** How long handled events are remembered, to recognise duplicates. Default: 30. */
  readonly retentionDays?: number;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
}

/** The options, checked once, with every default filled in. */
export interface ReceiverSettings {
  readonly store: Store;
  readonly clock: Clock;
  readonly worker: Omit<WorkerSettings, 'store' | 'clock' | 'report'>;
  readonly verifier: Omit<VerifierOptions, 'now'>;
  readonly rotationUntil: number;
  readonly bodyLimits: Omit<BodyLimits, 'clock'>;
  readonly maxConcurrentRequests: number;
  readonly closeTimeoutMilliseconds: number;
  readonly retentionMilliseconds: number;
}

const DAY_MILLISECONDS = 86_400_000;
const MAX_RETRY_DELAY_MILLISECONDS = 300_000;

/** @throws {TypeError} When an option is invalid; the message names the option. */
export function receiverSettings(options: ReceiverOptions): ReceiverSettings {
  const { store, handlers, mode = 'live', clock = realClock() } = options;
  checkHandlers(handlers);
  if (typeof store?.accept !== 'function') {
    throw new TypeError(
      `store must be a store, got ${describe(store)}. Use sqliteStore({ file }) or memoryStore().`,
    );
  }
  if (mode !== 'live' && mode !== 'ordered') {
    throw new TypeError(`mode must be 'live' or 'ordered', got ${JSON.stringify(mode)}.`);
  }
  const positive = (name: PositiveOption, defaultValue: number): number =>
    positiveInteger(name, options[name], defaultValue);
  const duration = (name: GraceOption, defaultValue: number): number =>
    nonNegativeInteger(name, options[name], defaultValue);
  return {
    store,
    clock,
    verifier: {
      secrets: options.secrets,
      ...(options.secretEncoding && { secretEncoding: options.secretEncoding }),
      ...(options.toleranceSeconds !== undefined && { toleranceSeconds: options.toleranceSeconds }),
    },
    rotationUntil: timeOf(options.rotationUntil),
    bodyLimits: {
      limitBytes: positive('bodyLimitBytes', 1024 * 1024),
      timeoutMilliseconds: positive('bodyTimeoutMilliseconds', 10_000),
    },
    maxConcurrentRequests: positive('maxConcurrentRequests', 512),
    closeTimeoutMilliseconds: positive('closeTimeoutMilliseconds', 25_000),
    retentionMilliseconds: positive('retentionDays', 30) * DAY_MILLISECONDS,
    worker: {
      handlers,
      mode,
      gapGraceMilliseconds: duration('gapGraceMilliseconds', 60_000),
      roundTripGraceMilliseconds: duration('roundTripGraceMilliseconds', 1_000),
      retry: {
        maxAttempts: positive('maxAttempts', 8),
        firstDelayMilliseconds: positive('retryDelayMilliseconds', 1_000),
        maxDelayMilliseconds: MAX_RETRY_DELAY_MILLISECONDS,
      },
      maxConcurrentRuns: positive('maxConcurrentRuns', 16),
      leaseMilliseconds: positive('leaseMilliseconds', 30_000),
      pollMilliseconds: positive('pollMilliseconds', 1_000),
      fetchRun: options.fetchRun,
    },
  };
}

function timeOf(rotationUntil: Date | number = 0): number {
  const time = Number(rotationUntil);
  if (Number.isFinite(time)) return time;
  throw new TypeError(
    `rotationUntil must be a Date or milliseconds since the epoch, got ${String(rotationUntil)}.`,
  );
}

function describe(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

type GraceOption = 'gapGraceMilliseconds' | 'roundTripGraceMilliseconds';

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
