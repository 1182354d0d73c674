import type { DeliveryAttemptRecord, DeliveryRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { SentRequest } from './sent-requests.ts';

/** A recorded attempt with what its explanation needs. */
export interface ExplainedAttempt {
  readonly attempt: DeepReadonly<DeliveryAttemptRecord>;
  readonly delivery: Pick<DeepReadonly<DeliveryRecord>, 'status' | 'endReason' | 'attempts'>;
  /** The secret of the endpoint now; undefined if it was deleted. */
  readonly currentSecret: string | undefined;
  /** Null if the request is no longer kept. */
  readonly sent: Pick<SentRequest, 'url' | 'sent' | 'secret'> | null;
}

/** Returns what follows an attempt that failed, as a sentence. */
export function whatFollows({ attempt, delivery }: ExplainedAttempt): string {
  const { attempts, status, endReason } = delivery;
  if (attempts.at(-1)?.number !== attempt.number) return 'It was tried again.';
  if (status === 'pending') return 'It is retried.';
  if (endReason !== 'attempts_exhausted') return 'It is not retried.';
  const automatic = attempts.filter(({ trigger }) => trigger === 'automatic').length;
  return attempt.trigger === 'manual'
    ? `It is not retried: the server had given up after ${automatic} attempts.`
    : `The server gave up after ${automatic} attempts.`;
}
