import { cancelDeliveries } from '../../events/delivery.ts';
import type { DeliveryRecord } from '../../store/deliveries.ts';
import type { RunId, WorldId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { State } from '../../store/state.ts';

/** What the sender and the run worker must forget. */
interface DeletedWorld {
  /** Those that were pending. */
  readonly deliveries: readonly DeepReadonly<DeliveryRecord>[];
  readonly runIds: readonly RunId[];
}

/** Removes a world and every record in it. The bytes of its files go with the next sweep. */
export function deleteWorld(state: State, worldId: WorldId): DeletedWorld {
  const endpoints = state.webhookEndpoints.filter((one) => one.worldId === worldId);
  const deliveries = endpoints.flatMap(({ id }) => cancelDeliveries(state, id, 'endpoint_deleted'));
  const tenants = new Set<string>();
  for (const { id, worldId: of } of state.tenants.values()) if (of === worldId) tenants.add(id);
  const ofTenant = (one: { readonly tenantId: string } | undefined): boolean =>
    one !== undefined && tenants.has(one.tenantId);
  const runIds = [...state.runs.values()].filter(ofTenant).map(({ id }) => id);
  state.runReviews.deleteWhere(({ id }) => ofTenant(state.runs.get(id)));
  state.deliveries.deleteWhere(({ eventId }) => state.events.get(eventId)?.worldId === worldId);
  for (const table of [
    state.users,
    state.apiKeys,
    state.automations,
    state.folders,
    state.agents,
    state.templates,
    state.reviewRequests,
    state.examples,
    state.evaluators,
    state.experiments,
    state.files,
    state.uploads,
    state.runs,
  ]) {
    table.deleteWhere(ofTenant);
  }
  for (const table of [state.tenants, state.webhookEndpoints, state.events]) {
    table.deleteWhere((one) => one.worldId === worldId);
  }
  state.worlds.delete(worldId);
  return { deliveries, runIds };
}
