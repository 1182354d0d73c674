import type { World as WorldOfControl } from '@hookproof/spec/control';

import type { TenantId, WorldId } from './ids.ts';

/** A tenant with a neighbor, their keys and the ids of every fixture: everything that one test needs. */
export interface World extends WorldOfControl {
  id: WorldId;
  tenantId: TenantId;
  keys: Required<WorldOfControl['keys']>;
  fixtures: Required<WorldOfControl['fixtures']>;
}
