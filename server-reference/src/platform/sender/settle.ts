import type { PathologyName } from '../../lab/delivery-faults/delivery-fault.ts';
import type { DeliveryAttemptRecord, DeliveryRecord, ManualRequest } from '../state/deliveries.ts';
import type { State } from '../state/state.ts';
import { pruneHistory } from '../store/prune-history.ts';
import type { KeyedRandom } from '../store/seed.ts';
import type { AttemptResult } from './attempt-result.ts';
import { backoffDelay, readRetryAfter, retryDecision, retryDelay } from './retry.ts';
import type { EndReason, RetryAfter, RetryProfile } from './retry.ts';

export interface SettledAttempt {
  /** The request that this attempt answers; undefined for one that nobody asked for. */
  readonly request: ManualRequest | undefined;
  readonly isCopy: boolean;
  readonly pathology: PathologyName | null;
  /** What it was signed with; null when nothing was sent. */
  readonly webhookTimestamp: number | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly result: AttemptResult;
}

/**
 * Writes an attempt into its delivery and decides what follows. A manual attempt is judged like an
 * automatic one, but does not count against the attempts of the profile: after a failure that is worth
 * a retry, automatic delivery goes on with the attempts that are left. A copy counts only when it is
 * answered with success. Call it inside a commit.
 *
 * @returns the number of the attempt
 */
export function settleAttempt(
  delivery: DeliveryRecord,
  attempt: SettledAttempt,
  profile: RetryProfile,
  random: KeyedRandom,
): number {
  const { request, isCopy, finishedAt, result } = attempt;
  const decision = retryDecision(result.outcome);
  const retryAfter =
    decision.kind === 'retry' ? readRetryAfter(result.retryAfter, finishedAt) : null;
  const number = record(delivery, attempt, retryAfter);
  if (isCopy && decision.kind !== 'delivered') return number;
  // Not the first of them, when the endpoint fell silent during this attempt and spoke again since.
  delivery.manualRequests = delivery.manualRequests.filter((asked) => asked !== request);

  if (decision.kind === 'delivered') {
    close(delivery, 'delivered', null);
  } else if (delivery.status === 'pending') {
    const automatic = countOf(delivery, 'automatic');
    if (decision.kind === 'end') close(delivery, 'ended', decision.reason);
    else if (automatic >= profile.attempts) close(delivery, 'ended', 'attempts_exhausted');
    else {
      const jitter = random(`${delivery.id}:${number - countOf(delivery, 'copy')}`);
      const backoff = backoffDelay(profile, Math.max(1, automatic), jitter);
      delivery.nextAttemptAt = isoTime(finishedAt + retryDelay(backoff, retryAfter));
    }
  }
  if (delivery.manualRequests.length > 0) reopen(delivery, finishedAt);
  return number;
}

function record(
  delivery: DeliveryRecord,
  { request, isCopy, startedAt, finishedAt, pathology, webhookTimestamp, result }: SettledAttempt,
  retryAfter: RetryAfter | null,
): number {
  const asked = request === undefined ? 'automatic' : 'manual';
  return delivery.attempts.push({
    number: delivery.attempts.length + 1,
    startedAt: isoTime(startedAt),
    finishedAt: isoTime(finishedAt),
    trigger: isCopy ? 'copy' : asked,
    pathology,
    webhookTimestamp,
    status: result.outcome.kind === 'answered' ? result.outcome.status : null,
    error: result.error,
    detail: result.detail,
    retryAfter: retryAfter === null ? null : { ...retryAfter },
    responseBody: result.responseBody,
  });
}

function countOf({ attempts }: DeliveryRecord, trigger: DeliveryAttemptRecord['trigger']): number {
  return attempts.filter((attempt) => attempt.trigger === trigger).length;
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

/**
 * Ends every pending delivery to an endpoint, redeliveries included. An attempt under way is not
 * recalled: its answer is still recorded. Call it inside a commit.
 */
export function silenceEndpoint(
  state: State,
  endpointId: string,
  endReason: Extract<EndReason, 'endpoint_disabled' | 'endpoint_deleted'>,
): void {
  for (const delivery of Object.values(state.deliveries)) {
    if (delivery.endpointId !== endpointId || delivery.status !== 'pending') continue;
    delivery.status = 'ended';
    delivery.endReason = endReason;
    delivery.nextAttemptAt = null;
    delivery.manualRequests = [];
    pruneHistory(state);
  }
}
