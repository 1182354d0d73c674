import { RETRIED_STATUSES } from '@hookproof/spec';

/** The number and speed of automatic retries. */
export interface RetryProfile {
  /** Maximum number of automatic attempts, including the first. */
  readonly attempts: number;
  /** The maximum delay before the second attempt. Each further delay is multiplied by `factor`. */
  readonly firstDelayMilliseconds: number;
  readonly factor: number;
  /** The maximum delay, unless `Retry-After` is longer. */
  readonly capMilliseconds: number;
}

export type RetryProfileName = 'real' | 'fast' | 'instant';

/** Delays between attempts: `real` 2.5 s to 1 h, `fast` 0.2 s to 10 s, `instant` none. */
export const RETRY_PROFILES: Readonly<Record<RetryProfileName, RetryProfile>> = {
  real: { attempts: 8, firstDelayMilliseconds: 5_000, factor: 4, capMilliseconds: 3_600_000 },
  fast: { attempts: 8, firstDelayMilliseconds: 400, factor: 2, capMilliseconds: 10_000 },
  instant: { attempts: 8, firstDelayMilliseconds: 0, factor: 1, capMilliseconds: 0 },
};

/**
 * Returns the delay after a failed attempt, in whole milliseconds: from half of the profile's delay to the
 * whole delay.
 *
 * @param attemptsMade - automatic attempts so far, 1 or more
 * @param random - 0 to below 1; the jitter that separates deliveries that failed together
 */
export function backoffDelay(profile: RetryProfile, attemptsMade: number, random: number): number {
  const { firstDelayMilliseconds, factor, capMilliseconds } = profile;
  const longest = Math.min(capMilliseconds, firstDelayMilliseconds * factor ** (attemptsMade - 1));
  return Math.round(longest / 2 + (longest / 2) * random);
}

/** An endpoint can delay its next attempt by at most one hour. */
export const RETRY_AFTER_CAP_SECONDS = 3_600;

/** The requested delay of a `Retry-After` and the delay that is used, both in seconds. */
export interface RetryAfter {
  readonly asked: number;
  readonly used: number;
}

const DELAY_SECONDS = /^[0-9]{1,10}$/;

/**
 * Reads the `Retry-After` headers of a response: whole seconds, or an IMF-fixdate such as
 * `Sun, 06 Nov 1994 08:49:37 GMT`. Returns null for other values and for repeated headers.
 */
export function readRetryAfter(values: readonly string[], now: number): RetryAfter | null {
  const [value] = values;
  if (value === undefined || values.length > 1) return null;
  const asked = DELAY_SECONDS.test(value) ? Number(value) : secondsUntil(value, now);
  return asked === null ? null : { asked, used: Math.min(asked, RETRY_AFTER_CAP_SECONDS) };
}

function secondsUntil(date: string, now: number): number | null {
  const time = Date.parse(date);
  if (Number.isNaN(time) || new Date(time).toUTCString() !== date) return null;
  return Math.max(0, Math.ceil((time - now) / 1000));
}

/** Returns the delay before the next attempt in milliseconds. `Retry-After` can only lengthen it. */
export function retryDelay(backoffMilliseconds: number, retryAfter: RetryAfter | null): number {
  return Math.max(backoffMilliseconds, (retryAfter?.used ?? 0) * 1000);
}

/** The outcome of an attempt: a status, no response, or a refused target. */
export type AttemptOutcome =
  | { readonly kind: 'response'; readonly status: number }
  | { readonly kind: 'no_response' }
  | { readonly kind: 'refused' };

/** Why automatic delivery of an event ended without success. */
export type EndReason =
  | 'final_status'
  | 'redirect_not_followed'
  | 'attempts_exhausted'
  | 'target_refused'
  | 'endpoint_disabled'
  | 'endpoint_deleted';

type RetryDecision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'end'; readonly reason: EndReason };

/** Returns the consequence of an outcome for the delivery, regardless of the attempts left. */
export function retryDecision(outcome: AttemptOutcome): RetryDecision {
  if (outcome.kind === 'refused') return { kind: 'end', reason: 'target_refused' };
  if (outcome.kind === 'no_response') return { kind: 'retry' };
  const { status } = outcome;
  if (status >= 200 && status <= 299) return { kind: 'delivered' };
  if (status >= 500 && status <= 599) return { kind: 'retry' };
  if (RETRIED_STATUSES.some((retried) => retried === status)) return { kind: 'retry' };
  const redirect = status >= 300 && status <= 399;
  return { kind: 'end', reason: redirect ? 'redirect_not_followed' : 'final_status' };
}
