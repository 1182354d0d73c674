import { cancelDeliveries } from '../../events/delivery.ts';
import type { RunId, WorldId } from '../../store/ids.ts';
import type { State } from '../../store/state.ts';

/**
 * Removes a world and every record in it. The bytes of its files go with the next sweep.
 *
 * @returns its runs, for whose end no request must wait any more
 */
export function deleteWorld(state: State, worldId: WorldId): readonly RunId[] {
  const endpoints = state.webhookEndpoints.filter((one) => one.worldId === worldId);
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
  return runIds;
}
