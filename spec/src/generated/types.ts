// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

/**
 * Type of an automation.
 */
export type AutomationType = "workflow" | "agent";
/**
 * Status of a dataset review request.
 */
export type ReviewStatus = "draft" | "open" | "paused" | "closed";
/**
 * Status of a run. The last four are terminal.
 *
 * - `created`: the run is being prepared and is not queued yet.
 * - `pending`: the run is queued.
 * - `running`: a worker executes the run.
 * - `waiting`: a workflow is paused until a person, a tool or a step continues it.
 * - `finalizing`: the main work is done and the results are being saved.
 * - `completed`: the run succeeded.
 * - `failed`: the run ended with an error or a timeout.
 * - `cancelled`: the run was cancelled before it completed.
 * - `rejected`: the run was refused before it started.
 */
export type RunStatus =
  "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
/**
 * A run event. `type` identifies its kind.
 */
export type RunEvent = RunCreatedEvent | RunStatusChangedEvent;

/**
 * One page of automations.
 */
export interface AutomationList {
  data: Automation[];
  total: number;
  limit: number;
  offset: number;
}
/**
 * A workflow or agent automation.
 */
export interface Automation {
  /**
   * ID of the automation. Begins with `wf_` for a workflow and with `agent_` for an agent.
   */
  id: string;
  type: AutomationType;
  slug: string;
  name: string;
  /**
   * ID of the folder. Null for a workflow in no folder, for an agent, and for a registry
   * entry without an owner.
   */
  folderId: string | null;
  /**
   * Path of the folder from the tenant root, separated by slashes. Null at the root and for
   * an agent.
   */
  folderPath: string | null;
  createdAt: string;
  description?: string;
  status?: string;
  version?: string;
  triggers?: AutomationTriggers;
  /**
   * False if the automation is registered but its workflow or agent does not exist.
   */
  implementationAvailable?: boolean;
  updatedAt?: string;
  inputSchema?: {
    [k: string]: unknown;
  };
  outputSchema?: {
    [k: string]: unknown;
  };
}
/**
 * Ways to start the automation.
 */
export interface AutomationTriggers {
  api?: boolean;
  email?: boolean;
  manual?: boolean;
  cron?: boolean;
}
/**
 * One page of runs.
 */
export interface RunList {
  data: RunSnapshot[];
  total: number;
  limit: number;
  offset: number;
}
/**
 * A run at the time of an event.
 */
export interface RunSnapshot {
  id: string;
  /**
   * ID of the automation. Begins with `wf_` for a workflow and with `agent_` for an agent.
   */
  automationId: string;
  type: AutomationType;
  status: RunStatus;
  /**
   * What started the run, for example `api`, `manual`, `email` or `cron`. Other values are
   * possible.
   */
  triggerType: string;
  createdAt: string;
  startedAt: string | null;
  /**
   * Set when the status is terminal.
   */
  completedAt: string | null;
  /**
   * Output of the run, if it exists and is small enough. Any JSON value.
   */
  output?: unknown;
  /**
   * True if `output` was omitted to limit the size of the event. Get the run to read its output.
   */
  outputOmitted?: boolean;
}
/**
 * The automation to run and its input.
 */
export interface RunStart {
  /**
   * ID or alias of the automation.
   */
  target: string;
  /**
   * Input of the run. Default: an empty object.
   */
  input?: {};
}
/**
 * Parts of a multipart upload.
 */
export interface FileUploadForm {
  /**
   * Content of the file. The file name and the media type of this part are stored with it.
   */
  file: string;
  /**
   * `run-input` and `builder-attachment` make the file temporary. Default: a durable file.
   */
  purpose?: string;
}
/**
 * The file to upload directly to storage.
 */
export interface FileUploadStart {
  filename: string;
  contentType: string;
  /**
   * Exact size of the content in bytes.
   */
  size: number;
  /**
   * SHA-256 digest of the content in lower-case hex. If present, it is verified when you
   * complete the upload.
   */
  sha256?: string;
  /**
   * `run-input` and `builder-attachment` make the file temporary. Default: a durable file.
   */
  purpose?: string | null;
}
/**
 * Where and how to send the content of an upload.
 */
export interface FileUpload {
  uploadId: string;
  /**
   * Signed URL. It is valid until `expiresAt`.
   */
  uploadUrl: string;
  method: "PUT";
  /**
   * Headers to send with the content.
   */
  headers: {};
  expiresAt: string;
}
/**
 * A field that the reviewer should check.
 */
export interface FocusField {
  /**
   * Path of the field in the expected output, with dots between its parts.
   */
  path: string;
  /**
   * Reason to check the field.
   */
  reason?: string | null;
}
/**
 * Progress of a dataset review request in a list.
 */
export interface ReviewProgress {
  total: number;
  pending: number;
  approved: number;
  edited: number;
  removed: number;
  /**
   * Number of examples without a decision.
   */
  remaining: number;
  /**
   * True if every example is approved, edited or removed.
   */
  complete: boolean;
}
/**
 * Progress of a dataset review request in the response to an update. The counter `removed` of
 * the list is named `rejected` here.
 */
export interface ReviewProgressDetail {
  total: number;
  pending: number;
  approved: number;
  edited: number;
  rejected: number;
  /**
   * Number of examples without a decision.
   */
  remaining: number;
  /**
   * True if every example is approved, edited or rejected.
   */
  complete: boolean;
}
/**
 * A dataset review request, as lists return it.
 */
export interface DatasetReviewRequest {
  id: string;
  /**
   * ID of the automation that owns the dataset.
   */
  automationId: string;
  title: string;
  instructions: string | null;
  focusFields: FocusField[];
  ignoredFields: string[];
  status: ReviewStatus;
  exampleNames: string[];
  progress: ReviewProgress;
  createdBy: string | null;
  createdAt: string;
  closedAt: string | null;
  /**
   * Display name of the automation that owns the dataset.
   */
  automationName: string;
}
/**
 * A dataset review request with its items and events, as an update returns it.
 */
export interface DatasetReviewRequestDetail {
  id: string;
  /**
   * ID of the automation that owns the dataset.
   */
  automationId: string;
  title: string;
  instructions: string | null;
  focusFields: FocusField[];
  ignoredFields: string[];
  status: ReviewStatus;
  exampleNames: string[];
  progress: ReviewProgressDetail;
  createdBy: string | null;
  createdAt: string;
  closedAt: string | null;
  items: ReviewItem[];
  events: ReviewEvent[];
}
/**
 * One dataset example under review.
 */
export interface ReviewItem {
  id: string;
  reviewId: string;
  exampleName: string;
  /**
   * Input of the example at the start of the review.
   */
  snapshotInputJson?: {
    [k: string]: unknown;
  };
  /**
   * Expected output at the start of the review. Any JSON value.
   */
  snapshotExpectedJson?: unknown;
  snapshotManifest?: SnapshotManifest;
  /**
   * `pending` until a reviewer decides.
   */
  status: string;
  /**
   * Current expected output. Any JSON value.
   */
  currentExpectedJson?: unknown;
  fieldDecisions?: {
    [k: string]: unknown;
  };
  inputDrifted?: boolean;
  updatedBy?: string;
  updatedAt?: string;
}
/**
 * Files of an example at the start of the review.
 */
export interface SnapshotManifest {
  expectedFiles?: {
    name: string;
  }[];
  metadata?: {
    [k: string]: unknown;
  };
  inputFileHashes?: {
    path: string;
    sha256: string;
  }[];
}
/**
 * One entry in the history of a dataset review request.
 */
export interface ReviewEvent {
  id: string;
  reviewId: string;
  itemId?: string;
  actorUserId?: string;
  /**
   * The recorded action, for example `created`.
   */
  action: string;
  /**
   * The recorded changes. Any JSON value.
   */
  diffSummary?: unknown;
  createdAt: string;
}
/**
 * One page of dataset review requests.
 */
export interface DatasetReviewRequestList {
  data: DatasetReviewRequest[];
  total: number;
  limit: number;
  offset: number;
}
/**
 * Changes to a dataset review request.
 */
export interface DatasetReviewRequestUpdate {
  title?: string;
  instructions?: string;
  focusFields?: FocusField[];
  ignoredFields?: string[];
  status?: ReviewStatus;
}
/**
 * Review of a run by a person. Each field can be null or absent, because the only operation
 * that returns a review returns an empty one.
 */
export interface RunReview {
  id?: string | null;
  /**
   * For example `correct`.
   */
  verdict?: string | null;
  /**
   * For example `open`.
   */
  status?: string | null;
  note?: string | null;
  /**
   * ID of the user who reviewed the run.
   */
  reviewedBy?: string | null;
  /**
   * E-mail address of the user who reviewed the run.
   */
  reviewedByEmail?: string | null;
  reviewedAt?: string | null;
  closedBy?: string | null;
  /**
   * E-mail address of the user who closed the review.
   */
  closedByEmail?: string | null;
  closedAt?: string | null;
  closedNote?: string | null;
  createdAt?: string | null;
  updatedAt?: string | null;
  corrections?: ReviewCorrection[] | null;
  /**
   * The correct output. Any JSON value.
   */
  correctedOutput?: unknown;
}
/**
 * One correction in a run review.
 */
export interface ReviewCorrection {
  id: string;
  /**
   * For example `field`.
   */
  kind?: string;
  path?: string;
  label?: string;
  note?: string;
  createdAt?: string;
  updatedAt?: string;
  /**
   * The value in the output of the run. Any JSON value.
   */
  originalValue?: unknown;
  /**
   * The correct value. Any JSON value.
   */
  correctedValue?: unknown;
  correctedArtifactPath?: string;
}
/**
 * The target folder of a workflow.
 */
export interface AutomationMove {
  /**
   * ID of the target folder, or null for the tenant root. If you also send `folderPath`, a
   * string is still validated, but the folder is not looked up.
   */
  folderId?: string | null;
  /**
   * Path of the target folder, separated by slashes. Missing folders are created. An empty
   * string or `/` is the tenant root. Takes precedence over `folderId`.
   */
  folderPath?: string;
}
/**
 * An agent, as lists return it.
 */
export interface Agent {
  id: string;
  slug: string;
  name: string;
  createdAt: string;
  description?: string;
  latestVersion?: string;
  latestCommit?: string;
  updatedAt?: string;
  config?: {
    [k: string]: unknown;
  };
  stats?: AgentStats;
}
/**
 * Usage statistics of an agent.
 */
export interface AgentStats {
  exampleCount?: number;
  totalExecutions?: number;
  lastExecutionAt?: string;
  avgDurationMs?: number;
  avgCredits?: number;
}
/**
 * One page of agents.
 */
export interface AgentList {
  data: Agent[];
  total: number;
  limit: number;
  offset: number;
}
/**
 * The new name of an expected file.
 */
export interface ExpectedFileRename {
  /**
   * New base name of the file.
   */
  newFilename?: string;
}
/**
 * A renamed expected file.
 */
export interface ExpectedFileRenamed {
  ok: boolean;
  filename: string;
  path: string;
}
/**
 * The output file to copy and its new name.
 */
export interface FeedbackExpectedCopy {
  /**
   * Name of an output file of the run.
   */
  outputFileName: string;
  /**
   * Name of the expected file. Default: the name of the output file.
   */
  expectedName?: string;
}
/**
 * The new expected file.
 */
export interface FeedbackExpectedCopied {
  /**
   * Name of the expected file, or its path separated by slashes.
   */
  name: string;
}
/**
 * Metadata of a file.
 */
export interface File {
  id: string;
  filename: string;
  contentType: string;
  /**
   * Size in bytes.
   */
  size: number;
  createdAt: string;
  /**
   * Purpose of a temporary file, which is deleted after 24 hours: `run-input` for an upload
   * before a run starts, `builder-attachment` for an intermediate file of the builder, of
   * any media type. Null or absent for a durable file.
   */
  purpose?: string | null;
}
/**
 * A document template.
 */
export interface Template {
  id: string;
  name: string;
  filename: string;
  format: "docx" | "xlsx";
  mimeType: string;
  tokens: TemplateToken[];
  grammar: TemplateGrammar;
  createdAt: string;
  description?: string;
  size?: number;
  sha256?: string;
  currentRevision?: TemplateRevision;
  updatedAt?: string;
}
/**
 * A placeholder in a template.
 */
export interface TemplateToken {
  name: string;
  path?: string[];
  /**
   * For example `variable`.
   */
  kind?: string;
  /**
   * For example `string`.
   */
  type?: string;
  required?: boolean;
  description?: string;
}
/**
 * Token syntax of a template.
 */
export interface TemplateGrammar {
  syntax?: string;
  tokenDiscovery?: boolean;
  capabilities?: string[];
}
/**
 * One revision of a template.
 */
export interface TemplateRevision {
  id?: string;
  number?: number;
  sha256?: string;
  createdAt?: string;
}
/**
 * One page of templates.
 */
export interface TemplateList {
  items: Template[];
  total: number;
}
/**
 * Resources that a run used.
 */
export interface RunUsage {
  tokens: {
    input: number;
    output: number;
    cacheRead: number;
    cacheWrite: number;
  };
  creditsCharged: number;
  /**
   * Duration in milliseconds.
   */
  durationMs: number;
  llmCallCount: number;
  ocrPagesProcessed: number;
  agentTurns: number;
}
/**
 * An experiment batch and its automation.
 */
export interface ExperimentReference {
  id: string;
  automationId: string;
}
/**
 * The identity and the scopes of an API key.
 */
export interface ApiKeyIdentity {
  ok: boolean;
  tenantId: string;
  tenantSlug?: string;
  tenantName?: string;
  userId: string;
  keyId: string;
  email?: string;
  name?: string;
  scope: string[];
  /**
   * True if the key can call every operation.
   */
  wildcardGranted: boolean;
}
/**
 * Envelope of every error response.
 */
export interface ErrorEnvelope {
  issues: Issue[];
  /**
   * ID of the request. Equals the header `x-request-id`.
   */
  requestId: string;
  /**
   * How to fix the request. Present if the server recognizes the mistake.
   */
  hint?: string;
  /**
   * URL of a documentation page about the error.
   */
  docsUrl?: string;
  /**
   * ID of the workflow that already uses the name. Present with the code
   * `workflow_name_conflict`.
   */
  conflictingWorkflowId?: string;
}
/**
 * One problem with the request.
 */
export interface Issue {
  /**
   * JSON path of the field, or `<root>` for the whole request.
   */
  field: string;
  message: string;
  /**
   * Machine-readable code, for example `invalid_value` or `not_found`.
   */
  code: string;
  severity: "error" | "warning";
}
/**
 * A top-level run was created.
 */
export interface RunCreatedEvent {
  /**
   * ID of the event. It stays the same on every attempt. Use it to detect duplicates.
   */
  id: string;
  type: "run.created";
  /**
   * Version of the event format. The current version is `2026-07-01`.
   */
  apiVersion: string;
  createdAt: string;
  /**
   * True for an event that the Send test action created. Its run does not exist. Do not
   * fetch or process it.
   */
  test: boolean;
  data: {
    run: RunSnapshot;
    previousStatus?: never;
    currentStatus?: never;
  };
}
/**
 * A top-level run changed from one stored status to another.
 */
export interface RunStatusChangedEvent {
  /**
   * ID of the event. It stays the same on every attempt. Use it to detect duplicates.
   */
  id: string;
  type: "run.status_changed";
  /**
   * Version of the event format. The current version is `2026-07-01`.
   */
  apiVersion: string;
  createdAt: string;
  /**
   * True for an event that the Send test action created. Its run does not exist. Do not
   * fetch or process it.
   */
  test: boolean;
  /**
   * The run after the change. `currentStatus` equals `run.status`.
   */
  data: {
    run: RunSnapshot;
    previousStatus: RunStatus;
    currentStatus: RunStatus;
  };
}
