import { RETRIED_STATUSES } from '@hookproof/spec';

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
