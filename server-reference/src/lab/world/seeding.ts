import type { UserRecord } from '../../platform/state/tenants.ts';
import { nextId } from '../../platform/store/seed.ts';
import type { State } from '../../platform/state/state.ts';

/** What every function that seeds a world works with. */
export interface Seeding {
  readonly state: State;
  readonly worldId: string;
  /** Draws the next id; see {@link nextId}. */
  readonly id: (prefix: string) => string;
  /** Returns the time `hours` before the world is created, in ISO 8601. */
  readonly hoursAgo: (hours: number) => string;
}

/** Ids by the names that the seed data uses. */
export type Ids = ReadonlyMap<string, string>;

/** A tenant, the user whom its API keys act for, and the user who decides reviews. */
export interface SeededTenant {
  readonly id: string;
  readonly userId: string;
  readonly reviewer: UserRecord;
}

/** A tenant with the ids of its resources. */
export interface TenantContents {
  readonly tenant: SeededTenant;
  readonly folders: Ids;
  /** Workflows and agents. */
  readonly automations: Ids;
  readonly files: Ids;
  readonly templates: Ids;
  /** By `<slug of the automation>/<name>`. */
  readonly examples: Ids;
  readonly experiments: Ids;
  readonly reviews: Ids;
  readonly uploads: Ids;
  /** Only the runs that the seed data names. */
  readonly runs: Ids;
}

/** Draws the id of a new world. */
export function startSeeding(state: State, now: number): Seeding {
  return {
    state,
    worldId: nextId(state, 'world_'),
    id: (prefix) => nextId(state, prefix),
    hoursAgo: (hours) => new Date(now - hours * 3_600_000).toISOString(),
  };
}

/** Returns the id of something that the seed data refers to by name. */
export function idOf(ids: Ids, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`Seed data refers to an unknown "${name}".`);
  return id;
}
