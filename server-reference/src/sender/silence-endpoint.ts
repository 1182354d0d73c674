import { pruneHistory } from '../runs/prune-history.ts';
import type { State } from '../store/state.ts';
import type { EndReason } from './retry-decision.ts';

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
