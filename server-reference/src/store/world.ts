import type { World as WorldOfControl } from '@hookproof/spec/control';

import type { TenantId, WorldId } from './ids.ts';

/** A seeded world: a tenant, another tenant, their keys and the ids of all fixtures. */
export interface World extends WorldOfControl {
  id: WorldId;
  tenantId: TenantId;
  keys: Required<WorldOfControl['keys']>;
  fixtures: Required<WorldOfControl['fixtures']>;
}
