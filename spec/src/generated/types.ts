// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

/**
 * The two kinds of automation.
 */
export type AutomationType = "workflow" | "agent";
/**
 * Status of a dataset review request.
 */
export type ReviewStatus = "draft" | "open" | "paused" | "closed";
/**
 * Status of a run. `created`: being prepared, before the queue. `pending`: in the queue. `running`:
 * a worker has it. `waiting`: a workflow pauses for a person, a tool or a step. `finalizing`: the
 * main work is over and results are being saved. The last four are terminal.
 */
export type RunStatus =
  "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
/**
 * Any event about a run. `type` tells which.
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
 * A workflow or an agent.
 */
export interface Automation {
  /**
   * Begins with `wf_` for a workflow, with `agent_` for an agent.
   */
  id: string;
  type: AutomationType;
  slug: string;
  name: string;
  /**
   * Null for a workflow outside all folders, for an agent, and for a registry row without an owner.
   */
  folderId: string | null;
  /**
   * Path from the tenant root, with slashes. Null at the root and for an agent.
   */
  folderPath: string | null;
  createdAt: string;
  description?: string;
  status?: string;
  version?: string;
  triggers?: AutomationTriggers;
  /**
   * False when the registry knows the automation but its implementation is missing.
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
 * The ways in which an automation may be started.
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
 * A run at the moment of an event.
 */
export interface RunSnapshot {
  id: string;
  /**
   * Begins with `wf_` for a workflow, with `agent_` for an agent.
   */
  automationId: string;
  type: AutomationType;
  status: RunStatus;
  /**
   * What started the run, such as `api`, `manual`, `email` or `cron`. More may come.
   */
  triggerType: string;
  createdAt: string;
  startedAt: string | null;
  /**
   * Set once the status is terminal.
   */
  completedAt: string | null;
  /**
   * The result, when there is one and it is small enough. Any JSON value.
   */
  output?: unknown;
  /**
   * True when `output` was left out to keep the event small. Read the run to get it.
   */
  outputOmitted?: boolean;
}
/**
 * What to run, and on what.
 */
export interface RunStart {
  /**
   * Id or alias of the automation.
   */
  target: string;
  /**
   * What the run works on. An empty object when absent.
   */
  input?: {};
}
/**
 * The parts of a multipart upload.
 */
export interface FileUploadForm {
  /**
   * The bytes; the part's own file name and media type are kept.
   */
  file: string;
  /**
   * `run-input` and `builder-attachment` make a temporary file.
   */
  purpose?: string;
}
/**
 * The file that is to be sent straight to storage.
 */
export interface FileUploadStart {
  filename: string;
  contentType: string;
  /**
   * Bytes, exactly.
   */
  size: number;
  /**
   * The digest of the bytes in hex. Checked on completion when given.
   */
  sha256?: string;
  /**
   * `run-input` and `builder-attachment` make a temporary file.
   */
  purpose?: string | null;
}
/**
 * Where the bytes of an upload are to go.
 */
export interface FileUpload {
  uploadId: string;
  /**
   * Signed; good until `expiresAt`.
   */
  uploadUrl: string;
  method: "PUT";
  /**
   * Headers to send with the bytes.
   */
  headers: {};
  expiresAt: string;
}
/**
 * A field that the reviewer is asked to look at.
 */
export interface FocusField {
  /**
   * Dotted path into the expected output.
   */
  path: string;
  /**
   * Why the field deserves a look.
   */
  reason?: string | null;
}
/**
 * How far a review has come, as lists report it.
 */
export interface ReviewProgress {
  total: number;
  pending: number;
  approved: number;
  edited: number;
  removed: number;
  /**
   * Examples that still await a decision.
   */
  remaining: number;
  /**
   * True once every example is approved, edited or removed.
   */
  complete: boolean;
}
/**
 * How far a review has come, as an update reports it. What lists call `removed` is called `rejected` here.
 */
export interface ReviewProgressDetail {
  total: number;
  pending: number;
  approved: number;
  edited: number;
  rejected: number;
  /**
   * Examples that still await a decision.
   */
  remaining: number;
  /**
   * True once every example is approved, edited or rejected.
   */
  complete: boolean;
}
/**
 * A request to review dataset examples, as the inbox lists it.
 */
export interface DatasetReviewRequest {
  id: string;
  /**
   * The automation that owns the dataset.
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
 * A request to review dataset examples, as an update returns it, with items and history.
 */
export interface DatasetReviewRequestDetail {
  id: string;
  /**
   * The automation that owns the dataset.
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
   * The input of the example when the review began.
   */
  snapshotInputJson?: {
    [k: string]: unknown;
  };
  /**
   * The expected output when the review began. Any JSON value.
   */
  snapshotExpectedJson?: unknown;
  snapshotManifest?: SnapshotManifest;
  /**
   * `pending` until somebody decides.
   */
  status: string;
  /**
   * The expected output as it stands now. Any JSON value.
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
 * The files of an example when the review began.
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
 * One entry in the history of a review request.
 */
export interface ReviewEvent {
  id: string;
  reviewId: string;
  itemId?: string;
  actorUserId?: string;
  /**
   * What happened, for example `created`.
   */
  action: string;
  /**
   * What changed. Any JSON value.
   */
  diffSummary?: unknown;
  createdAt: string;
}
/**
 * One page of the inbox.
 */
export interface DatasetReviewRequestList {
  data: DatasetReviewRequest[];
  total: number;
  limit: number;
  offset: number;
}
/**
 * What to change about a review request.
 */
export interface DatasetReviewRequestUpdate {
  title?: string;
  instructions?: string;
  focusFields?: FocusField[];
  ignoredFields?: string[];
  status?: ReviewStatus;
}
/**
 * The human verdict on a run. The one operation that returns it returns the empty state, so each
 * field may be null or absent.
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
   * User id of the reviewer.
   */
  reviewedBy?: string | null;
  /**
   * E-mail address of the reviewer.
   */
  reviewedByEmail?: string | null;
  reviewedAt?: string | null;
  closedBy?: string | null;
  /**
   * E-mail address of whoever closed the review.
   */
  closedByEmail?: string | null;
  closedAt?: string | null;
  closedNote?: string | null;
  createdAt?: string | null;
  updatedAt?: string | null;
  corrections?: ReviewCorrection[] | null;
  /**
   * The output as it should have been. Any JSON value.
   */
  correctedOutput?: unknown;
}
/**
 * One correction within a run review.
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
   * What the run produced. Any JSON value.
   */
  originalValue?: unknown;
  /**
   * What it should have produced. Any JSON value.
   */
  correctedValue?: unknown;
  correctedArtifactPath?: string;
}
/**
 * Where to file a workflow.
 */
export interface AutomationMove {
  /**
   * Id of the target folder; null for the tenant root. When `folderPath` is sent as well, a string
   * here is still validated but not looked up.
   */
  folderId?: string | null;
  /**
   * Path of the target folder, with slashes. Folders that are missing are created. Empty or `/`
   * is the root. Wins over `folderId`.
   */
  folderPath?: string;
}
/**
 * An agent, as lists report it.
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
 * What an agent has done so far.
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
   * The new basename.
   */
  newFilename?: string;
}
/**
 * An expected file after its renaming.
 */
export interface ExpectedFileRenamed {
  ok: boolean;
  filename: string;
  path: string;
}
/**
 * Which output to copy, and under which name.
 */
export interface FeedbackExpectedCopy {
  /**
   * Name of an output file that the run has.
   */
  outputFileName: string;
  /**
   * Name to store it under. The name of the output file when absent.
   */
  expectedName?: string;
}
/**
 * The expected file that was written.
 */
export interface FeedbackExpectedCopied {
  /**
   * File name, or artifact path with slashes.
   */
  name: string;
}
/**
 * Metadata of a stored file.
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
   * `run-input` (uploaded ahead of a run) and `builder-attachment` (of the builder, any type) are
   * removed after 24 hours. Absent or null: the file stays and may be used again.
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
 * A place in a template that a value is put into.
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
 * How tokens are written in a template.
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
 * What a run took.
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
   * Milliseconds.
   */
  durationMs: number;
  llmCallCount: number;
  ocrPagesProcessed: number;
  agentTurns: number;
}
/**
 * An experiment batch and the automation that owns it.
 */
export interface ExperimentReference {
  id: string;
  automationId: string;
}
/**
 * Who a key speaks for and what it may do.
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
   * Whether the key covers every capability.
   */
  wildcardGranted: boolean;
}
/**
 * The one form of every error.
 */
export interface ErrorEnvelope {
  issues: Issue[];
  /**
   * The same id as in the header `x-request-id`.
   */
  requestId: string;
  /**
   * How the mistake is probably put right.
   */
  hint?: string;
  /**
   * Where to read more.
   */
  docsUrl?: string;
  /**
   * With `workflow_name_conflict`, the workflow that owns the name already.
   */
  conflictingWorkflowId?: string;
}
/**
 * One thing that is wrong with a request.
 */
export interface Issue {
  /**
   * JSON path of the field, or `<root>`.
   */
  field: string;
  message: string;
  /**
   * For programs, for example `invalid_value` or `not_found`.
   */
  code: string;
  severity: "error" | "warning";
}
/**
 * A top-level run came into being.
 */
export interface RunCreatedEvent {
  /**
   * Stable over all attempts. The key to recognise duplicates by.
   */
  id: string;
  type: "run.created";
  /**
   * Version of the event form. `2026-07-01` at present.
   */
  apiVersion: string;
  createdAt: string;
  /**
   * True for an event of the Send test action. Its run does not exist and must not be fetched or processed.
   */
  test: boolean;
  data: {
    run: RunSnapshot;
    previousStatus?: never;
    currentStatus?: never;
  };
}
/**
 * A top-level run moved from one stored status to another.
 */
export interface RunStatusChangedEvent {
  /**
   * Stable over all attempts. The key to recognise duplicates by.
   */
  id: string;
  type: "run.status_changed";
  /**
   * Version of the event form. `2026-07-01` at present.
   */
  apiVersion: string;
  createdAt: string;
  /**
   * True for an event of the Send test action. Its run does not exist and must not be fetched or processed.
   */
  test: boolean;
  /**
   * The run after the move. `currentStatus` is the same as `run.status`.
   */
  data: {
    run: RunSnapshot;
    previousStatus: RunStatus;
    currentStatus: RunStatus;
  };
}
