import type { AgentRecord } from '../state/agent.ts';
import type { AutomationRecord, FolderRecord } from '../state/automation.ts';
import type { DeliveryRecord } from '../state/delivery.ts';
import type { EventRecord } from '../state/event.ts';
import type { ExampleRecord } from '../state/example.ts';
import type { ExperimentRecord } from '../state/experiment.ts';
import type { FileRecord, UploadRecord } from '../state/file.ts';
import type { ReviewRequestRecord } from '../state/review-request.ts';
import type { RunReviewRecord } from '../state/run-review.ts';
import type { RunRecord } from '../state/run.ts';
import type { TemplateRecord } from '../state/template.ts';
import type { ApiKeyRecord, TenantRecord, UserRecord } from '../state/tenant.ts';
import type { WebhookEndpointRecord } from '../state/webhook-endpoint.ts';
import type { World } from '../state/world.ts';

/** The shape of the data file; a file of another format is refused. */
export const STATE_FORMAT = 3;

/** Everything the server remembers: plain JSON, records keyed by id. Look ids up with `find`. */
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
