import type { ReviewStatus, RunEvent, RunStatus } from './generated/types.ts';

export type {
  Agent,
  AgentList,
  AgentStats,
  ApiKeyIdentity,
  Automation,
  AutomationMove,
  AutomationTriggers,
  AutomationType,
  CorrectedFile,
  CorrectedFileList,
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
  FocusField,
  Issue,
  ReviewCorrection,
  ReviewEvent,
  ReviewItem,
  ReviewProgress,
  ReviewProgressDetail,
  ReviewStatus,
  RunArtifact,
  RunCreatedEvent,
  RunDebug,
  RunEvaluation,
  RunEvent,
  RunExecution,
  RunFileName,
  RunGit,
  RunInput,
  RunRetry,
  RunReview,
  RunReviewSummary,
  RunRow,
  RunSnapshot,
  RunSource,
  RunStatus,
  RunStatusChangedEvent,
  RunStep,
  RunTiming,
  RunTrigger,
  RunUsage,
  RunUser,
  RunView,
  SnapshotManifest,
  Template,
  TemplateGrammar,
  TemplateList,
  TemplateRevision,
  TemplateToken,
} from './generated/types.ts';

/** The two types of event: `run.created` and `run.status_changed`. */
export type EventType = RunEvent['type'];

/**
 * Every event type.
 *
 * @example
 * ```ts
 * import { EVENT_TYPES } from '@hookproof/spec';
 * import type { EventType } from '@hookproof/spec';
 *
 * const isEventType = (type: string): type is EventType => EVENT_TYPES.some((one) => one === type);
 * console.log(isEventType('run.created')); // true
 * ```
 */
export const EVENT_TYPES: readonly ['run.created', 'run.status_changed'] = [
  'run.created',
  'run.status_changed',
];

/**
 * Every status of a run, in the usual order.
 *
 * @example
 * ```ts
 * import { RUN_STATUSES } from '@hookproof/spec';
 *
 * const runsByStatus = new Map(RUN_STATUSES.map((status) => [status, 0]));
 * console.log(runsByStatus.get('running')); // 0
 * ```
 */
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

/**
 * The terminal run statuses.
 *
 * @example
 * ```ts
 * import { TERMINAL_RUN_STATUSES } from '@hookproof/spec';
 * import type { RunSnapshot } from '@hookproof/spec';
 *
 * export function hasEnded(run: RunSnapshot): boolean {
 *   return TERMINAL_RUN_STATUSES.includes(run.status);
 * }
 * ```
 */
export const TERMINAL_RUN_STATUSES: readonly RunStatus[] = [
  'completed',
  'failed',
  'cancelled',
  'rejected',
];

/**
 * Every status of a dataset review request.
 *
 * @example
 * ```ts
 * import { REVIEW_STATUSES } from '@hookproof/spec';
 *
 * const statuses = REVIEW_STATUSES.filter((status) => status !== 'closed');
 * const path = `/v1/inbox/dataset-review-requests?status=${statuses.join(',')}`;
 * ```
 */
export const REVIEW_STATUSES: readonly ReviewStatus[] = ['draft', 'open', 'paused', 'closed'];

/**
 * The statuses in which a dataset review request accepts updates.
 *
 * @example
 * ```ts
 * import { EDITABLE_REVIEW_STATUSES } from '@hookproof/spec';
 * import type { DatasetReviewRequest } from '@hookproof/spec';
 *
 * export function canUpdate({ status }: DatasetReviewRequest): boolean {
 *   return EDITABLE_REVIEW_STATUSES.includes(status);
 * }
 * ```
 */
export const EDITABLE_REVIEW_STATUSES: readonly ReviewStatus[] = ['draft', 'open', 'paused'];

/**
 * The current `apiVersion` of events. You can receive events with other versions.
 *
 * @example
 * ```ts
 * import { API_VERSION } from '@hookproof/spec';
 * import type { RunEvent } from '@hookproof/spec';
 *
 * export function isCurrent(event: RunEvent): boolean {
 *   return event.apiVersion === API_VERSION;
 * }
 * ```
 */
export const API_VERSION = '2026-07-01';

/**
 * Prefix of every event ID.
 *
 * @example
 * ```ts
 * import { EVENT_ID_PREFIX } from '@hookproof/spec';
 *
 * const isEventId = (id: string): boolean => id.startsWith(EVENT_ID_PREFIX);
 * console.log(isEventId('whev_1')); // true
 * ```
 */
export const EVENT_ID_PREFIX = 'whev_';

/**
 * Prefix of every endpoint secret.
 *
 * @example
 * ```ts
 * import { SECRET_PREFIX } from '@hookproof/spec';
 *
 * const secret = process.env['WEBHOOK_SECRET'] ?? '';
 * if (!secret.startsWith(SECRET_PREFIX)) throw new TypeError(`Set WEBHOOK_SECRET to ${SECRET_PREFIX}….`);
 * ```
 */
export const SECRET_PREFIX = 'whsec_';

/**
 * Prefix of the hex digest in the signature header.
 *
 * @example
 * ```ts
 * import { SIGNATURE_PREFIX } from '@hookproof/spec';
 *
 * const header = (digest: Buffer): string => SIGNATURE_PREFIX + digest.toString('hex');
 * ```
 */
export const SIGNATURE_PREFIX = 'v1,';

/**
 * Maximum difference between `webhook-timestamp` and the receiver's clock in either direction, in seconds.
 *
 * @example
 * ```ts
 * import { TIMESTAMP_TOLERANCE_SECONDS } from '@hookproof/spec';
 *
 * export function isFresh(webhookTimestamp: number): boolean {
 *   const now = Math.floor(Date.now() / 1000);
 *   return Math.abs(now - webhookTimestamp) <= TIMESTAMP_TOLERANCE_SECONDS;
 * }
 * ```
 */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

/**
 * Names of the three signature headers, in lower case.
 *
 * @example
 * ```ts
 * import { SIGNATURE_HEADERS } from '@hookproof/spec';
 *
 * export function webhookId(headers: Headers): string | null {
 *   return headers.get(SIGNATURE_HEADERS.id);
 * }
 * ```
 */
export const SIGNATURE_HEADERS: {
  readonly id: 'webhook-id';
  readonly timestamp: 'webhook-timestamp';
  readonly signature: 'webhook-signature';
} = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
};

/**
 * The 4xx statuses after which a delivery is retried. Every 5xx is retried too.
 *
 * @example
 * ```ts
 * import { RETRIED_STATUSES } from '@hookproof/spec';
 *
 * export function isRetried(status: number): boolean {
 *   return status >= 500 || RETRIED_STATUSES.includes(status);
 * }
 * ```
 */
export const RETRIED_STATUSES: readonly number[] = [408, 425, 429];
