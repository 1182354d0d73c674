import { knownOptions, numbersIn, optionalFunction, pointInTime } from '../argument-checks.ts';
import { usableClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { boundedReport, problemReporter } from '../problems.ts';
import type { Problem, ReportProblem } from '../problems.ts';
import type { IncomingEvent } from '../event-content.ts';
import type { AcceptOutcome } from '../stores/store.ts';
import type { HeaderSource } from '../verify/find-headers.ts';
import type { ReadingVerifier, Verifier } from '../verify/verifier.ts';
import type { BodyLimits } from './read-body.ts';

/** Takes verified events: a store, or a queue of yours. */
export interface Sink {
  /**
   * Keeps an event durably, and then resolves: the sender then gets 2xx and never sends the event
   * again. When it rejects, or takes longer than 8 seconds, the sender gets 503 and retries. The body
   * may be reused after the promise is settled, so copy it. Without an outcome the event counts as new.
   */
  put(event: IncomingEvent): Promise<AcceptOutcome | void>;
}

/** Limits for requests. */
export interface IngressLimits {
  /** Maximum length of a body. Default: 1,048,576. */
  readonly bodyLimitBytes?: number;
  /**
   * Maximum number of bytes of all bodies that are being read or stored. When it is exceeded, the
   * oldest unfinished body gets 503. At least `bodyLimitBytes`. Default: 67,108,864 (64 MiB).
   */
  readonly maxBufferedBytes?: number;
}

export interface IngressOptions extends IngressLimits {
  /** Verifies each delivery: `createVerifier({ secrets })`. */
  readonly verifier: Verifier | ReadingVerifier;
  /** Takes the verified events. */
  readonly sink: Sink;
  /**
   * The end of a rotation of secrets. Until then a delivery that matches none of them gets 503 instead
   * of 401, so that a sender with a newer secret retries. A `Date`, or milliseconds since the epoch.
   * Default: no rotation.
   */
  readonly rotationUntil?: Date | number;
  /** Called with problems that the operator should know. Default: they are written to the console. */
  readonly onError?: (problem: Problem) => void;
  /** The time and the timers, for instance `virtualClock()` in tests. Default: the clock of the machine. */
  readonly clock?: Clock;
}

/** The options, checked once, with every default filled in. */
export interface IngressSettings extends BodyLimits {
  readonly verifier: Verifier | ReadingVerifier;
  readonly sink: Sink;
  readonly rotationUntil: number;
  readonly clock: Clock;
  readonly report: ReportProblem;
  /** Explains a refused delivery in one line; only in development. */
  readonly explain: ExplainRefusal | undefined;
}

/** `rawBody` is empty when the headers were refused before it was read. */
export type ExplainRefusal = (delivery: {
  readonly headers: HeaderSource;
  readonly rawBody: Uint8Array;
}) => Promise<string>;

/** The options that are numbers. The doc comments above state the same defaults, for people. */
export const INGRESS_NUMBERS = {
  bodyLimitBytes: { least: 1, default: 1_048_576 },
  maxBufferedBytes: { least: 1, default: 67_108_864 },
} as const;

/** The options that a receiver has of an ingress, apart from those of a processor. */
export const RECEIVING_OPTIONS: readonly string[] = [
  'rotationUntil',
  ...Object.keys(INGRESS_NUMBERS),
];

const INGRESS_OPTIONS: readonly string[] = [
  ...(['verifier', 'sink', 'onError', 'clock'] as const),
  ...RECEIVING_OPTIONS,
];

/** @throws {TypeError} When an option is invalid or unknown; the message names the option. */
export function ingressSettings(options: IngressOptions): IngressSettings {
  knownOptions(options, INGRESS_OPTIONS);
  return checkedSettings(options);
}

/**
 * As `ingressSettings`, for options among which a receiver has others.
 *
 * @throws {TypeError} When an option is invalid; the message names the option.
 */
export function checkedSettings(options: IngressOptions): IngressSettings {
  const { verifier, sink } = options;
  const clock = usableClock(options.clock);
  if (typeof verifier?.verifySignature !== 'function') {
    throw new TypeError('verifier must be a verifier. Use createVerifier({ secrets }).');
  }
  if (typeof sink?.put !== 'function') {
    throw new TypeError('sink must be an object with a method put(event).');
  }
  optionalFunction('onError', options.onError);
  const limits = numbersIn(INGRESS_NUMBERS, options);
  const { bodyLimitBytes } = limits;
  // A raised limit of one body raises the default for all.
  const maxBufferedBytes =
    options.maxBufferedBytes ?? Math.max(limits.maxBufferedBytes, bodyLimitBytes);
  if (maxBufferedBytes < bodyLimitBytes) {
    throw new TypeError(
      `maxBufferedBytes must be at least bodyLimitBytes (${bodyLimitBytes}), got ${maxBufferedBytes}.`,
    );
  }
  return {
    verifier,
    sink,
    clock,
    report: boundedReport(problemReporter(options.onError), clock),
    explain: undefined,
    rotationUntil: pointInTime('rotationUntil', options.rotationUntil ?? 0),
    ...limits,
    maxBufferedBytes,
  };
}
