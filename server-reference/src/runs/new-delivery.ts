import type { DeliveryRecord } from '../state/delivery.ts';
import type { EventRecord } from '../state/event.ts';
import type { WebhookEndpointRecord } from '../state/webhook-endpoint.ts';
import { nextId } from '../store/next-id.ts';
import type { State } from '../store/state.ts';

/** Puts an event into the outbox of one endpoint, due at once. */
export function newDelivery(
  state: State,
  event: EventRecord,
  endpoint: WebhookEndpointRecord,
): DeliveryRecord {
  const delivery: DeliveryRecord = {
    id: nextId(state, 'dlv_'),
    eventId: event.id,
    endpointId: endpoint.id,
    runId: event.runId,
    type: event.type,
    status: 'pending',
    endReason: null,
    nextAttemptAt: event.createdAt,
    createdAt: event.createdAt,
    attempts: [],
    manualRequests: [],
  };
  state.deliveries[delivery.id] = delivery;
  return delivery;
}
