import type { AgentRecord, AutomationRecord, FolderRecord, TemplateRecord } from './automations.ts';
import type { ExampleRecord, ExperimentRecord, ReviewRequestRecord } from './datasets.ts';
import type { DeliveryRecord, EventRecord, WebhookEndpointRecord } from './deliveries.ts';
import type { FileRecord, UploadRecord } from './files.ts';
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
  defaultWorldId: string | null;
  worlds: Record<string, World>;
  tenants: Record<string, TenantRecord>;
  users: Record<string, UserRecord>;
  /** Keyed by the secret itself: the one look-up that every request makes. */
  apiKeys: Record<string, ApiKeyRecord>;
  automations: Record<string, AutomationRecord>;
  folders: Record<string, FolderRecord>;
  agents: Record<string, AgentRecord>;
  templates: Record<string, TemplateRecord>;
  reviewRequests: Record<string, ReviewRequestRecord>;
  /** Ids per tenant in the order that the lists show them: newest first, then by id. */
  listed: {
    agents: Record<string, string[]>;
    automations: Record<string, string[]>;
    templates: Record<string, string[]>;
    reviewRequests: Record<string, string[]>;
    runs: Record<string, string[]>;
  };
  examples: Record<string, ExampleRecord>;
  /** Ids of examples per automation, by their names. */
  datasets: Record<string, string[]>;
  experiments: Record<string, ExperimentRecord>;
  files: Record<string, FileRecord>;
  uploads: Record<string, UploadRecord>;
  runs: Record<string, RunRecord>;
  runReviews: Record<string, RunReviewRecord>;
  webhookEndpoints: Record<string, WebhookEndpointRecord>;
  events: Record<string, EventRecord>;
  deliveries: Record<string, DeliveryRecord>;
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
