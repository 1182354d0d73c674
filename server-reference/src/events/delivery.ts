import { isoTime } from '../clock/clock.ts';
import type {
  DeliveryRecord,
  EventRecord,
  ManualRequest,
  WebhookEndpointRecord,
} from '../store/deliveries.ts';
import type { WebhookEndpointId } from '../store/ids.ts';
import type { DeepReadonly } from '../store/read-only.ts';
import { nextId } from '../store/seed.ts';
import type { State } from '../store/state.ts';
import type { EndReason } from './retry.ts';

/** Adds a delivery of an event to one endpoint, due immediately. */
export function newDelivery(
  state: State,
  now: number,
  event: DeepReadonly<EventRecord>,
  endpoint: DeepReadonly<WebhookEndpointRecord>,
): DeliveryRecord {
  const createdAt = isoTime(now);
  const delivery: DeliveryRecord = {
    id: nextId(state, 'dlv_'),
    eventId: event.id,
    endpointId: endpoint.id,
    runId: event.runId,
    type: event.type,
    status: 'pending',
    endReason: null,
    nextAttemptAt: createdAt,
    createdAt,
    attempts: [],
    manualRequests: [],
  };
  state.deliveries.add(delivery);
  return delivery;
}

export function isSameRequest(
  one: ManualRequest | undefined,
  other: ManualRequest | undefined,
): boolean {
  return one?.number === other?.number;
}

/** Requests one more attempt immediately, in every state. It replaces the next automatic attempt. */
export function requestRedelivery(delivery: DeliveryRecord, now: number): void {
  const number = (delivery.redeliveries ?? 0) + 1;
  delivery.redeliveries = number;
  delivery.manualRequests.push({ number, askedAt: isoTime(now) });
  reopen(delivery, now);
}

/** Makes a delivery due at once, whatever ended it. */
export function reopen(delivery: DeliveryRecord, now: number): void {
  delivery.status = 'pending';
  delivery.endReason = null;
  delivery.nextAttemptAt = isoTime(now);
}

/**
 * Ends every pending delivery to an endpoint, including redeliveries. An attempt in progress continues, and
 * its result is recorded.
 *
 * @returns the deliveries that it has ended, for the sender
 */
export function cancelDeliveries(
  state: State,
  endpointId: WebhookEndpointId,
  endReason: Extract<EndReason, 'endpoint_disabled' | 'endpoint_deleted'>,
): readonly DeepReadonly<DeliveryRecord>[] {
  const pending = state.deliveries.filter(
    (delivery) => delivery.status === 'pending' && delivery.endpointId === endpointId,
  );
  for (const { id } of pending) {
    const delivery = state.deliveries.edit(id);
    delivery.status = 'ended';
    delivery.endReason = endReason;
    delivery.nextAttemptAt = null;
    delivery.manualRequests = [];
  }
  return pending;
}
