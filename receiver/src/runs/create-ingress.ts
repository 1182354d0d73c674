import { knownOptions, optionalFunction, pointInTime } from '../argument-checks.ts';
import { usableClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { boundedReport, problemReporter } from '../problems.ts';
import type { Problem, ReportProblem } from '../problems.ts';
import { MISDIRECTED, VerifyingIngress } from '../receive/ingress.ts';
import type { Ingress } from '../receive/ingress.ts';
import { bodyLimits, INGRESS_NUMBERS } from '../receive/ingress-settings.ts';
import type { DeliverySource, IngressLimits } from '../receive/ingress-settings.ts';
import { checkedHeaders } from '../verify/headers.ts';
import type { CheckedHeaders } from '../verify/headers.ts';
import type { VerifiedDelivery } from '../verify/verifier-options.ts';
import type { ReadingVerifier, Verifier } from '../verify/verifier.ts';
import { passOn } from './pass-on.ts';
import type { Sink } from './sink.ts';

export interface IngressOptions extends IngressLimits {
  /** Verifies each delivery: `createVerifier({ secrets })`. */
  readonly verifier: Verifier | ReadingVerifier;
  /** Takes the verified events. */
  readonly sink: Sink;
  /**
   * The end of a rotation of secrets. Until then a delivery that matches none of them gets 503
   * instead of 401, so that a sender with a newer secret retries. A `Date`, or milliseconds since
   * the epoch. Default: no rotation.
   */
  readonly rotationUntil?: Date | number;
  /**
   * Called with problems that the operator should know. Default: they are written to the console.
   */
  readonly onError?: (problem: Problem) => void;
  /**
   * The time and the timers, for instance `virtualClock()` in tests. Default: the clock of the
   * machine.
   */
  readonly clock?: Clock;
}

/** The options that a receiver has of an ingress, apart from those of a processor. */
export const RECEIVING_OPTIONS: readonly string[] = [
  'rotationUntil',
  ...Object.keys(INGRESS_NUMBERS),
];

const INGRESS_OPTIONS: readonly string[] = [
  ...(['verifier', 'sink', 'onError', 'clock'] as const),
  ...RECEIVING_OPTIONS,
];

// Requirements: receiver.valid.acknowledged, receiver.answers-quickly, signature.raw-bytes,
// signature.parse-after-verify, signature.secret.replacement.
/**
 * Creates the first half of a receiver: it verifies deliveries, and passes their events to a queue
 * or a store of yours. An adapter takes it in place of a receiver. `createProcessor` is the second
 * half.
 *
 * @throws {TypeError} When an option is invalid; the message names the option.
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createIngress } from '@hookproof/receiver';
 * import type { IncomingEvent } from '@hookproof/receiver';
 * import { nodeHandler } from '@hookproof/receiver/node';
 * import { createVerifier } from '@hookproof/receiver/verify';
 *
 * export function listen(queue: { add(event: IncomingEvent): Promise<void> }): void {
 *   const ingress = createIngress({
 *     verifier: createVerifier({ secrets: process.env['WEBHOOK_SECRET'] ?? '' }),
 *     sink: { put: (event) => queue.add(event) },
 *     onError: console.error,
 *   });
 *   createServer(nodeHandler(ingress)).listen(3000);
 *   process.once('SIGTERM', () => ingress.close().then(() => process.exit()));
 * }
 * ```
 */
export function createIngress(options: IngressOptions): Ingress {
  knownOptions(options, INGRESS_OPTIONS);
  const { verifier, sink } = options;
  const clock = usableClock(options.clock);
  if (typeof verifier?.verifySignature !== 'function') {
    throw new TypeError('verifier must be a verifier. Use createVerifier({ secrets }).');
  }
  if (typeof sink?.put !== 'function') {
    throw new TypeError('sink must be an object with a method put(event).');
  }
  optionalFunction('onError', options.onError);
  const report = boundedReport(problemReporter(options.onError), clock);
  const ingress = new VerifyingIngress({
    ...bodyLimits(options),
    source: runDeliveries(verifier, sink, report),
    rotationUntil: rotationEnd(options),
    clock,
    report,
    others: new Map(),
    explain: undefined,
  });
  ingress.open();
  return Object.assign(ingress, { [MISDIRECTED]: ingress.misdirected });
}

/** @throws {TypeError} When it is neither a `Date` nor a number. */
export function rotationEnd({ rotationUntil = 0 }: Pick<IngressOptions, 'rotationUntil'>): number {
  return pointInTime('rotationUntil', rotationUntil);
}

/** The headers that make a request a delivery of the platform, in lower case. */
export const DELIVERY_HEADERS: readonly string[] = [
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];

/** Returns whether the platform sends a delivery again that got this status. */
export function retriesOfPlatform(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

/** How the deliveries of the platform are verified and passed on. */
export function runDeliveries(
  verifier: Verifier | ReadingVerifier,
  sink: Sink,
  report: ReportProblem,
): DeliverySource<CheckedHeaders, VerifiedDelivery> {
  return {
    sender: 'the sender',
    headers: DELIVERY_HEADERS,
    jsonSetting: '',
    retries: retriesOfPlatform,
    checkHeaders: checkedHeaders,
    verifySignature: (headers, rawBody) => verifier.verifySignature(headers, rawBody),
    keep: ({ id, timestamp }, body) => passOn({ id, body, timestamp }, sink, report),
  };
}
