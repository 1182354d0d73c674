import { SIGNATURE_HEADERS } from '@hookproof/spec';

import { isoTime } from '../clock/clock.ts';
import type { DeliveryRecord, ManualRequest } from '../store/deliveries.ts';
import type { DeliveryId } from '../store/ids.ts';
import type { State } from '../store/state.ts';
import type { KeyedRandom } from '../store/seed.ts';
import type { FinishedAttempt } from './attempt.ts';
import { outcomeOf } from './attempt-result.ts';
import { isSameRequest, reopen } from './delivery.ts';
import type { AttemptResult } from './order.ts';
import { backoffDelay, readRetryAfter, retryDecision, retryDelay } from './retry.ts';
import type { RetryAfter, RetryProfile } from './retry.ts';

export interface SettledAttempt extends FinishedAttempt {
  /** The manual redelivery that this attempt serves; undefined for an automatic attempt. */
  readonly manualRequest: ManualRequest | undefined;
}

/**
 * Records an attempt and decides how the delivery continues. A manual attempt does not count against the
 * attempts of the profile: after a retryable failure, automatic delivery continues with the remaining
 * attempts.
 *
 * @returns the number of the attempt, or null if the delivery was deleted meanwhile
 */
export function settleAttempt(
  state: State,
  id: DeliveryId,
  attempt: SettledAttempt,
  profile: RetryProfile,
  random: KeyedRandom,
): number | null {
  const trigger = attempt.manualRequest === undefined ? 'automatic' : 'manual';
  const delivery = recordAttempt(state, id, attempt, trigger);
  if (delivery === null) return null;
  const { finishedAt, result, manualRequest } = attempt;
  const number = delivery.attempts.length;
  // The endpoint may have been disabled and enabled again during the attempt.
  delivery.manualRequests = delivery.manualRequests.filter(
    (one) => !isSameRequest(one, manualRequest),
  );
  const decision = retryDecision(outcomeOf(result));
  if (decision.kind === 'delivered') close(delivery, 'delivered', null);
  else if (delivery.status === 'pending') {
    const automatic = delivery.attempts.filter((one) => one.trigger === 'automatic').length;
    if (decision.kind === 'end') close(delivery, 'ended', decision.reason);
    else if (automatic >= profile.attempts) close(delivery, 'ended', 'attempts_exhausted');
    else {
      const jitter = random(`${delivery.id}:${number}`);
      const backoff = backoffDelay(profile, Math.max(1, automatic), jitter);
      const delay = retryDelay(backoff, retryAfterOf(attempt));
      delivery.nextAttemptAt = isoTime(finishedAt + delay);
    }
  }
  // Redeliveries that were requested meanwhile follow at once.
  if (delivery.manualRequests.length > 0) reopen(delivery, finishedAt);
  return number;
}

/** Adds an attempt to its delivery, and returns the delivery; null if it was deleted during the attempt. */
function recordAttempt(
  state: State,
  id: DeliveryId,
  attempt: FinishedAttempt,
  trigger: string,
): DeliveryRecord | null {
  if (!state.deliveries.has(id)) return null;
  const delivery = state.deliveries.edit(id);
  const { startedAt, finishedAt, result } = attempt;
  const retryAfter = retryAfterOf(attempt);
  delivery.attempts.push({
    number: delivery.attempts.length + 1,
    startedAt: isoTime(startedAt),
    finishedAt: isoTime(finishedAt),
    trigger,
    deliveryFault: result.deliveryFault ?? null,
    webhookTimestamp: sentTimestamp(result),
    status: result.status,
    error: result.error,
    detail: result.detail,
    retryAfter: retryAfter === null ? null : { ...retryAfter },
    responseBody: result.body,
  });
  return delivery;
}

/** Null if nothing was sent, or without a timestamp: an interceptor may change the headers. */
function sentTimestamp({ sent }: AttemptResult): number | null {
  const header = Object.entries(sent?.headers ?? {}).find(
    ([name]) => name.toLowerCase() === SIGNATURE_HEADERS.timestamp,
  );
  return header !== undefined && /^[0-9]{1,15}$/.test(header[1]) ? Number(header[1]) : null;
}

/** Null unless the delivery is retried. */
function retryAfterOf({ result, finishedAt }: FinishedAttempt): RetryAfter | null {
  if (retryDecision(outcomeOf(result)).kind !== 'retry') return null;
  const headers = result.headers ?? [];
  const values = headers.filter(
    (_text, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'retry-after',
  );
  return readRetryAfter(values, finishedAt);
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
