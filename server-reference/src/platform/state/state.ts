import type {
  AgentRecord,
  AutomationRecord,
  EvaluatorsRecord,
  FolderRecord,
  TemplateRecord,
} from './automations.ts';
import type { StoredTable } from './change-tracker.ts';
import type { ExampleRecord, ExperimentRecord, ReviewRequestRecord } from './datasets.ts';
import { exampleNameKey, examplePlace } from './example-order.ts';
import type {
  DeliveryRecord,
  EventRecord,
  ResponseBodyRecord,
  WebhookEndpointRecord,
} from './deliveries.ts';
import { factsOfDelivery, factsOfEvent, factsOfRun, hashesOf, sizeOfReview } from './facts.ts';
import type { DeliveryFacts, EventFacts, FactsByTable, RunFacts } from './facts.ts';
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
  ResponseBodyId,
  ReviewRequestId,
  RunId,
  TemplateId,
  TenantId,
  UploadId,
  UserId,
  WebhookEndpointId,
  WorldId,
} from './ids.ts';
import { keptSizes, sizeOf, sizeOfWhole } from './kept-sizes.ts';
import type { KeptSize, KeptTables } from './kept-sizes.ts';
import { isTerminal } from './run-transitions.ts';
import type { RunRecord, RunReviewRecord } from './runs.ts';
import type { Names } from './name-index.ts';
import { RecordTable } from './table.ts';
import type { OrderedIds, ReadonlyTable, Table } from './table.ts';
import type { Groups } from './group-index.ts';
import type { History } from './history-index.ts';
import type { ApiKeyRecord, TenantRecord, UserRecord } from './tenants.ts';
import type { World } from './world.ts';

/** The version of the data files. */
export const STATE_FORMAT = 8;
/**
 * The versions of the same files. In 7, records have no facts beside them; in 6, a journal also has whole
 * records only; in 5, records have large values in them too. A folder of these versions is moved forward.
 */
export const FORMER_FORMATS: readonly number[] = [7, 6, 5];

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
  responseBodies: Table<ResponseBodyId, ResponseBodyRecord>;
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
  };
  /** What expires, under {@link EXPIRING}, ordered by `expiresAt`. */
  readonly expiring: {
    readonly files: OrderedIds<FileId>;
    readonly uploads: OrderedIds<UploadId>;
  };
  /** What a prune may delete. */
  readonly history: {
    readonly deliveries: History<DeliveryId>;
    readonly unsentEvents: History<EventId>;
    readonly runs: History<RunId>;
    readonly runReviews: History<RunId>;
    readonly responseBodies: History<ResponseBodyId>;
  };
  /** What no prune deletes, by table. Add every new table here, unless it has a history. */
  readonly kept: readonly KeptSize[];
  /** The ids of the events that have deliveries. */
  readonly sentEvents: Names;
  /** The hashes of the bytes that records refer to. Add every new reference to files here. */
  readonly hashes: readonly Names[];
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

/** Facts about one process and its place for the state. They are not stored. */
interface Storing {
  /** Whether large values take disk instead of memory. */
  hasLargeValuesOnDisk: boolean;
  /**
   * When the server started, in milliseconds since the epoch by its clock; null until its first world
   * exists, and for a state that was read from a folder.
   */
  startedAt: number | null;
}

/** The whole state of the server. Only a commit may change it. */
export interface State extends Singles, Storing, Indexes, Readonly<Tables> {}

type ReadonlyTables = {
  readonly [Name in keyof Tables]: Tables[Name] extends Table<string, infer T>
    ? ReadonlyTable<T>
    : never;
};

/** The state for readers. */
export interface ReadonlyState
  extends Readonly<Omit<Singles, 'ids'>>, Readonly<Storing>, Indexes, ReadonlyTables {
  readonly ids: Readonly<Singles['ids']>;
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

interface Listed {
  readonly tenantId: string;
  readonly createdAt: string;
}

function newestFirst<I extends string, T extends object, F extends Listed>(
  table: RecordTable<I, T, F>,
): OrderedIds<I> {
  const filing = { owner: (one: F) => one.tenantId, key: (one: F) => one.createdAt };
  return table.ordered(filing, 'descending');
}

function byId<I extends string, T extends { readonly id: I }>(): RecordTable<I, T> {
  return new RecordTable<I, T>(({ id }) => id, null);
}

type RecordTables = {
  readonly [Name in keyof Tables]: Tables[Name] extends Table<infer I, infer T extends object>
    ? RecordTable<I, T, Name extends keyof FactsByTable ? FactsByTable[Name] : T>
    : never;
};

/** A state whose tables the store reads and fills. */
export interface StoredState extends Singles, Storing, Indexes, RecordTables {}

/** Returns the tables of a state by name. */
export function tablesOf({
  ids: _ids,
  controlToken: _controlToken,
  defaultWorldId: _defaultWorldId,
  hasLargeValuesOnDisk: _hasLargeValuesOnDisk,
  startedAt: _startedAt,
  listed: _listed,
  datasets: _datasets,
  exampleRows: _exampleRows,
  experimentRows: _experimentRows,
  grouped: _grouped,
  history: _history,
  kept: _kept,
  sentEvents: _sentEvents,
  expiring: _expiring,
  hashes: _hashes,
  ...tables
}: StoredState): Readonly<Record<keyof Tables, StoredTable>> {
  return tables;
}

/** Returns a state without records. */
export function emptyState(seed: number, controlToken: string): StoredState {
  const tables = emptyTables();
  const { agents, automations, templates, reviewRequests, runs } = tables;
  return {
    ids: { seed, drawn: 0 },
    controlToken,
    defaultWorldId: null,
    hasLargeValuesOnDisk: false,
    startedAt: null,
    ...tables,
    listed: {
      agents: newestFirst(agents),
      automations: newestFirst(automations),
      templates: newestFirst(templates),
      reviewRequests: newestFirst(reviewRequests),
      runs: newestFirst(runs),
    },
    datasets: tables.examples.ordered(
      { owner: ({ automationId }) => automationId, key: ({ name }) => name },
      'ascending',
    ),
    exampleRows: tables.examples.ordered(
      { owner: ({ automationId }) => automationId, key: examplePlace },
      'ascending',
    ),
    experimentRows: tables.experiments.ordered(
      { owner: ({ automationId }) => automationId, key: ({ createdAt }) => createdAt },
      'descending',
    ),
    grouped: {
      automationsBySlug: automations.grouped(({ tenantId, slug }) => slugKey(tenantId, slug)),
      foldersByParent: tables.folders.grouped(({ tenantId, parentId, name }) =>
        folderKey(tenantId, parentId, name),
      ),
      workflowsByFolder: automations.grouped(({ type, tenantId, folderId, name }) =>
        type === 'workflow' ? folderKey(tenantId, folderId, name) : null,
      ),
      uploadsByKey: tables.uploads.grouped(({ tenantId, idempotencyKey }) =>
        idempotencyKey === null ? null : uploadKey(tenantId, idempotencyKey),
      ),
      pendingDeliveries: tables.deliveries.grouped(({ status, endpointId }) =>
        status === 'pending' ? endpointId : null,
      ),
      uploadsByFile: tables.uploads.grouped(({ completedAt, fileId }) =>
        completedAt === null ? null : fileId,
      ),
      examplesByName: tables.examples.grouped(({ automationId, name }) =>
        exampleNameKey(automationId, name),
      ),
      runsByExperiment: runs.grouped(({ experimentId }) => experimentId),
      scheduledRuns: runs.grouped(({ isScheduled, tenantId }) => (isScheduled ? tenantId : null)),
    },
    expiring: {
      files: byExpiry(tables.files, () => true),
      uploads: byExpiry(tables.uploads, ({ completedAt }) => completedAt === null),
    },
    ...historyOf(tables),
    kept: keptSizes({ ...tables, others: unprunedTables(tables) }),
    hashes: hashIndexes(tables),
  };
}

function historyOf({
  worlds,
  runs,
  runReviews,
  events,
  deliveries,
  responseBodies,
}: RecordTables): Pick<Indexes, 'history' | 'sentEvents'> {
  const sentEvents = deliveries.naming(({ eventId }) => [eventId]);
  const fixtures = worlds.naming(({ fixtures: { runId, reviewedRunId, otherTenantRunId } }) => [
    runId,
    reviewedRunId,
    otherTenantRunId,
  ]);
  const isFixture = ({ id }: { readonly id: RunId }): boolean => fixtures.has(id);
  return {
    history: {
      deliveries: deliveries.history(({ status }) => status !== 'pending', sizeOf),
      unsentEvents: events.history(({ id }) => !sentEvents.has(id), sizeOf),
      runs: runs.history((run) => isTerminal(run.status) && !run.isKept && !isFixture(run), sizeOf),
      runReviews: runReviews.history((one) => !isFixture(one), sizeOfReview),
      responseBodies: responseBodies.history(() => true, sizeOfWhole),
    },
    sentEvents,
  };
}

function unprunedTables({
  runs: _runs,
  runReviews: _runReviews,
  events: _events,
  deliveries: _deliveries,
  responseBodies: _responseBodies,
  ...others
}: RecordTables): KeptTables['others'] {
  return Object.values(others);
}

function byExpiry<I extends string, T extends { readonly expiresAt: string | null }>(
  table: RecordTable<I, T>,
  canExpire: (record: T) => boolean,
): OrderedIds<I> {
  const filing = {
    owner: (one: T) => (one.expiresAt !== null && canExpire(one) ? EXPIRING : null),
    key: ({ expiresAt }: T) => expiresAt ?? '',
  };
  return table.ordered(filing, 'ascending');
}

function hashIndexes({
  files,
  uploads,
  examples,
  runs,
  runReviews,
}: RecordTables): readonly Names[] {
  return [
    files.naming(({ sha256 }) => [sha256]),
    uploads.naming(({ object }) => (object === null ? [] : [object.sha256])),
    examples.naming(({ input, expected }) => hashesOf([...input, ...expected])),
    runs.naming(({ hashes }) => hashes),
    runReviews.naming(({ expectedFiles }) => hashesOf(expectedFiles)),
  ];
}

function emptyTables(): RecordTables {
  const events = new RecordTable<EventId, EventRecord, EventFacts>(({ id }) => id, factsOfEvent);
  return {
    worlds: byId<WorldId, World>(),
    tenants: byId<TenantId, TenantRecord>(),
    users: byId<UserId, UserRecord>(),
    apiKeys: new RecordTable<ApiKeySecret, ApiKeyRecord>(({ key }) => key, null),
    automations: byId<AutomationId, AutomationRecord>(),
    folders: byId<FolderId, FolderRecord>(),
    agents: byId<AutomationId, AgentRecord>(),
    templates: byId<TemplateId, TemplateRecord>(),
    reviewRequests: byId<ReviewRequestId, ReviewRequestRecord>(),
    examples: byId<ExampleId, ExampleRecord>(),
    evaluators: byId<AutomationId, EvaluatorsRecord>(),
    experiments: byId<ExperimentId, ExperimentRecord>(),
    files: byId<FileId, FileRecord>(),
    uploads: byId<UploadId, UploadRecord>(),
    runs: new RecordTable<RunId, RunRecord, RunFacts>(({ id }) => id, factsOfRun),
    runReviews: byId<RunId, RunReviewRecord>(),
    webhookEndpoints: byId<WebhookEndpointId, WebhookEndpointRecord>(),
    events,
    deliveries: new RecordTable<DeliveryId, DeliveryRecord, DeliveryFacts>(
      ({ id }) => id,
      (delivery) => factsOfDelivery(delivery, events.get(delivery.eventId)),
    ),
    responseBodies: byId<ResponseBodyId, ResponseBodyRecord>(),
  };
}
