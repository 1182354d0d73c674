import { cancelDeliveries } from '../../events/delivery.ts';
import type { RunId, WebhookEndpointId, WorldId } from '../../store/ids.ts';
import type { State } from '../../store/state.ts';

/** What other parts must end after a world was deleted. */
interface DeletedWorld {
  /** The sender must cancel their waiting attempts. */
  readonly endpointIds: readonly WebhookEndpointId[];
  /** No request must wait for their end. */
  readonly runIds: readonly RunId[];
}

/** Removes a world and every record in it. The bytes of its files go with the next sweep. */
export function deleteWorld(state: State, worldId: WorldId): DeletedWorld {
  const endpoints = [...state.webhookEndpoints.values()].filter((one) => one.worldId === worldId);
  for (const { id } of endpoints) cancelDeliveries(state, id, 'endpoint_deleted');
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
  state.temporaryWorlds.delete(worldId);
  return { endpointIds: endpoints.map(({ id }) => id), runIds };
}
