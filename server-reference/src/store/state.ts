import type {
  AgentRecord,
  AutomationRecord,
  EvaluatorsRecord,
  FolderRecord,
  TemplateRecord,
} from './automations.ts';
import type { ExampleRecord, ExperimentRecord, ReviewRequestRecord } from './datasets.ts';
import type { DeliveryRecord, EventRecord, WebhookEndpointRecord } from './deliveries.ts';
import type { FileRecord, UploadRecord } from './files.ts';
import type {
  ApiKeySecret,
  AutomationId,
  DeliveryId,
  EventId,
  ExampleId,
  ExperimentId,
  FileId,
  FolderId,
  ReviewRequestId,
  RunId,
  TemplateId,
  TenantId,
  UploadId,
  UserId,
  WebhookEndpointId,
  WorldId,
} from './ids.ts';
import type { RunRecord, RunReviewRecord } from './runs.ts';
import { RecordTable } from './table.ts';
import type { ReadonlyTable, Table } from './table.ts';
import type { ApiKeyRecord, TenantRecord, UserRecord } from './tenants.ts';
import type { World } from './world.ts';

/** One table for each kind of record. */
export interface Tables {
  worlds: Table<WorldId, World>;
  tenants: Table<TenantId, TenantRecord>;
  users: Table<UserId, UserRecord>;
  /** Keyed by the secret, because every request looks it up. */
  apiKeys: Table<ApiKeySecret, ApiKeyRecord>;
  automations: Table<AutomationId, AutomationRecord>;
  folders: Table<FolderId, FolderRecord>;
  agents: Table<AutomationId, AgentRecord>;
  templates: Table<TemplateId, TemplateRecord>;
  reviewRequests: Table<ReviewRequestId, ReviewRequestRecord>;
  examples: Table<ExampleId, ExampleRecord>;
  evaluators: Table<AutomationId, EvaluatorsRecord>;
  experiments: Table<ExperimentId, ExperimentRecord>;
  files: Table<FileId, FileRecord>;
  uploads: Table<UploadId, UploadRecord>;
  runs: Table<RunId, RunRecord>;
  runReviews: Table<RunId, RunReviewRecord>;
  webhookEndpoints: Table<WebhookEndpointId, WebhookEndpointRecord>;
  events: Table<EventId, EventRecord>;
  deliveries: Table<DeliveryId, DeliveryRecord>;
}

/** Values beside the tables. */
interface Singles {
  /** The input of `nextId`: the same seed gives the same ids. */
  ids: { seed: number; drawn: number };
  /** The bearer token of the control interface. */
  controlToken: string;
  /** The world created at the first start; null before that. */
  defaultWorldId: WorldId | null;
}

/** Facts about one process. They are not stored. */
interface Process {
  /** When the server started, in milliseconds since the epoch by its clock; null until its first world exists. */
  startedAt: number | null;
  /** The worlds that are not written to the data file. */
  readonly temporaryWorlds: Set<WorldId>;
  /** The number of ended runs that each world retains. */
  readonly historyLimit: number;
  /** The value of `changes` when the history was last pruned. */
  prunedAt: number;
  /** The size of the data file; 0 in memory. */
  fileBytes: number;
  /** Grows with each change of a record. */
  changes: number;
  /** Grows with each change of a record outside of temporary worlds. */
  storedChanges: number;
}

/** The whole state of the server. Only a commit may change it. */
export interface State extends Singles, Process, Readonly<Tables> {}

type ReadonlyTables = {
  readonly [Name in keyof Tables]: Tables[Name] extends Table<string, infer T>
    ? ReadonlyTable<T>
    : never;
};

/** The state for readers. */
export interface ReadonlyState
  extends
    Readonly<Omit<Singles, 'ids'>>,
    Readonly<Omit<Process, 'temporaryWorlds'>>,
    ReadonlyTables {
  readonly ids: Readonly<Singles['ids']>;
  readonly temporaryWorlds: ReadonlySet<WorldId>;
}

type RecordTables = {
  readonly [Name in keyof Tables]: Tables[Name] extends Table<infer I, infer T extends object>
    ? RecordTable<I, T>
    : never;
};

/** A state whose tables the store reads and fills. */
export interface StoredState extends State {
  readonly tables: RecordTables;
}

/** The default of {@link Process.historyLimit}. */
export const DEFAULT_HISTORY_LIMIT = 1_000;

/** Returns a state without records. */
export function emptyState(
  seed: number,
  controlToken: string,
  historyLimit: number = DEFAULT_HISTORY_LIMIT,
): StoredState {
  const temporaryWorlds = new Set<WorldId>();
  const tables = emptyTables(temporaryWorlds, (isStored) => {
    state.changes += 1;
    if (isStored) state.storedChanges += 1;
  });
  const state: StoredState = {
    ids: { seed, drawn: 0 },
    controlToken,
    defaultWorldId: null,
    startedAt: null,
    temporaryWorlds,
    historyLimit,
    prunedAt: 0,
    fileBytes: 0,
    changes: 0,
    storedChanges: 0,
    tables,
    ...tables,
  };
  return state;
}

function emptyTables(
  temporaryWorlds: ReadonlySet<WorldId>,
  onChange: (isStored: boolean) => void,
): RecordTables {
  interface OfWorld {
    readonly worldId: WorldId;
  }
  interface OfTenant {
    readonly tenantId: TenantId;
  }
  const ofWorld = (record: OfWorld | undefined): boolean =>
    record === undefined || !temporaryWorlds.has(record.worldId);
  const ofTenant = ({ tenantId }: OfTenant): boolean => ofWorld(tenants.get(tenantId));
  const table = <I extends string, T extends { readonly id: I }>(
    isStored: (record: T) => boolean,
  ): RecordTable<I, T> => new RecordTable({ idOf: ({ id }) => id, isStored, onChange });
  const tenants = table<TenantId, TenantRecord>(ofWorld);
  const runs = table<RunId, RunRecord>(ofWorld);
  const events = table<EventId, EventRecord>(ofWorld);
  return {
    worlds: table<WorldId, World>(({ id }) => !temporaryWorlds.has(id)),
    tenants,
    users: table<UserId, UserRecord>(ofTenant),
    apiKeys: new RecordTable<ApiKeySecret, ApiKeyRecord>({
      idOf: ({ key }) => key,
      isStored: ofTenant,
      onChange,
    }),
    automations: table<AutomationId, AutomationRecord>(ofTenant),
    folders: table<FolderId, FolderRecord>(ofTenant),
    agents: table<AutomationId, AgentRecord>(ofTenant),
    templates: table<TemplateId, TemplateRecord>(ofTenant),
    reviewRequests: table<ReviewRequestId, ReviewRequestRecord>(ofTenant),
    examples: table<ExampleId, ExampleRecord>(ofTenant),
    evaluators: table<AutomationId, EvaluatorsRecord>(ofTenant),
    experiments: table<ExperimentId, ExperimentRecord>(ofTenant),
    files: table<FileId, FileRecord>(ofTenant),
    uploads: table<UploadId, UploadRecord>(ofTenant),
    runs,
    runReviews: table<RunId, RunReviewRecord>(({ id }) => ofWorld(runs.get(id))),
    webhookEndpoints: table<WebhookEndpointId, WebhookEndpointRecord>(ofWorld),
    events,
    deliveries: table<DeliveryId, DeliveryRecord>(({ eventId }) => ofWorld(events.get(eventId))),
  };
}
