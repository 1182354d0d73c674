import { EVENT_ID_PREFIX } from '@hookproof/spec';

import type { DeliveryRecord } from '../state/delivery.ts';
import type { EventRecord } from '../state/event.ts';
import type { WebhookEndpointRecord } from '../state/webhook-endpoint.ts';
import { nextId } from '../store/next-id.ts';
import type { State } from '../store/state.ts';
import { eventPayload } from './event-payload.ts';
import { newDelivery } from './new-delivery.ts';

/** Writes a Send test event for one endpoint. Its run is invented: the ids are drawn and kept nowhere. */
export function emitTestEvent(
  state: State,
  now: number,
  endpoint: WebhookEndpointRecord,
): DeliveryRecord {
  const id = nextId(state, EVENT_ID_PREFIX);
  const createdAt = new Date(now).toISOString();
  const event: EventRecord = {
    id,
    worldId: endpoint.worldId,
    type: 'run.created',
    runId: null,
    payload: eventPayload({
      id,
      createdAt,
      test: true,
      run: {
        id: nextId(state, 'run_'),
        automationId: nextId(state, 'wf_'),
        type: 'workflow',
        status: 'pending',
        triggerType: 'manual',
        createdAt,
        startedAt: null,
        completedAt: null,
      },
    }),
    test: true,
    createdAt,
  };
  state.events[id] = event;
  return newDelivery(state, event, endpoint);
}
