import { RETRIED_STATUSES } from '@hookproof/spec';

/** How often and how fast a delivery is tried again. */
export interface RetryProfile {
  /** Automatic attempts in all, the first one included. */
  readonly attempts: number;
  /** The longest wait before the second attempt; it doubles, or as `factor` says, with each further one. */
  readonly firstDelayMilliseconds: number;
  readonly factor: number;
  /** No wait is longer, `Retry-After` aside. */
  readonly capMilliseconds: number;
}

export type RetryProfileName = 'real' | 'fast' | 'instant';

/** Waits between attempts: `real` 2.5 s to 1 h, `fast` 0.2 s to 10 s, `instant` none. */
export const RETRY_PROFILES: Readonly<Record<RetryProfileName, RetryProfile>> = {
  real: { attempts: 8, firstDelayMilliseconds: 5_000, factor: 4, capMilliseconds: 3_600_000 },
  fast: { attempts: 8, firstDelayMilliseconds: 400, factor: 2, capMilliseconds: 10_000 },
  instant: { attempts: 8, firstDelayMilliseconds: 0, factor: 1, capMilliseconds: 0 },
};

/**
 * How long to wait after the n-th automatic attempt has failed, in whole milliseconds: between half
 * of the profile's wait and the whole of it.
 *
 * @param attemptsMade - 1 or more
 * @param random - 0 to below 1, spreads deliveries that failed together
 */
export function backoffDelay(profile: RetryProfile, attemptsMade: number, random: number): number {
  const { firstDelayMilliseconds, factor, capMilliseconds } = profile;
  const longest = Math.min(capMilliseconds, firstDelayMilliseconds * factor ** (attemptsMade - 1));
  return Math.round(longest / 2 + (longest / 2) * random);
}

/** No endpoint can put its next attempt off for longer than an hour. */
export const RETRY_AFTER_CAP_SECONDS = 3_600;

/** What a `Retry-After` asked for, and what is granted; both in seconds. */
export interface RetryAfter {
  readonly asked: number;
  readonly used: number;
}

const DELAY_SECONDS = /^[0-9]{1,10}$/;

/**
 * Reads the `Retry-After` headers of an answer: a whole number of seconds, or a date in the form that
 * HTTP prefers (`Sun, 06 Nov 1994 08:49:37 GMT`). Anything else, or more than one header, is ignored.
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

/** The wait before the next attempt, in milliseconds: `Retry-After` is a floor, never a shortcut. */
export function retryDelay(backoffMilliseconds: number, retryAfter: RetryAfter | null): number {
  return Math.max(backoffMilliseconds, (retryAfter?.used ?? 0) * 1000);
}

/** What came of one attempt: a status, or why there was none. */
export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'refused' };

/** Why automatic delivery of an event ended without success. */
export type EndReason =
  | 'final_status'
  | 'redirect_not_followed'
  | 'attempts_exhausted'
  | 'target_refused'
  | 'endpoint_disabled'
  | 'endpoint_deleted';

export type RetryDecision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'end'; readonly reason: EndReason };

/** What an outcome means for the delivery, attempts left or not. */
export function retryDecision(outcome: AttemptOutcome): RetryDecision {
  if (outcome.kind === 'refused') return { kind: 'end', reason: 'target_refused' };
  if (outcome.kind === 'unanswered') return { kind: 'retry' };
  const { status } = outcome;
  if (status >= 200 && status <= 299) return { kind: 'delivered' };
  if (status >= 500 && status <= 599) return { kind: 'retry' };
  if (RETRIED_STATUSES.some((retried) => retried === status)) return { kind: 'retry' };
  const redirect = status >= 300 && status <= 399;
  return { kind: 'end', reason: redirect ? 'redirect_not_followed' : 'final_status' };
}
