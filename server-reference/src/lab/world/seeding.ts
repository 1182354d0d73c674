import { isoTime } from '../../clock/clock.ts';
import type {
  AutomationId,
  ExampleId,
  ExperimentId,
  FileId,
  FolderId,
  IdOf,
  ReviewRequestId,
  RunId,
  TemplateId,
  TenantId,
  UploadId,
  UserId,
  WorldId,
} from '../../store/ids.ts';
import type { UserRecord } from '../../store/tenants.ts';
import { nextId } from '../../store/seed.ts';
import type { State } from '../../store/state.ts';

/** The input of every function that seeds a world. */
export interface Seeding {
  readonly state: State;
  readonly worldId: WorldId;
  /** Draws the next id; see {@link nextId}. */
  readonly id: <Prefix extends string>(prefix: Prefix) => IdOf<Prefix>;
  /** Returns the time `hours` before the world is created, in ISO 8601. */
  readonly hoursAgo: (hours: number) => string;
}

/** Ids by the names that the seed data uses. */
export type Ids<I extends string> = ReadonlyMap<string, I>;

/** A tenant, the user whom its API keys act for, and the user who decides reviews. */
export interface SeededTenant {
  readonly id: TenantId;
  readonly userId: UserId;
  readonly reviewer: UserRecord;
}

/** A tenant with the ids of its resources. */
export interface TenantContents {
  readonly tenant: SeededTenant;
  readonly folders: Ids<FolderId>;
  /** Workflows and agents. */
  readonly automations: Ids<AutomationId>;
  readonly files: Ids<FileId>;
  readonly templates: Ids<TemplateId>;
  /** By `<slug of the automation>/<name>`. */
  readonly examples: Ids<ExampleId>;
  readonly experiments: Ids<ExperimentId>;
  readonly reviews: Ids<ReviewRequestId>;
  readonly uploads: Ids<UploadId>;
  /** Only the runs that the seed data names. */
  readonly runs: Ids<RunId>;
}

/** Draws the id of a new world. */
export function startSeeding(state: State, now: number): Seeding {
  return {
    state,
    worldId: nextId(state, 'world_'),
    id: (prefix) => nextId(state, prefix),
    hoursAgo: (hours) => isoTime(now - hours * 3_600_000),
  };
}

/** Returns the id of something that the seed data refers to by name. */
export function idOf<I extends string>(ids: Ids<I>, name: string): I {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`Seed data refers to an unknown "${name}".`);
  return id;
}
