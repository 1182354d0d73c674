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
  /**
   * Entries of the page.
   */
  data: Automation[];
  /**
   * Total number of matching entries.
   */
  total: number;
  /**
   * Maximum number of entries on the page.
   */
  limit: number;
  /**
   * Number of skipped entries.
   */
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
  /**
   * Slug, used in the alias of the automation.
   */
  slug: string;
  /**
   * Display name.
   */
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
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Description of the automation.
   */
  description?: string;
  /**
   * Status of the automation.
   */
  status?: string;
  /**
   * Version of the automation.
   */
  version?: string;
  triggers?: AutomationTriggers;
  /**
   * False if the automation is registered but its workflow or agent does not exist.
   */
  implementationAvailable?: boolean;
  /**
   * Time of the last change.
   */
  updatedAt?: string;
  /**
   * JSON Schema of the input.
   */
  inputSchema?: {
    [k: string]: unknown;
  };
  /**
   * JSON Schema of the output.
   */
  outputSchema?: {
    [k: string]: unknown;
  };
}
/**
 * Ways to start the automation.
 */
export interface AutomationTriggers {
  /**
   * True if the API can start it.
   */
  api?: boolean;
  /**
   * True if an e-mail can start it.
   */
  email?: boolean;
  /**
   * True if a person can start it.
   */
  manual?: boolean;
  /**
   * True if a schedule can start it.
   */
  cron?: boolean;
}
/**
 * One page of runs.
 */
export interface RunList {
  /**
   * Entries of the page.
   */
  data: RunSnapshot[];
  /**
   * Total number of matching entries.
   */
  total: number;
  /**
   * Maximum number of entries on the page.
   */
  limit: number;
  /**
   * Number of skipped entries.
   */
  offset: number;
}
/**
 * A run at the time of an event.
 */
export interface RunSnapshot {
  /**
   * ID of the run.
   */
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
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time at which the run started. Null before that.
   */
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
  /**
   * Name of the file.
   */
  filename: string;
  /**
   * Media type of the content.
   */
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
  /**
   * ID of the pending upload.
   */
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
  /**
   * Time until which `uploadUrl` is valid.
   */
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
  /**
   * Number of examples.
   */
  total: number;
  /**
   * Number of pending examples.
   */
  pending: number;
  /**
   * Number of approved examples.
   */
  approved: number;
  /**
   * Number of edited examples.
   */
  edited: number;
  /**
   * Number of removed examples.
   */
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
  /**
   * Number of examples.
   */
  total: number;
  /**
   * Number of pending examples.
   */
  pending: number;
  /**
   * Number of approved examples.
   */
  approved: number;
  /**
   * Number of edited examples.
   */
  edited: number;
  /**
   * Number of rejected examples.
   */
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
  /**
   * ID of the dataset review request.
   */
  id: string;
  /**
   * ID of the automation that owns the dataset.
   */
  automationId: string;
  /**
   * Title of the request.
   */
  title: string;
  /**
   * Instructions for the reviewer.
   */
  instructions: string | null;
  /**
   * Fields that the reviewer should check.
   */
  focusFields: FocusField[];
  /**
   * Fields that the reviewer can ignore.
   */
  ignoredFields: string[];
  status: ReviewStatus;
  /**
   * Names of the examples under review.
   */
  exampleNames: string[];
  progress: ReviewProgress;
  /**
   * User who created the request.
   */
  createdBy: string | null;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time at which the request was closed.
   */
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
  /**
   * ID of the dataset review request.
   */
  id: string;
  /**
   * ID of the automation that owns the dataset.
   */
  automationId: string;
  /**
   * Title of the request.
   */
  title: string;
  /**
   * Instructions for the reviewer.
   */
  instructions: string | null;
  /**
   * Fields that the reviewer should check.
   */
  focusFields: FocusField[];
  /**
   * Fields that the reviewer can ignore.
   */
  ignoredFields: string[];
  status: ReviewStatus;
  /**
   * Names of the examples under review.
   */
  exampleNames: string[];
  progress: ReviewProgressDetail;
  /**
   * User who created the request.
   */
  createdBy: string | null;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time at which the request was closed.
   */
  closedAt: string | null;
  /**
   * Examples under review.
   */
  items: ReviewItem[];
  /**
   * History of the request.
   */
  events: ReviewEvent[];
}
/**
 * One dataset example under review.
 */
export interface ReviewItem {
  /**
   * ID of the review item.
   */
  id: string;
  /**
   * ID of the dataset review request.
   */
  reviewId: string;
  /**
   * Name of the example.
   */
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
  /**
   * Decisions of the reviewer by field.
   */
  fieldDecisions?: {
    [k: string]: unknown;
  };
  /**
   * True if the input of the example has changed since the start of the review.
   */
  inputDrifted?: boolean;
  /**
   * User who made the last change.
   */
  updatedBy?: string;
  /**
   * Time of the last change.
   */
  updatedAt?: string;
}
/**
 * Files of an example at the start of the review.
 */
export interface SnapshotManifest {
  /**
   * Expected files.
   */
  expectedFiles?: {
    name: string;
  }[];
  /**
   * Metadata of the example.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * Input files with their digests.
   */
  inputFileHashes?: {
    path: string;
    sha256: string;
  }[];
}
/**
 * One entry in the history of a dataset review request.
 */
export interface ReviewEvent {
  /**
   * ID of the event.
   */
  id: string;
  /**
   * ID of the dataset review request.
   */
  reviewId: string;
  /**
   * ID of the review item.
   */
  itemId?: string;
  /**
   * ID of the user who caused the event.
   */
  actorUserId?: string;
  /**
   * The recorded action, for example `created`.
   */
  action: string;
  /**
   * The recorded changes. Any JSON value.
   */
  diffSummary?: unknown;
  /**
   * Time of the event.
   */
  createdAt: string;
}
/**
 * One page of dataset review requests.
 */
export interface DatasetReviewRequestList {
  /**
   * Entries of the page.
   */
  data: DatasetReviewRequest[];
  /**
   * Total number of matching entries.
   */
  total: number;
  /**
   * Maximum number of entries on the page.
   */
  limit: number;
  /**
   * Number of skipped entries.
   */
  offset: number;
}
/**
 * Changes to a dataset review request.
 */
export interface DatasetReviewRequestUpdate {
  /**
   * New title.
   */
  title?: string;
  /**
   * New instructions.
   */
  instructions?: string;
  /**
   * New list of focus fields.
   */
  focusFields?: FocusField[];
  /**
   * New list of ignored fields.
   */
  ignoredFields?: string[];
  status?: ReviewStatus;
}
/**
 * Review of a run by a person. Each field can be null or absent, because the only operation
 * that returns a review returns an empty one.
 */
export interface RunReview {
  /**
   * ID of the review.
   */
  id?: string | null;
  /**
   * For example `correct`.
   */
  verdict?: string | null;
  /**
   * For example `open`.
   */
  status?: string | null;
  /**
   * Note of the reviewer.
   */
  note?: string | null;
  /**
   * ID of the user who reviewed the run.
   */
  reviewedBy?: string | null;
  /**
   * E-mail address of the user who reviewed the run.
   */
  reviewedByEmail?: string | null;
  /**
   * Time of the review.
   */
  reviewedAt?: string | null;
  /**
   * ID of the user who closed the review.
   */
  closedBy?: string | null;
  /**
   * E-mail address of the user who closed the review.
   */
  closedByEmail?: string | null;
  /**
   * Time at which the review was closed.
   */
  closedAt?: string | null;
  /**
   * Note of the user who closed the review.
   */
  closedNote?: string | null;
  /**
   * Time of creation.
   */
  createdAt?: string | null;
  /**
   * Time of the last change.
   */
  updatedAt?: string | null;
  /**
   * Corrections of the output.
   */
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
  /**
   * ID of the correction.
   */
  id: string;
  /**
   * For example `field`.
   */
  kind?: string;
  /**
   * Path of the corrected field.
   */
  path?: string;
  /**
   * Display name of the corrected field.
   */
  label?: string;
  /**
   * Note of the reviewer.
   */
  note?: string;
  /**
   * Time of creation.
   */
  createdAt?: string;
  /**
   * Time of the last change.
   */
  updatedAt?: string;
  /**
   * The value in the output of the run. Any JSON value.
   */
  originalValue?: unknown;
  /**
   * The correct value. Any JSON value.
   */
  correctedValue?: unknown;
  /**
   * Path of the corrected file.
   */
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
  /**
   * ID of the agent.
   */
  id: string;
  /**
   * Slug of the agent.
   */
  slug: string;
  /**
   * Display name.
   */
  name: string;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Description of the agent.
   */
  description?: string;
  /**
   * Latest version.
   */
  latestVersion?: string;
  /**
   * Commit of the latest version.
   */
  latestCommit?: string;
  /**
   * Time of the last change.
   */
  updatedAt?: string;
  /**
   * Configuration of the agent.
   */
  config?: {
    [k: string]: unknown;
  };
  stats?: AgentStats;
}
/**
 * Usage statistics of an agent.
 */
export interface AgentStats {
  /**
   * Number of dataset examples.
   */
  exampleCount?: number;
  /**
   * Number of runs.
   */
  totalExecutions?: number;
  /**
   * Time of the last run.
   */
  lastExecutionAt?: string;
  /**
   * Average duration of a run in milliseconds.
   */
  avgDurationMs?: number;
  /**
   * Average number of credits per run.
   */
  avgCredits?: number;
}
/**
 * One page of agents.
 */
export interface AgentList {
  /**
   * Entries of the page.
   */
  data: Agent[];
  /**
   * Total number of matching entries.
   */
  total: number;
  /**
   * Maximum number of entries on the page.
   */
  limit: number;
  /**
   * Number of skipped entries.
   */
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
  /**
   * True if the file was renamed.
   */
  ok: boolean;
  /**
   * New base name.
   */
  filename: string;
  /**
   * New path.
   */
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
  /**
   * ID of the file.
   */
  id: string;
  /**
   * Name of the file.
   */
  filename: string;
  /**
   * Media type of the content.
   */
  contentType: string;
  /**
   * Size in bytes.
   */
  size: number;
  /**
   * Time of creation.
   */
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
  /**
   * ID of the template.
   */
  id: string;
  /**
   * Display name.
   */
  name: string;
  /**
   * Name of the file.
   */
  filename: string;
  /**
   * Document format.
   */
  format: "docx" | "xlsx";
  /**
   * Media type of the file.
   */
  mimeType: string;
  /**
   * Placeholders of the template.
   */
  tokens: TemplateToken[];
  grammar: TemplateGrammar;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Description of the template.
   */
  description?: string;
  /**
   * Size in bytes.
   */
  size?: number;
  /**
   * SHA-256 digest of the file.
   */
  sha256?: string;
  currentRevision?: TemplateRevision;
  /**
   * Time of the last change.
   */
  updatedAt?: string;
}
/**
 * A placeholder in a template.
 */
export interface TemplateToken {
  /**
   * Name of the placeholder.
   */
  name: string;
  /**
   * Path of the value in the data.
   */
  path?: string[];
  /**
   * For example `variable`.
   */
  kind?: string;
  /**
   * For example `string`.
   */
  type?: string;
  /**
   * True if the value is required.
   */
  required?: boolean;
  /**
   * Description of the placeholder.
   */
  description?: string;
}
/**
 * Token syntax of a template.
 */
export interface TemplateGrammar {
  /**
   * Name of the token syntax.
   */
  syntax?: string;
  /**
   * True if tokens are found automatically.
   */
  tokenDiscovery?: boolean;
  /**
   * Supported features of the syntax.
   */
  capabilities?: string[];
}
/**
 * One revision of a template.
 */
export interface TemplateRevision {
  /**
   * ID of the revision.
   */
  id?: string;
  /**
   * Number of the revision.
   */
  number?: number;
  /**
   * SHA-256 digest of the file.
   */
  sha256?: string;
  /**
   * Time of creation.
   */
  createdAt?: string;
}
/**
 * One page of templates.
 */
export interface TemplateList {
  /**
   * Templates of the page.
   */
  items: Template[];
  /**
   * Total number of templates.
   */
  total: number;
}
/**
 * Resources that a run used.
 */
export interface RunUsage {
  /**
   * Number of model tokens by kind.
   */
  tokens: {
    input: number;
    output: number;
    cacheRead: number;
    cacheWrite: number;
  };
  /**
   * Number of charged credits.
   */
  creditsCharged: number;
  /**
   * Duration in milliseconds.
   */
  durationMs: number;
  /**
   * Number of model calls.
   */
  llmCallCount: number;
  /**
   * Number of pages processed with OCR.
   */
  ocrPagesProcessed: number;
  /**
   * Number of agent turns.
   */
  agentTurns: number;
}
/**
 * An experiment batch and its automation.
 */
export interface ExperimentReference {
  /**
   * ID of the experiment batch.
   */
  id: string;
  /**
   * ID of the automation that owns it.
   */
  automationId: string;
}
/**
 * The identity and the scopes of an API key.
 */
export interface ApiKeyIdentity {
  /**
   * True if the key is valid.
   */
  ok: boolean;
  /**
   * ID of the tenant.
   */
  tenantId: string;
  /**
   * Slug of the tenant.
   */
  tenantSlug?: string;
  /**
   * Display name of the tenant.
   */
  tenantName?: string;
  /**
   * ID of the user.
   */
  userId: string;
  /**
   * ID of the key.
   */
  keyId: string;
  /**
   * E-mail address of the user.
   */
  email?: string;
  /**
   * Name of the key.
   */
  name?: string;
  /**
   * Scopes of the key.
   */
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
  /**
   * Problems with the request.
   */
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
  /**
   * Description of the problem, for people.
   */
  message: string;
  /**
   * Machine-readable code, for example `invalid_value` or `not_found`.
   */
  code: string;
  /**
   * Severity of the problem.
   */
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
  /**
   * Time of the event.
   */
  createdAt: string;
  /**
   * True for an event that the Send test action created. Its run does not exist. Do not
   * fetch or process it.
   */
  test: boolean;
  /**
   * The new run.
   */
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
  /**
   * Time of the event.
   */
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
