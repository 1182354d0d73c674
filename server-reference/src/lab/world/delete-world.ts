import { cancelDeliveries } from '../../platform/sender/settle.ts';
import type { WebhookEndpointId, WorldId } from '../../platform/state/ids.ts';
import type { State } from '../../platform/state/state.ts';

/**
 * Removes a world and every record in it. The bytes of its files go with the next sweep.
 *
 * @returns the endpoints whose waiting attempts the sender must cancel
 */
export function deleteWorld(state: State, worldId: WorldId): WebhookEndpointId[] {
  const endpoints = [...state.webhookEndpoints.values()].filter((one) => one.worldId === worldId);
  for (const { id } of endpoints) cancelDeliveries(state, id, 'endpoint_deleted');
  const tenants = new Set<string>();
  for (const { id, worldId: of } of state.tenants.values()) if (of === worldId) tenants.add(id);
  const ofTenant = (one: { readonly tenantId: string } | undefined): boolean =>
    one !== undefined && tenants.has(one.tenantId);
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
  return endpoints.map(({ id }) => id);
}
