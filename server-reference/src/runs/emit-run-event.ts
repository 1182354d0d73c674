import { EVENT_ID_PREFIX } from '@hookproof/spec';
import type { RunStatus } from '@hookproof/spec';

import type { DeliveryRecord } from '../state/delivery.ts';
import type { EventRecord } from '../state/event.ts';
import type { RunRecord } from '../state/run.ts';
import type { WebhookEndpointRecord } from '../state/webhook-endpoint.ts';
import { nextId } from '../store/next-id.ts';
import { find } from '../store/find.ts';
import type { State } from '../store/state.ts';
import { eventPayload } from './event-payload.ts';
import { newDelivery } from './new-delivery.ts';
import { runSnapshot } from './run-snapshot.ts';

/**
 * Writes the event of a run's creation (without `previousStatus`) or move, and one delivery for each
 * enabled endpoint of its tenant. Runs of an invoke-workflow step and of an evaluation emit nothing.
 */
export function emitRunEvent(
  state: State,
  now: number,
  run: RunRecord,
  previousStatus?: RunStatus,
): DeliveryRecord[] {
  if (run.origin !== 'top-level') return [];
  const id = nextId(state, EVENT_ID_PREFIX);
  const createdAt = new Date(now).toISOString();
  const event: EventRecord = {
    id,
    worldId: run.worldId,
    type: previousStatus === undefined ? 'run.created' : 'run.status_changed',
    runId: run.id,
    payload: eventPayload({ id, createdAt, test: false, run: runSnapshot(run), previousStatus }),
    test: false,
    createdAt,
  };
  state.events[id] = event;
  return Object.values(state.webhookEndpoints)
    .filter((endpoint) => belongsTo(state, endpoint, run) && endpoint.enabled)
    .map((endpoint) => newDelivery(state, event, endpoint));
}

/** An endpoint is the tenant's of its world; of its neighbour nothing is sent to it. */
function belongsTo(
  state: State,
  { worldId }: WebhookEndpointRecord,
  { tenantId }: RunRecord,
): boolean {
  return find(state.worlds, worldId)?.tenantId === tenantId;
}
