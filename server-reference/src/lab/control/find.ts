import { notFound } from '../../platform/http/api-error.ts';
import type { AutomationRecord } from '../../platform/state/automations.ts';
import type { DeepReadonly } from '../../platform/state/read-only.ts';
import type { ReadonlyState } from '../../platform/state/state.ts';
import type { World } from '../../platform/state/world.ts';
import { find } from '../../platform/store/records.ts';

/** The record with this id that `belongs`, or 404 with `field` and what was looked for. */
export function findKnown<T>(
  records: Readonly<Record<string, T>>,
  id: string,
  field: string,
  noun: string,
  belongs: (record: T) => boolean = () => true,
): T {
  const record = find(records, id);
  if (record === undefined || !belongs(record)) throw notFound(field, `no ${noun} has this id`);
  return record;
}

/** The world that a request names, or the default one. */
export function findWorld(state: ReadonlyState, worldId: string | undefined): DeepReadonly<World> {
  return findKnown(state.worlds, worldId ?? state.defaultWorldId ?? '', 'worldId', 'world');
}

/** The automation of a world with this id, of the tenant or of its neighbour; else 404. */
export function findAutomationOf(
  state: ReadonlyState,
  world: DeepReadonly<World>,
  automationId: string,
): DeepReadonly<AutomationRecord> {
  return findKnown(
    state.automations,
    automationId,
    'automationId',
    'automation of this world',
    ({ tenantId }) => state.tenants[tenantId]?.worldId === world.id,
  );
}
