import type { DeliveryRecord, ManualRequest } from '../state/delivery.ts';
import type { AttemptResult } from './attempt-result.ts';
import { backoffDelay } from './backoff.ts';
import type { RetryProfile } from './backoff.ts';
import { readRetryAfter, retryDelay } from './retry-after.ts';
import { retryDecision } from './retry-decision.ts';
import type { KeyedRandom } from './seeded-random.ts';

export interface SettledAttempt {
  /** The request that this attempt answers; undefined for an automatic one. */
  readonly request: ManualRequest | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly result: AttemptResult;
}

/**
 * Writes an attempt into its delivery and decides what follows. A manual attempt is judged like an
 * automatic one, but does not count against the attempts of the profile: after a failure that is worth
 * a retry, automatic delivery goes on with the attempts that are left. Call it inside a commit.
 */
export function settleAttempt(
  delivery: DeliveryRecord,
  { request, startedAt, finishedAt, result }: SettledAttempt,
  profile: RetryProfile,
  random: KeyedRandom,
): void {
  const decision = retryDecision(result.outcome);
  const retryAfter =
    decision.kind === 'retry' ? readRetryAfter(result.retryAfter, finishedAt) : null;
  const number = delivery.attempts.length + 1;
  delivery.attempts.push({
    number,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    trigger: request === undefined ? 'automatic' : 'manual',
    status: result.outcome.kind === 'answered' ? result.outcome.status : null,
    error: result.error,
    retryAfter: retryAfter === null ? null : { ...retryAfter },
    responseBody: result.responseBody,
  });
  // Not the first of them, when the endpoint fell silent during this attempt and spoke again since.
  delivery.manualRequests = delivery.manualRequests.filter((asked) => asked !== request);

  const automatic = delivery.attempts.filter((attempt) => attempt.trigger === 'automatic').length;
  if (decision.kind === 'delivered') {
    close(delivery, 'delivered', null);
  } else if (delivery.status === 'pending') {
    if (decision.kind === 'end') close(delivery, 'ended', decision.reason);
    else if (automatic >= profile.attempts) close(delivery, 'ended', 'attempts_exhausted');
    else {
      const jitter = random(`${delivery.id}:${number}`);
      const backoff = backoffDelay(profile, Math.max(1, automatic), jitter);
      delivery.nextAttemptAt = isoTime(finishedAt + retryDelay(backoff, retryAfter));
    }
  }
  if (delivery.manualRequests.length > 0) reopen(delivery, finishedAt);
}

/** Asks for one more attempt at once, whatever the state; it takes the place of the automatic try. */
export function requestRedelivery(delivery: DeliveryRecord, now: number): void {
  delivery.manualRequests.push({ askedAt: isoTime(now) });
  reopen(delivery, now);
}

function reopen(delivery: DeliveryRecord, now: number): void {
  delivery.status = 'pending';
  delivery.endReason = null;
  delivery.nextAttemptAt = isoTime(now);
}

function close(
  delivery: DeliveryRecord,
  status: 'delivered' | 'ended',
  endReason: string | null,
): void {
  delivery.status = status;
  delivery.endReason = endReason;
  delivery.nextAttemptAt = null;
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
