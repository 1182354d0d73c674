import type { DeliveryAttempt, HttpExchange } from '../http/exchange.ts';
import type { Remedy } from './remedy.ts';

/** What one run of a check found, before the keyword of its requirement is applied. */
export type Finding =
  | { readonly kind: 'pass' }
  | {
      readonly kind: 'violation';
      readonly detail: ViolationDetail;
      readonly confirmed: number;
      /** What the control interface was made to do before. */
      readonly steps: readonly HttpExchange[];
    }
  | { readonly kind: 'not-applicable'; readonly message: string }
  | { readonly kind: 'locked'; readonly message: string }
  | {
      readonly kind: 'could-not-run';
      readonly message: string;
      /** Every flag and line that supplies what is missing. */
      readonly remedies: readonly Remedy[];
      /** The exchange that showed it. */
      readonly exchange?: HttpExchange | null;
    }
  | {
      readonly kind: 'inconclusive';
      readonly message: string;
      /** A connection was lost, so that another attempt may find more. */
      readonly isLost?: boolean;
      /** What may let another run establish more. */
      readonly remedies?: readonly Remedy[];
      /** The exchange that showed it. */
      readonly exchange?: HttpExchange | null;
      /** The check that fails if this is the fault of the target. */
      readonly reportedBy?: string | null;
    }
  | { readonly kind: 'harness-error'; readonly message: string };

/** How a target differs from a requirement. */
export interface ViolationDetail {
  /** What the requirement asks for, as a set or a condition: "401", "limit within 1..100". */
  readonly expected: string;
  /** What the target did. */
  readonly actual: string;
  /** One sentence. Default: `expected …, got …`. */
  readonly message?: string;
  /** The smallest exchange that shows the difference, from `ApiResponse.exchange` or from a listener. */
  readonly exchange?: HttpExchange;
  /**
   * A similar exchange that passed, shown beside `exchange`. Default: the last successful request of the attempt with
   * the same method and path.
   */
  readonly control?: HttpExchange;
  /** Every attempt of the delivery in `exchange`. Default: none. */
  readonly attempts?: readonly DeliveryAttempt[];
  /** The cause, where the check or the preflight knows it. Default: what the exchange shows, or none. */
  readonly diagnosis?: { readonly cause: string; readonly fix: string };
  /** The request has a secret that no variable of a command holds, so that only the suite can send it again. Default false. */
  readonly onlyBySuite?: boolean;
}

/**
 * Thrown by a check: the target differs from the requirement. Becomes `fail` (must), `advice` (should) or `info` (may).
 *
 * @example
 * ```ts
 * import { Violation } from '@hookproof/conformance';
 * import type { Check } from '@hookproof/conformance';
 *
 * export const run: Check['run'] = async ({ api }) => {
 *   const { status, exchange } = await api.send({ path: '/v1/auth/check', key: null });
 *   if (status !== 401) throw new Violation({ expected: '401', actual: String(status), exchange });
 * };
 * ```
 */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly code = 'violation';
  readonly detail: ViolationDetail;

  constructor(detail: ViolationDetail) {
    super(detail.message ?? `expected ${detail.expected}, got ${detail.actual}`);
    this.detail = detail;
  }
}

/**
 * Thrown by a check or a client: something is missing. `remedy` is the flag or line that supplies it.
 *
 * @example
 * ```ts
 * import { CouldNotRun } from '@hookproof/conformance';
 * import type { Check } from '@hookproof/conformance';
 *
 * export const run: Check['run'] = async () => {
 *   const { PROXY_URL } = process.env;
 *   if (PROXY_URL === undefined) {
 *     throw new CouldNotRun('The proxy is unknown.', 'Set PROXY_URL to the URL of the proxy.');
 *   }
 * };
 * ```
 */
export class CouldNotRun extends Error {
  override readonly name = 'CouldNotRun';
  readonly code = 'could_not_run';
  readonly remedy: Remedy;
  /** The exchange that showed it; null without one. */
  readonly exchange: HttpExchange | null;

  constructor(
    message: string,
    remedy: string | Remedy,
    { exchange = null }: { readonly exchange?: HttpExchange | null } = {},
  ) {
    super(message);
    this.remedy = asRemedy(remedy);
    this.exchange = exchange;
  }
}

/**
 * Thrown by a check or a client: the environment kept the check from a verdict (no response, throttled, too slow).
 *
 * @example
 * ```ts
 * import { Inconclusive } from '@hookproof/conformance';
 * import type { Check } from '@hookproof/conformance';
 *
 * export const run: Check['run'] = async ({ api }) => {
 *   const { status } = await api.sendOnce({ path: '/v1/runs' });
 *   if (status === 502) throw new Inconclusive('A proxy responded in place of the target.');
 * };
 * ```
 */
export class Inconclusive extends Error {
  override readonly name: string = 'Inconclusive';
  readonly code: string = 'inconclusive';
  /** The flag that may let another run establish more; null when there is none. */
  readonly remedy: Remedy | null;
  /** The exchange that showed it; null without one. */
  readonly exchange: HttpExchange | null;
  /** The id of the check that fails if this is the fault of the target; null when none does. */
  readonly reportedBy: string | null;

  constructor(
    message: string,
    options: ErrorOptions & {
      readonly remedy?: string | Remedy;
      readonly exchange?: HttpExchange | null;
      readonly reportedBy?: string | null;
    } = {},
  ) {
    super(message, options);
    this.remedy = options.remedy === undefined ? null : asRemedy(options.remedy);
    this.exchange = options.exchange ?? null;
    this.reportedBy = options.reportedBy ?? null;
  }
}

/**
 * Thrown by a client: the connection failed, closed or timed out before a complete response.
 *
 * @example
 * ```ts
 * import { NoResponse } from '@hookproof/conformance';
 * import type { ApiClient } from '@hookproof/conformance';
 *
 * export async function responds(api: ApiClient): Promise<boolean> {
 *   try {
 *     await api.sendOnce({ path: '/v1/auth/check' });
 *     return true;
 *   } catch (error) {
 *     if (error instanceof NoResponse) return false;
 *     throw error;
 *   }
 * }
 * ```
 */
export class NoResponse extends Inconclusive {
  override readonly name = 'NoResponse';
  override readonly code = 'no_response';
}

/**
 * Thrown by a check: the requirement does not apply to this target. The message is the reason.
 *
 * @example
 * ```ts
 * import { NotApplicable } from '@hookproof/conformance';
 * import type { Check } from '@hookproof/conformance';
 *
 * export const run: Check['run'] = async ({ api }) => {
 *   const { status } = await api.sample({ path: '/v1/templates' });
 *   if (status === 404) throw new NotApplicable('The target has no templates.');
 * };
 * ```
 */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
  readonly code = 'not_applicable';
}

/**
 * Thrown before the first check: a URL of the run gives no usable response, or the sender cannot be driven. Ends the run
 * with exit code 4.
 */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly code = 'unreachable';
  /** Or the option that causes no deliveries. */
  readonly url: string;
  /** The run in a few words. */
  readonly headline: string;
  /** What to do. */
  readonly remedy: Remedy;

  constructor(
    url: string,
    message: string,
    options: ErrorOptions & { readonly headline?: string; readonly remedy?: string | Remedy } = {},
  ) {
    super(message, options);
    this.url = url;
    this.headline = options.headline ?? `no usable response from ${url}`;
    this.remedy = asRemedy(options.remedy ?? `make ${url} reachable`);
  }
}

function asRemedy(remedy: string | Remedy): Remedy {
  return typeof remedy === 'string' ? { text: remedy } : remedy;
}
