import { notFound } from '../../errors.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import type { ReadonlyTable } from '../../store/table.ts';
import type { WorldRecord } from '../../store/world.ts';

/**
 * Returns the record with this id for which `belongs` is true.
 *
 * @throws {ApiError} 404 with `field` and `noun`
 */
export function findKnown<T extends object>(
  table: ReadonlyTable<T>,
  id: string,
  field: string,
  noun: string,
  belongs: (record: DeepReadonly<T>) => boolean = () => true,
): DeepReadonly<T> {
  const record = table.get(id);
  if (record === undefined || !belongs(record)) throw notFound(field, `no ${noun} has this id`);
  return record;
}

/** Returns the world with this id, or the default world. Throws a 404. */
export function findWorld(
  state: ReadonlyState,
  worldId: string | undefined,
): DeepReadonly<WorldRecord> {
  return findKnown(state.worlds, worldId ?? state.defaultWorldId ?? '', 'worldId', 'world');
}

/** Returns the automation with this id, of either tenant of a world. Throws a 404. */
export function findAutomationOf(
  state: ReadonlyState,
  world: DeepReadonly<WorldRecord>,
  automationId: string | undefined,
): DeepReadonly<AutomationRecord> {
  return findKnown(
    state.automations,
    automationId ?? '',
    'automationId',
    'automation of this world',
    ({ tenantId }) => state.tenants.get(tenantId)?.worldId === world.id,
  );
}
