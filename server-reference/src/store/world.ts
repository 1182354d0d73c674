import type { World as WorldOfControl } from '@hookproof/spec/control';

import type { TenantId, WorldId } from './ids.ts';

/** A world: a tenant, another tenant, their keys and the ids of the fixtures that it has. */
export interface WorldRecord extends WorldOfControl {
  id: WorldId;
  tenantId: TenantId;
  keys: Required<WorldOfControl['keys']>;
}

/** A world with the sample data, which has every fixture. */
export interface World extends WorldRecord {
  fixtures: Required<WorldOfControl['fixtures']>;
}
