import { hash } from 'node:crypto';

import { isoTime } from '../clock/clock.ts';
import type { DeliveryRecord, ManualRequest, RecordedBody } from '../state/deliveries.ts';
import type { ResponseBodyId, WebhookEndpointId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { State } from '../state/state.ts';
import { pruneHistory } from '../store/prune-history.ts';
import type { KeyedRandom } from '../store/seed.ts';
import type { AttemptResult } from './attempt-result.ts';
import { backoffDelay, readRetryAfter, retryDecision, retryDelay } from './retry.ts';
import type { EndReason, RetryAfter, RetryProfile } from './retry.ts';

export interface SettledAttempt {
  /** The manual redelivery that this attempt serves; undefined for an automatic attempt. */
  readonly manualRequest: ManualRequest | undefined;
  /** Set for an attempt beside the regular one. */
  readonly extra: { readonly trigger: string } | undefined;
  readonly fault: string | null;
  /** The signed timestamp; null if nothing was sent. */
  readonly webhookTimestamp: number | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly result: AttemptResult;
  readonly responseBody: RecordedBody;
}

/**
 * Records an attempt and decides how the delivery continues. A manual attempt does not count against the
 * attempts of the profile: after a retryable failure, automatic delivery continues with the remaining
 * attempts. The outcome of an extra attempt applies only if the endpoint accepts it.
 *
 * @returns the number of the attempt
 */
export function settleAttempt(
  delivery: DeliveryRecord,
  attempt: SettledAttempt,
  profile: RetryProfile,
  random: KeyedRandom,
): number {
  const { manualRequest, extra, finishedAt, result } = attempt;
  const decision = retryDecision(result.outcome);
  const retryAfter =
    decision.kind === 'retry' ? readRetryAfter(result.retryAfter, finishedAt) : null;
  const number = record(delivery, attempt, retryAfter);
  if (extra !== undefined && decision.kind !== 'delivered') return number;
  // The endpoint may have been disabled and enabled again during the attempt.
  delivery.manualRequests = delivery.manualRequests.filter(
    (one) => !isSameRequest(one, manualRequest),
  );

  if (decision.kind === 'delivered') {
    close(delivery, 'delivered', null);
  } else if (delivery.status === 'pending') {
    const automatic = countOf(delivery, 'automatic');
    if (decision.kind === 'end') close(delivery, 'ended', decision.reason);
    else if (automatic >= profile.attempts) close(delivery, 'ended', 'attempts_exhausted');
    else {
      const regular = automatic + countOf(delivery, 'manual');
      const jitter = random(`${delivery.id}:${regular}`);
      const backoff = backoffDelay(profile, Math.max(1, automatic), jitter);
      delivery.nextAttemptAt = isoTime(finishedAt + retryDelay(backoff, retryAfter));
    }
  }
  if (delivery.manualRequests.length > 0) reopen(delivery, finishedAt);
  return number;
}

function record(
  delivery: DeliveryRecord,
  attempt: SettledAttempt,
  retryAfter: RetryAfter | null,
): number {
  const { manualRequest, extra, fault, webhookTimestamp, startedAt, finishedAt, result } = attempt;
  const { responseBody } = attempt;
  const trigger = manualRequest === undefined ? 'automatic' : 'manual';
  return delivery.attempts.push({
    number: delivery.attempts.length + 1,
    startedAt: isoTime(startedAt),
    finishedAt: isoTime(finishedAt),
    trigger: extra?.trigger ?? trigger,
    deliveryFault: fault,
    webhookTimestamp,
    status: result.outcome.kind === 'response' ? result.outcome.status : null,
    error: result.error,
    detail: result.detail,
    retryAfter: retryAfter === null ? null : { ...retryAfter },
    responseBody,
  });
}

/** A longer body is stored once for all attempts that got it. */
const MAX_CHARACTERS_IN_ATTEMPT = 256;

/** While all shared bodies have this size, only the beginning of another one is recorded. */
const MAX_SHARED_BYTES = 64 * 1_048_576;

/** Makes the body of an attempt. Call it in the commit that adds the attempt. */
export function recordBody(state: State, body: string | null): RecordedBody {
  if (body === null || body.length <= MAX_CHARACTERS_IN_ATTEMPT) return body;
  // The ids of records are branded; this one is the hash of its text.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const id = hash('sha256', body) as ResponseBodyId;
  if (state.responseBodies.has(id)) state.responseBodies.edit(id).uses += 1;
  else if (state.history.responseBodies.size.bytes < MAX_SHARED_BYTES)
    state.responseBodies.add({ id, text: body, uses: 1 });
  else return body.slice(0, MAX_CHARACTERS_IN_ATTEMPT);
  return { id };
}

function countOf({ attempts }: DeepReadonly<DeliveryRecord>, trigger: string): number {
  return attempts.filter((attempt) => attempt.trigger === trigger).length;
}

/** By value: a record that was taken back has equal requests, but not the same. */
export function isSameRequest(
  one: ManualRequest | undefined,
  other: ManualRequest | undefined,
): boolean {
  return one?.number === other?.number && one?.askedAt === other?.askedAt;
}

/** Requests one more attempt immediately, in every state. It replaces the next automatic attempt. */
export function requestRedelivery(delivery: DeliveryRecord, now: number): void {
  const number = (delivery.redeliveries ?? 0) + 1;
  delivery.redeliveries = number;
  delivery.manualRequests.push({ number, askedAt: isoTime(now) });
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

/**
 * Ends every pending delivery to an endpoint, including redeliveries. An attempt in progress continues, and
 * its result is recorded.
 */
export function cancelDeliveries(
  state: State,
  endpointId: WebhookEndpointId,
  endReason: Extract<EndReason, 'endpoint_disabled' | 'endpoint_deleted'>,
): void {
  const pending = [...state.grouped.pendingDeliveries.of(endpointId)];
  for (const id of pending) {
    const delivery = state.deliveries.edit(id);
    delivery.status = 'ended';
    delivery.endReason = endReason;
    delivery.nextAttemptAt = null;
    delivery.manualRequests = [];
    pruneHistory(state);
  }
}
