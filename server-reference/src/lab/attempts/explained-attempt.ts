import type { DeliveryAttemptRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { SentRequest } from './sent-requests.ts';

/** A recorded attempt with what its explanation needs. */
export interface ExplainedAttempt {
  readonly attempt: DeepReadonly<DeliveryAttemptRecord>;
  readonly endpointId: string;
  /** The secret of the endpoint now; undefined if it was deleted. */
  readonly currentSecret: string | undefined;
  /** Null if the request is no longer kept. */
  readonly sent: Pick<SentRequest, 'sent' | 'secret'> | null;
}
