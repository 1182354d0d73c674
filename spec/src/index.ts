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

/** Every status a run can have, in the order in which a run usually meets them. */
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

/** The run statuses that a run never leaves. */
export const TERMINAL_RUN_STATUSES: readonly RunStatus[] = [
  'completed',
  'failed',
  'cancelled',
  'rejected',
];

/** Every status a dataset review request can have. */
export const REVIEW_STATUSES: readonly ReviewStatus[] = ['draft', 'open', 'paused', 'closed'];

/** The review statuses in which a request accepts changes. */
export const EDITABLE_REVIEW_STATUSES: readonly ReviewStatus[] = ['draft', 'open', 'paused'];

/** The current `apiVersion` of events. Events of other versions may arrive. */
export const API_VERSION = '2026-07-01';

/** How every event id begins. */
export const EVENT_ID_PREFIX = 'whev_';

/** How every endpoint secret begins. */
export const SECRET_PREFIX = 'whsec_';

/** What stands before the hex digest in the signature header. */
export const SIGNATURE_PREFIX = 'v1,';

/** How far `webhook-timestamp` may be from the receiver's clock, either way, in seconds. */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

/** Names of the three headers that a signature is made of, in lower case. */
export const SIGNATURE_HEADERS: {
  readonly id: 'webhook-id';
  readonly timestamp: 'webhook-timestamp';
  readonly signature: 'webhook-signature';
} = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
};

/** The 4xx answers after which a delivery is tried again. So it is after every 5xx. */
export const RETRIED_STATUSES: readonly number[] = [408, 425, 429];
