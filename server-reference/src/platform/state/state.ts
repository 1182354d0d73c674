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

/** The shape of the data file; a file of another format is refused. */
export const STATE_FORMAT = 4;

/** Everything the server remembers: plain JSON, records keyed by id. Only a commit has it to change. */
export interface State {
  format: typeof STATE_FORMAT;
  /** Ids are drawn from these two with `nextId`, so that the same seed gives the same ids. */
  ids: { seed: number; drawn: number };
  /** The bearer token of the control interface. */
  controlToken: string;
  /** The world made at the first start; null only while that is under way. */
  defaultWorldId: WorldId | null;
  worlds: Record<WorldId, World>;
  tenants: Record<TenantId, TenantRecord>;
  users: Record<UserId, UserRecord>;
  /** Keyed by the secret itself: the one look-up that every request makes. */
  apiKeys: Record<ApiKeySecret, ApiKeyRecord>;
  automations: Record<AutomationId, AutomationRecord>;
  folders: Record<FolderId, FolderRecord>;
  agents: Record<AutomationId, AgentRecord>;
  templates: Record<TemplateId, TemplateRecord>;
  reviewRequests: Record<ReviewRequestId, ReviewRequestRecord>;
  /** Ids per tenant in the order that the lists show them: newest first, then by id. */
  listed: {
    agents: Record<TenantId, AutomationId[]>;
    automations: Record<TenantId, AutomationId[]>;
    templates: Record<TenantId, TemplateId[]>;
    reviewRequests: Record<TenantId, ReviewRequestId[]>;
    runs: Record<TenantId, RunId[]>;
  };
  examples: Record<ExampleId, ExampleRecord>;
  /** Ids of examples per automation, by their names. */
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

/** The state for whoever only reads it. */
export type ReadonlyState = DeepReadonly<State>;

/** A state that holds nothing yet. */
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
