import type {
  AgentRecord,
  AutomationRecord,
  EvaluatorsRecord,
  FolderRecord,
  TemplateRecord,
} from './automations.ts';
import type { ExampleRecord, ExperimentRecord, ReviewRequestRecord } from './datasets.ts';
import type { DeliveryRecord, EventRecord, WebhookEndpointRecord } from './deliveries.ts';
import { exampleNameKey, examplePlace } from './example-order.ts';
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
import type { SortOrder } from './ordered-index.ts';
import { isTerminal } from './run-transitions.ts';
import type { RunRecord, RunReviewRecord } from './runs.ts';
import { RecordTable } from './table.ts';
import type { Groups, OrderedIds, ReadonlyTable, Table } from './table.ts';
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

/** The indexes, which follow their tables. */
interface Indexes {
  /** Ids per tenant in the order of the lists: newest first, then by id. */
  readonly listed: {
    readonly agents: OrderedIds<AutomationId>;
    readonly automations: OrderedIds<AutomationId>;
    readonly templates: OrderedIds<TemplateId>;
    readonly reviewRequests: OrderedIds<ReviewRequestId>;
    readonly runs: OrderedIds<RunId>;
  };
  /** Ids of examples per automation, ordered by name. */
  readonly datasets: OrderedIds<ExampleId>;
  /** Ids of examples per automation, in the order of the list. */
  readonly exampleRows: OrderedIds<ExampleId>;
  /** Ids of experiments per automation: newest first, then by id. */
  readonly experimentRows: OrderedIds<ExperimentId>;
  readonly grouped: {
    /** Per {@link slugKey}. */
    readonly automationsBySlug: Groups<AutomationId>;
    /** Per {@link folderKey}. */
    readonly foldersByParent: Groups<FolderId>;
    /** Per {@link folderKey}. */
    readonly workflowsByFolder: Groups<AutomationId>;
    /** Per {@link uploadKey}. */
    readonly uploadsByKey: Groups<UploadId>;
    /** The pending deliveries per endpoint. */
    readonly pendingDeliveries: Groups<DeliveryId>;
    /** The completed uploads per file. */
    readonly uploadsByFile: Groups<UploadId>;
    /** Per {@link exampleNameKey}. */
    readonly examplesByName: Groups<ExampleId>;
    readonly runsByExperiment: Groups<RunId>;
    /** The runs with a scheduled transition, per tenant. */
    readonly scheduledRuns: Groups<RunId>;
    readonly deliveriesByEvent: Groups<DeliveryId>;
    /** Per world, without the runs that its fixtures name. */
    readonly endedRuns: Groups<RunId>;
    /** Per world. */
    readonly settledDeliveries: Groups<DeliveryId>;
    /** Per world: the events without a delivery. */
    readonly undeliveredEvents: Groups<EventId>;
  };
  /** What expires, under {@link EXPIRING}, ordered by `expiresAt`. */
  readonly expiring: {
    readonly files: OrderedIds<FileId>;
    readonly uploads: OrderedIds<UploadId>;
  };
}

/** The only list of each index in `expiring`. */
export const EXPIRING = 'expiring';

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
  /** The size of the data file; 0 in memory. */
  fileBytes: number;
  /** Grows with each change of a record. */
  changes: number;
  /** Grows with each change of a record outside of temporary worlds. */
  storedChanges: number;
}

/** The whole state of the server. Only a commit may change it. */
export interface State extends Singles, Process, Indexes, Readonly<Tables> {}

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
    Indexes,
    ReadonlyTables {
  readonly ids: Readonly<Singles['ids']>;
  readonly temporaryWorlds: ReadonlySet<WorldId>;
}

/** The group of an automation in `automationsBySlug`. */
export function slugKey(tenantId: string, slug: string): string {
  return `${tenantId} ${slug}`;
}

/** The group of what a folder contains under a name, in `foldersByParent` and `workflowsByFolder`. */
export function folderKey(tenantId: string, folderId: string | null, name: string): string {
  return `${tenantId} ${folderId} ${name}`;
}

/** The group of an upload in `uploadsByKey`. */
export function uploadKey(tenantId: string, idempotencyKey: string): string {
  return `${tenantId} ${idempotencyKey}`;
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
    fileBytes: 0,
    changes: 0,
    storedChanges: 0,
    tables,
    ...tables,
    ...orderedIndexes(tables),
    grouped: { ...groups(tables), ...historyGroups(tables) },
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

function orderedIndexes(
  tables: RecordTables,
): Pick<Indexes, 'listed' | 'datasets' | 'exampleRows' | 'experimentRows' | 'expiring'> {
  const { examples, experiments, files, uploads } = tables;
  return {
    listed: {
      agents: byTenant(tables.agents),
      automations: byTenant(tables.automations),
      templates: byTenant(tables.templates),
      reviewRequests: byTenant(tables.reviewRequests),
      runs: byTenant(tables.runs),
    },
    datasets: byAutomation(examples, ({ name }) => name, 'ascending'),
    exampleRows: byAutomation(examples, examplePlace, 'ascending'),
    experimentRows: byAutomation(experiments, ({ createdAt }) => createdAt, 'descending'),
    expiring: {
      files: byExpiry(files, () => true),
      uploads: byExpiry(uploads, ({ completedAt }) => completedAt === null),
    },
  };
}

function byTenant<
  I extends string,
  T extends { readonly tenantId: string; readonly createdAt: string },
>(table: RecordTable<I, T>): OrderedIds<I> {
  const entry = { owner: ({ tenantId }: T) => tenantId, key: ({ createdAt }: T) => createdAt };
  return table.ordered(entry, 'descending');
}

function byAutomation<I extends string, T extends { readonly automationId: string }>(
  table: RecordTable<I, T>,
  key: (record: T) => string,
  order: SortOrder,
): OrderedIds<I> {
  return table.ordered({ owner: ({ automationId }) => automationId, key }, order);
}

function byExpiry<I extends string, T extends { readonly expiresAt: string | null }>(
  table: RecordTable<I, T>,
  canExpire: (record: T) => boolean,
): OrderedIds<I> {
  const entry = {
    owner: (record: T) => (record.expiresAt !== null && canExpire(record) ? EXPIRING : null),
    key: ({ expiresAt }: T) => expiresAt ?? '',
  };
  return table.ordered(entry, 'ascending');
}

type HistoryGroup = 'deliveriesByEvent' | 'endedRuns' | 'settledDeliveries' | 'undeliveredEvents';

function groups({
  automations,
  folders,
  uploads,
  deliveries,
  examples,
  runs,
}: RecordTables): Omit<Indexes['grouped'], HistoryGroup> {
  return {
    automationsBySlug: automations.grouped(({ tenantId, slug }) => slugKey(tenantId, slug)),
    foldersByParent: folders.grouped(({ tenantId, parentId, name }) =>
      folderKey(tenantId, parentId, name),
    ),
    workflowsByFolder: automations.grouped(({ type, tenantId, folderId, name }) =>
      type === 'workflow' ? folderKey(tenantId, folderId, name) : null,
    ),
    uploadsByKey: uploads.grouped(({ tenantId, idempotencyKey }) =>
      idempotencyKey === null ? null : uploadKey(tenantId, idempotencyKey),
    ),
    pendingDeliveries: deliveries.grouped(({ status, endpointId }) =>
      status === 'pending' ? endpointId : null,
    ),
    uploadsByFile: uploads.grouped(({ completedAt, fileId }) =>
      completedAt === null ? null : fileId,
    ),
    examplesByName: examples.grouped(({ automationId, name }) =>
      exampleNameKey(automationId, name),
    ),
    runsByExperiment: runs.grouped(({ evaluation }) => evaluation?.experimentId ?? null),
    scheduledRuns: runs.grouped(({ scheduledTransitions, tenantId }) =>
      scheduledTransitions.length > 0 ? tenantId : null,
    ),
  };
}

function historyGroups({
  worlds,
  runs,
  events,
  deliveries,
}: RecordTables): Pick<Indexes['grouped'], HistoryGroup> {
  const isFixture = ({ id, worldId }: RunRecord): boolean => {
    const { runId, reviewedRunId, otherTenantRunId } = worlds.get(worldId)?.fixtures ?? {};
    return [runId, reviewedRunId, otherTenantRunId].includes(id);
  };
  const deliveriesByEvent = deliveries.grouped(({ eventId }) => eventId);
  return {
    deliveriesByEvent,
    endedRuns: runs.grouped((run) =>
      isTerminal(run.status) && !isFixture(run) ? run.worldId : null,
    ),
    settledDeliveries: deliveries.grouped(({ status, eventId }) =>
      status === 'pending' ? null : (events.get(eventId)?.worldId ?? null),
    ),
    undeliveredEvents: events.grouped(({ id, worldId }) =>
      deliveriesByEvent.of(id).size === 0 ? worldId : null,
    ),
  };
}
