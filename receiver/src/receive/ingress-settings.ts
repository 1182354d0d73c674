import { numbersIn } from '../argument-checks.ts';
import type { Clock } from '../clock.ts';
import type { ReportProblem } from '../problems.ts';
import type { AcceptOutcome } from '../stores/store.ts';
import type { FoundHeaders, HeaderSource } from '../verify/find-headers.ts';
import type { BodyLimits } from './read-body.ts';

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

/** How the deliveries of one sender are verified and kept. */
export interface DeliverySource<Checked, Verified> {
  /** The sender, for people. */
  readonly sender: string;
  /** The headers that make a request one of its deliveries, in lower case. */
  readonly headers: readonly string[];
  /** Which setting of the sender makes its deliveries JSON; empty when it has none. */
  readonly jsonSetting: string;
  /** Whether the sender sends a delivery again that got this status. */
  readonly retries: (status: number) => boolean;
  /**
   * Checks the headers before the body is read.
   *
   * @throws {WebhookVerificationError} With the `stage` `headers`.
   */
  checkHeaders(found: FoundHeaders<string>): Checked;
  /**
   * Verifies a delivery.
   *
   * @throws {WebhookVerificationError} With the `stage` `signature` or `freshness`.
   */
  verifySignature(headers: Checked, rawBody: Uint8Array): Verified | Promise<Verified>;
  /** Keeps a verified delivery durably, and then resolves. */
  keep(verified: Verified, rawBody: Uint8Array): Promise<AcceptOutcome>;
}

/** What `verifySignature` returns at least. */
export interface VerifiedId {
  readonly id: string;
  readonly secretIndex: number;
}

/** Everything that receiving needs, with every default filled in. */
export interface IngressSettings<Checked, Verified extends VerifiedId> extends BodyLimits {
  readonly source: DeliverySource<Checked, Verified>;
  readonly rotationUntil: number;
  readonly clock: Clock;
  readonly report: ReportProblem;
  /** The other sources of the receiver by the headers of their deliveries. */
  readonly others: ReadonlyMap<string, readonly string[]>;
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

/**
 * Returns the limits for requests.
 *
 * @throws {TypeError} When one is invalid; the message names the option.
 */
export function bodyLimits(options: IngressLimits): BodyLimits {
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
  return { ...limits, maxBufferedBytes };
}
