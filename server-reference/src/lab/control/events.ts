import type { Event, EventCreation } from '@hookproof/spec/control';

import { invalidValue, refusal } from '../../errors.ts';
import type { DeliveryRecord, EventRecord, WebhookEndpointRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import { emitSentEvent, readSentPayload } from './custom-event.ts';
import { deliveryView } from './deliveries.ts';
import { injectDeliveryFault, refuseTooMany } from './faults.ts';
import { refuseInactive } from './endpoints.ts';
import { findKnown, findWorld } from './find.ts';
import type { ControlRoute } from './operation.ts';
import { pageOf } from './page.ts';
import type { LabServices } from './services.ts';

/** Routes for events with their exact payload. */
export function eventRoutes(services: LabServices): ControlRoute[] {
  return [listEventsRoute(services), sendRoute(services)];
}

/** Returns an event with its exact payload. */
function eventView(event: DeepReadonly<EventRecord>): Event {
  return { ...event, payload: event.payload };
}

function listEventsRoute({ store }: LabServices): ControlRoute {
  return {
    operationId: 'listEvents',
    async handle({ query: { runId, type }, page }) {
      const found = [...store.state.events.values()]
        .filter((event) => runId === undefined || event.runId === runId)
        .filter((event) => type === undefined || event.type === type);
      return { status: 200, body: pageOf(found, page, eventView) };
    },
  };
}

function sendRoute(services: LabServices): ControlRoute<EventCreation> {
  return {
    operationId: 'sendEvent',
    async handle({ body }) {
      const deliveries = await sendPayload(services, body);
      const [first] = deliveries;
      const sent = {
        eventId: first?.eventId,
        deliveries: deliveries.map(deliveryView),
      };
      return { status: 202, body: sent };
    },
  };
}

/**
 * Sends a payload of a caller's choice as an event.
 *
 * @throws {ApiError} 400 with `field`, 404 or 409, before anything has changed
 */
export async function sendPayload(
  services: LabServices,
  { worldId, endpointId, payload, deliveryFaults: orders = [] }: EventCreation,
  field: string = 'payload',
): Promise<readonly DeepReadonly<DeliveryRecord>[]> {
  const { store, clock, sender } = services;
  const facts = readSentPayload(payload);
  if (typeof facts === 'string') throw invalidValue(field, facts);
  const deliveries = await store.commit((state) => {
    const world = findWorld(state, worldId);
    refuseOtherPayload(state.events.get(facts.id), payload);
    const endpoints = endpointsOf(state, world.id, endpointId);
    refuseTooMany(services, 'delivery fault', orders.length);
    const made = emitSentEvent(
      state,
      clock.now(),
      { ...facts, worldId: world.id, payload: payload },
      endpoints,
    );
    for (const order of orders) {
      injectDeliveryFault(services, { deliveries: made.length, ...order, eventId: facts.id });
    }
    return made;
  });
  sender.enqueue(deliveries);
  return deliveries;
}

/** Returns the enabled endpoints that the event is sent to: at least one. */
export function endpointsOf(
  state: ReadonlyState,
  worldId: string,
  endpointId: string | undefined,
): DeepReadonly<WebhookEndpointRecord>[] {
  if (endpointId !== undefined) {
    const endpoint = findKnown(
      state.webhookEndpoints,
      endpointId,
      'endpointId',
      'webhook endpoint of this world',
      (one) => one.worldId === worldId,
    );
    refuseInactive(endpoint);
    return [endpoint];
  }
  const enabled = [...state.webhookEndpoints.values()].filter(
    (endpoint) => endpoint.worldId === worldId && endpoint.enabled,
  );
  if (enabled.length > 0) return enabled;
  const message = 'the world must have an enabled webhook endpoint, got none';
  throw refusal('endpoint_not_active', 'worldId', message, {
    hint: 'Create one with POST /_control/webhook-endpoints.',
  });
}

function refuseOtherPayload(stored: DeepReadonly<EventRecord> | undefined, payload: string): void {
  if (stored === undefined || stored.payload === payload) return;
  const message = 'must have an id that no event with another payload has';
  throw refusal('event_id_conflict', 'payload', message);
}
