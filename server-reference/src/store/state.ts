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
import { Table } from './table.ts';
import type { ReadonlyTable } from './table.ts';
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
  /** The number of ended runs that each world retains. */
  readonly historyLimit: number;
  /** The value of `changes` when the history was last pruned. */
  prunedAt: number;
  /** The size of the data file; 0 in memory. */
  fileBytes: number;
  /** Grows with each change of a record. */
  changes: number;
  /** Called before each change of a record, with its table and the id that it has there; null if nobody asks. */
  onChange: ((table: keyof Tables, id: string) => void) | null;
}

/** The whole state of the server. Only a commit may change it. */
export interface State extends Singles, Process, Readonly<Tables> {
  /** All of them, for the store, which writes and reads them. */
  readonly tables: Readonly<Tables>;
}

type ReadonlyTables = {
  readonly [Name in keyof Tables]: Tables[Name] extends Table<infer _Id, infer T>
    ? ReadonlyTable<T>
    : never;
};

/** The state for readers. */
export interface ReadonlyState
  extends Readonly<Omit<Singles, 'ids'>>, Readonly<Omit<Process, 'onChange'>>, ReadonlyTables {
  readonly ids: Readonly<Singles['ids']>;
}

/** The default of {@link Process.historyLimit}. */
export const DEFAULT_HISTORY_LIMIT = 1_000;

/** Returns a state without records. */
export function emptyState(
  seed: number,
  controlToken: string,
  historyLimit: number = DEFAULT_HISTORY_LIMIT,
): State {
  const tables = emptyTables((table, id) => {
    state.onChange?.(table, id);
    state.changes += 1;
  });
  const state: State = {
    ids: { seed, drawn: 0 },
    controlToken,
    defaultWorldId: null,
    startedAt: null,
    historyLimit,
    prunedAt: 0,
    fileBytes: 0,
    changes: 0,
    onChange: null,
    tables,
    ...tables,
  };
  return state;
}

function emptyTables(onChange: (table: keyof Tables, id: string) => void): Tables {
  const table = <I extends string, T extends { readonly id: I }>(name: keyof Tables): Table<I, T> =>
    new Table(
      ({ id }) => id,
      (id) => onChange(name, id),
    );
  return {
    worlds: table('worlds'),
    tenants: table('tenants'),
    users: table('users'),
    apiKeys: new Table(
      ({ key }) => key,
      (key) => onChange('apiKeys', key),
    ),
    automations: table('automations'),
    folders: table('folders'),
    agents: table('agents'),
    templates: table('templates'),
    reviewRequests: table('reviewRequests'),
    examples: table('examples'),
    evaluators: table('evaluators'),
    experiments: table('experiments'),
    files: table('files'),
    uploads: table('uploads'),
    runs: table('runs'),
    runReviews: table('runReviews'),
    webhookEndpoints: table('webhookEndpoints'),
    events: table('events'),
    deliveries: table('deliveries'),
  };
}
