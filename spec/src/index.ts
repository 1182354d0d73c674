import type { ReviewStatus, RunEvent, RunStatus } from './generated/types.ts';

export type {
  Agent,
  AgentList,
  AgentStats,
  ApiKeyIdentity,
  Automation,
  AutomationList,
  AutomationMove,
  AutomationTriggers,
  AutomationType,
  DatasetReviewRequest,
  DatasetReviewRequestDetail,
  DatasetReviewRequestList,
  DatasetReviewRequestUpdate,
  ErrorEnvelope,
  ExpectedFileRename,
  ExpectedFileRenamed,
  ExperimentReference,
  FeedbackExpectedCopied,
  FeedbackExpectedCopy,
  File,
  FileUpload,
  FileUploadForm,
  FileUploadStart,
  FocusField,
  Issue,
  ReviewCorrection,
  ReviewEvent,
  ReviewItem,
  ReviewProgress,
  ReviewProgressDetail,
  ReviewStatus,
  RunCreatedEvent,
  RunEvent,
  RunList,
  RunReview,
  RunSnapshot,
  RunStart,
  RunStatus,
  RunStatusChangedEvent,
  RunUsage,
  SnapshotManifest,
  Template,
  TemplateGrammar,
  TemplateList,
  TemplateRevision,
  TemplateToken,
} from './generated/types.ts';

/** The two types of event: `run.created` and `run.status_changed`. */
export type EventType = RunEvent['type'];

/** Every event type. */
export const EVENT_TYPES: readonly ['run.created', 'run.status_changed'] = [
  'run.created',
  'run.status_changed',
];

/** Every status of a run, in the usual order. */
export const RUN_STATUSES: readonly RunStatus[] = [
  'created',
  'pending',
  'running',
  'waiting',
  'finalizing',
  'completed',
  'failed',
  'cancelled',
  'rejected',
];

/** The terminal run statuses. */
export const TERMINAL_RUN_STATUSES: readonly RunStatus[] = [
  'completed',
  'failed',
  'cancelled',
  'rejected',
];

/** Every status of a dataset review request. */
export const REVIEW_STATUSES: readonly ReviewStatus[] = ['draft', 'open', 'paused', 'closed'];

/** The statuses in which a dataset review request accepts updates. */
export const EDITABLE_REVIEW_STATUSES: readonly ReviewStatus[] = ['draft', 'open', 'paused'];

/** The current `apiVersion` of events. You can receive events with other versions. */
export const API_VERSION = '2026-07-01';

/** Prefix of every event ID. */
export const EVENT_ID_PREFIX = 'whev_';

/** Prefix of every endpoint secret. */
export const SECRET_PREFIX = 'whsec_';

/** Prefix of the hex digest in the signature header. */
export const SIGNATURE_PREFIX = 'v1,';

/** Maximum difference between `webhook-timestamp` and the receiver's clock in either direction, in seconds. */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

/** Names of the three signature headers, in lower case. */
export const SIGNATURE_HEADERS: {
  readonly id: 'webhook-id';
  readonly timestamp: 'webhook-timestamp';
  readonly signature: 'webhook-signature';
} = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
};

/** The 4xx statuses after which a delivery is retried. Every 5xx is retried too. */
export const RETRIED_STATUSES: readonly number[] = [408, 425, 429];
