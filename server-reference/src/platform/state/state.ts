import type { AgentRecord, AutomationRecord, FolderRecord, TemplateRecord } from './automations.ts';
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
import type { DeepReadonly } from './read-only.ts';
import type { RunRecord, RunReviewRecord } from './runs.ts';
import type { ApiKeyRecord, TenantRecord, UserRecord } from './tenants.ts';
import type { World } from './world.ts';

/** The version of the data file. Files of other versions are refused. */
export const STATE_FORMAT = 4;

/** The whole state of the server: plain JSON, with records keyed by id. Only a commit may change it. */
export interface State {
  format: typeof STATE_FORMAT;
  /** The input of `nextId`: the same seed gives the same ids. */
  ids: { seed: number; drawn: number };
  /** The bearer token of the control interface. */
  controlToken: string;
  /** The world created at the first start; null before that. */
  defaultWorldId: WorldId | null;
  worlds: Record<WorldId, World>;
  tenants: Record<TenantId, TenantRecord>;
  users: Record<UserId, UserRecord>;
  /** Keyed by the secret, because every request looks it up. */
  apiKeys: Record<ApiKeySecret, ApiKeyRecord>;
  automations: Record<AutomationId, AutomationRecord>;
  folders: Record<FolderId, FolderRecord>;
  agents: Record<AutomationId, AgentRecord>;
  templates: Record<TemplateId, TemplateRecord>;
  reviewRequests: Record<ReviewRequestId, ReviewRequestRecord>;
  /** Ids per tenant in the order of the lists: newest first, then by id. */
  listed: {
    agents: Record<TenantId, AutomationId[]>;
    automations: Record<TenantId, AutomationId[]>;
    templates: Record<TenantId, TemplateId[]>;
    reviewRequests: Record<TenantId, ReviewRequestId[]>;
    runs: Record<TenantId, RunId[]>;
  };
  examples: Record<ExampleId, ExampleRecord>;
  /** Ids of examples per automation, ordered by name. */
  datasets: Record<AutomationId, ExampleId[]>;
  experiments: Record<ExperimentId, ExperimentRecord>;
  files: Record<FileId, FileRecord>;
  uploads: Record<UploadId, UploadRecord>;
  runs: Record<RunId, RunRecord>;
  runReviews: Record<RunId, RunReviewRecord>;
  webhookEndpoints: Record<WebhookEndpointId, WebhookEndpointRecord>;
  events: Record<EventId, EventRecord>;
  deliveries: Record<DeliveryId, DeliveryRecord>;
}

/** The state for readers. */
export type ReadonlyState = DeepReadonly<State>;

/** Returns a state without records. */
export function emptyState(seed: number, controlToken: string): State {
  return {
    format: STATE_FORMAT,
    ids: { seed, drawn: 0 },
    controlToken,
    defaultWorldId: null,
    worlds: {},
    tenants: {},
    users: {},
    apiKeys: {},
    automations: {},
    folders: {},
    agents: {},
    templates: {},
    reviewRequests: {},
    listed: { agents: {}, automations: {}, templates: {}, reviewRequests: {}, runs: {} },
    examples: {},
    datasets: {},
    experiments: {},
    files: {},
    uploads: {},
    runs: {},
    runReviews: {},
    webhookEndpoints: {},
    events: {},
    deliveries: {},
  };
}
