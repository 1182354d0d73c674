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
import type { WorldRecord } from './world.ts';

/** One table for each kind of record. */
export interface Tables {
  worlds: Table<WorldId, WorldRecord>;
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
  /** Notes each stored record before the commit in progress changes it; null for a commit that cannot be refused. */
  undo: { note(table: keyof Tables, id: string): void } | null;
  /** Called before each change of a record, with its table and the id that it has there; null if nobody asks. */
  onChange: ((table: keyof Tables, id: string) => void) | null;
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
    Readonly<Omit<Process, 'temporaryWorlds' | 'undo' | 'onChange'>>,
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
  const tables = emptyTables(temporaryWorlds, (table, id, isStored) => {
    state.onChange?.(table, id);
    if (isStored) state.undo?.note(table, id);
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
    undo: null,
    onChange: null,
    storedChanges: 0,
    tables,
    ...tables,
  };
  return state;
}

function emptyTables(
  temporaryWorlds: ReadonlySet<WorldId>,
  onChange: (table: keyof Tables, id: string, isStored: boolean) => void,
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
    name: keyof Tables,
    isStored: (record: T) => boolean,
  ): RecordTable<I, T> =>
    new RecordTable({
      idOf: ({ id }) => id,
      isStored,
      onChange: (id, stored) => onChange(name, id, stored),
    });
  const tenants = table<TenantId, TenantRecord>('tenants', ofWorld);
  const runs = table<RunId, RunRecord>('runs', ofWorld);
  const events = table<EventId, EventRecord>('events', ofWorld);
  return {
    worlds: table<WorldId, WorldRecord>('worlds', ({ id }) => !temporaryWorlds.has(id)),
    tenants,
    users: table<UserId, UserRecord>('users', ofTenant),
    apiKeys: new RecordTable<ApiKeySecret, ApiKeyRecord>({
      idOf: ({ key }) => key,
      isStored: ofTenant,
      onChange: (key, stored) => onChange('apiKeys', key, stored),
    }),
    automations: table<AutomationId, AutomationRecord>('automations', ofTenant),
    folders: table<FolderId, FolderRecord>('folders', ofTenant),
    agents: table<AutomationId, AgentRecord>('agents', ofTenant),
    templates: table<TemplateId, TemplateRecord>('templates', ofTenant),
    reviewRequests: table<ReviewRequestId, ReviewRequestRecord>('reviewRequests', ofTenant),
    examples: table<ExampleId, ExampleRecord>('examples', ofTenant),
    evaluators: table<AutomationId, EvaluatorsRecord>('evaluators', ofTenant),
    experiments: table<ExperimentId, ExperimentRecord>('experiments', ofTenant),
    files: table<FileId, FileRecord>('files', ofTenant),
    uploads: table<UploadId, UploadRecord>('uploads', ofTenant),
    runs,
    runReviews: table<RunId, RunReviewRecord>('runReviews', ({ id }) => ofWorld(runs.get(id))),
    webhookEndpoints: table<WebhookEndpointId, WebhookEndpointRecord>('webhookEndpoints', ofWorld),
    events,
    deliveries: table<DeliveryId, DeliveryRecord>('deliveries', ({ eventId }) =>
      ofWorld(events.get(eventId)),
    ),
  };
}
