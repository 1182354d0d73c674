// Generated from spec/control.yaml by `npm run generate`. Do not edit.
import type {AutomationType, RunStatus} from "./types.ts";

/**
 * A scope of an API key. The contract names three of them.
 */
export type Scope =
  | "dataset_review:read"
  | "dataset_review:write"
  | "workflow:read"
  | "workflow:write"
  | "run:write"
  | "run_review:write"
  | "file:read"
  | "file:write"
  | "ocr:full";
/**
 * Origin of a run. Only `top-level` runs send events.
 */
export type RunOrigin = "top-level" | "invoke-workflow" | "evaluation";
/**
 * A delivery fault for the deliveries of the run that you create with it. It has no `runId` and no `eventId`.
 */
export type RunDeliveryFaultOrder = DeliveryFaultOrder & {
  runId?: never;
  eventId?: never;
};
/**
 * The delivery fault to inject. It matches the deliveries of the given `endpointId`, `runId`
 * and `eventId`. Default: all deliveries.
 */
export type DeliveryFaultOrder =
  | DuplicateOrder
  | ReorderOrder
  | DelayOrder
  | DropThenRedeliverOrder
  | StaleTimestampOrder
  | FutureTimestampOrder
  | WrongSecretOrder
  | TamperedBodyOrder
  | TruncatedBodyOrder
  | SlowDripOrder;
/**
 * A delivery fault for the deliveries that you create with it. It has no `endpointId`, `runId`
 * and `eventId`.
 */
export type EventDeliveryFaultOrder = DeliveryFaultOrder & {
  endpointId?: never;
  runId?: never;
  eventId?: never;
};
/**
 * Status of a delivery.
 */
export type DeliveryStatus = "pending" | "delivered" | "ended";
/**
 * Name of a delivery fault.
 */
export type DeliveryFaultName =
  | "duplicate"
  | "reorder"
  | "delay"
  | "drop-then-redeliver"
  | "stale-timestamp"
  | "future-timestamp"
  | "wrong-secret"
  | "tampered-body"
  | "truncated-body"
  | "slow-drip";
/**
 * Type of an event.
 */
export type EventType = "run.created" | "run.status_changed";
/**
 * Headers as pairs of name and value, in their order.
 */
export type HeaderList = string[][];
/**
 * Response of a sink to one request.
 */
export type SinkResponse = StatusResponse | HangResponse | ResetResponse;
/**
 * Responses in order. The last one is repeated. An incomplete request does not use up a
 * response. Default: one response with status 200.
 *
 * @minItems 1
 * @maxItems 1000
 */
export type SinkScript = SinkResponse[];
/**
 * Whether the API can count requests. While it cannot, it processes none.
 */
export type Accounting = "available" | "unavailable";
/**
 * Step of a request, in the order of processing.
 *
 * - `form`: the request is well-formed.
 * - `signature`: a signed URL is valid.
 * - `key`: the API key is valid.
 * - `limit`: the key is within its rate limit.
 * - `fault`: no API fault ends the request.
 * - `route`: an operation has this path and method.
 * - `scope`: the key has the scope of the operation.
 * - `validation`: query and body match their schemas.
 * - `handler`: the operation does its work.
 */
export type RequestStep =
  "form" | "signature" | "key" | "limit" | "fault" | "route" | "scope" | "validation" | "handler";
/**
 * An event of the stream. `data` is sent as JSON.
 */
export type StreamEvent =
  | StreamReady
  | StreamReset
  | StreamRun
  | StreamDelivery
  | StreamAttempt
  | StreamRequest
  | StreamEndpoint
  | StreamApiFault
  | StreamDeliveryFault
  | StreamWorld
  | StreamKey
  | StreamWebhookEvent
  | StreamSink
  | StreamLimits
  | StreamClock
  | StreamRemoved;
/**
 * The state to wait for.
 */
export type Wait = DeliveryWait | DeliveriesWait | RunWait | IdleWait | SinkWait | ApiFaultWait | DeliveryFaultWait;

/**
 * An empty object.
 */
export interface Empty {}
/**
 * The world to create.
 */
export interface WorldCreation {
  /**
   * A text of yours that marks the world in the list of worlds.
   */
  label?: string;
  /**
   * Whether the world is left out of the data folder of the server: after a restart it is
   * gone. The suite creates its worlds so. Default false.
   */
  temporary?: boolean;
}
/**
 * A list of worlds.
 */
export interface WorldList {
  /**
   * Entries of the list.
   */
  data: WorldSummary[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * A world without its keys and fixtures.
 */
export interface WorldSummary {
  /**
   * ID of the world.
   */
  id: string;
  /**
   * ID of the main tenant.
   */
  tenantId: string;
  /**
   * A text of yours that marks the world in the list of worlds.
   */
  label?: string;
  /**
   * True for a temporary world; otherwise absent.
   */
  temporary?: boolean;
}
/**
 * An isolated set of two tenants, their API keys and the IDs of all fixtures.
 */
export interface World {
  /**
   * ID of the world.
   */
  id: string;
  /**
   * ID of the main tenant.
   */
  tenantId: string;
  /**
   * A text of yours that marks the world in the list of worlds.
   */
  label?: string;
  /**
   * True for a temporary world; otherwise absent.
   */
  temporary?: boolean;
  keys: WorldKeys;
  fixtures: WorldFixtures;
}
/**
 * API keys of a world.
 */
export interface WorldKeys {
  /**
   * Wildcard key.
   */
  wildcard: string;
  /**
   * Key with only the scope `dataset_review:read`.
   */
  reviewer: string;
  /**
   * Key with the scope `ocr:full`.
   */
  ocr: string;
  /**
   * Key with only the scope `workflow:read`.
   */
  workflow: string;
  /**
   * Revoked key.
   */
  revoked?: string;
  /**
   * Wildcard key of the other tenant.
   */
  otherTenant: string;
}
/**
 * IDs and names of the fixtures of a world, all of its main tenant unless the name says
 * otherwise. If a fixture is missing, the checks that need it do not run, and the report names
 * the fixture.
 */
export interface WorldFixtures {
  /**
   * ID of a workflow.
   */
  workflowId?: string;
  /**
   * Slug of that workflow.
   */
  workflowSlug?: string;
  /**
   * ID of an agent.
   */
  agentId?: string;
  /**
   * Slug of that agent.
   */
  agentSlug?: string;
  /**
   * ID of a folder of workflows.
   */
  folderId?: string;
  /**
   * ID of a dataset review request with the status `draft`.
   */
  draftReviewId?: string;
  /**
   * ID of a dataset review request with the status `open`.
   */
  openReviewId?: string;
  /**
   * ID of a dataset review request with the status `paused`.
   */
  pausedReviewId?: string;
  /**
   * ID of a dataset review request with the status `closed`.
   */
  closedReviewId?: string;
  /**
   * ID of the automation that owns the four review requests.
   */
  reviewAutomationId?: string;
  /**
   * ID of a dataset review request of the other tenant.
   */
  otherTenantReviewId?: string;
  /**
   * ID of the automation that owns that request.
   */
  otherTenantAutomationId?: string;
  /**
   * ID of a template.
   */
  templateId?: string;
  /**
   * ID of a completed run with an output file and without a review.
   */
  runId?: string;
  /**
   * Name of an output file of that run.
   */
  outputFileName?: string;
  /**
   * ID of a completed run with a review, corrections and corrected files.
   */
  reviewedRunId?: string;
  /**
   * ID of a run of the other tenant.
   */
  otherTenantRunId?: string;
  /**
   * ID of the automation that owns the dataset.
   */
  datasetAutomationId?: string;
  /**
   * Slug of that automation.
   */
  datasetAutomationSlug?: string;
  /**
   * ID of an example of the dataset.
   */
  exampleId?: string;
  /**
   * Name of that example.
   */
  exampleName?: string;
  /**
   * Path of an input file of that example, relative to its input folder.
   */
  inputFilePath?: string;
  /**
   * Path of an expected file of that example, relative to its expected folder and in a subfolder of it.
   */
  expectedFilePath?: string;
  /**
   * ID of another example of the dataset.
   */
  otherExampleId?: string;
  /**
   * Name of the other example.
   */
  otherExampleName?: string;
  /**
   * ID of an example of the other tenant.
   */
  otherTenantExampleId?: string;
  /**
   * Name of the export's query parameter that selects examples.
   */
  exportParameter?: string;
  /**
   * ID of an experiment batch.
   */
  experimentId?: string;
  /**
   * ID of the automation that owns that batch.
   */
  experimentAutomationId?: string;
  /**
   * ID of an experiment batch of the other tenant.
   */
  otherTenantExperimentId?: string;
  /**
   * ID of a durable file of at most 8 MiB.
   */
  fileId?: string;
  /**
   * Size of that file in bytes, in decimal digits.
   */
  fileSize?: string;
  /**
   * SHA-256 digest of the content of that file, in hex.
   */
  fileSha256?: string;
  /**
   * ID of a file with the purpose `run-input`.
   */
  runInputFileId?: string;
  /**
   * ID of a file with the purpose `builder-attachment`.
   */
  builderAttachmentFileId?: string;
  /**
   * ID of a file of the other tenant.
   */
  otherTenantFileId?: string;
  /**
   * ID of a pending upload with the declared content.
   */
  uploadId?: string;
  /**
   * Size of that content in bytes, in decimal digits.
   */
  uploadSize?: string;
  /**
   * SHA-256 digest of that content, in hex.
   */
  uploadSha256?: string;
  /**
   * ID of a pending upload without content.
   */
  emptyUploadId?: string;
  /**
   * ID of a pending upload whose content differs from the declared size or digest.
   */
  mismatchedUploadId?: string;
  /**
   * ID of a pending upload of the other tenant.
   */
  otherTenantUploadId?: string;
  /**
   * ID of a workflow. Moving it to the conflicting folder is a name conflict.
   */
  conflictingWorkflowId?: string;
  /**
   * ID of the conflicting folder.
   */
  conflictingFolderId?: string;
  /**
   * ID of the workflow that already uses the name in that folder.
   */
  conflictOwnerId?: string;
  /**
   * Name of the query parameter that searches agents.
   */
  agentSearchParameter?: string;
}
/**
 * The API key to create. Exactly one of `scope` and `wildcard` is required.
 */
export interface KeyCreation {
  /**
   * ID of the world. Default: the default world.
   */
  worldId?: string;
  /**
   * `own` or `other`, for the main or the other tenant of the world. Default: `own`.
   */
  tenant?: "own" | "other";
  /**
   * Scopes of the key.
   */
  scope?: Scope[];
  wildcard?: true;
}
/**
 * An API key.
 */
export interface ApiKey {
  /**
   * ID of the key.
   */
  id: string;
  /**
   * ID of the tenant.
   */
  tenantId: string;
  /**
   * ID of the user.
   */
  userId: string;
  /**
   * Name of the key.
   */
  name: string;
  /**
   * Secret of the key.
   */
  key: string;
  /**
   * Scopes of the key.
   */
  scope: string[];
  /**
   * True for a wildcard key.
   */
  wildcardGranted: boolean;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time of the revocation. Null for a valid key.
   */
  revokedAt: string | null;
}
/**
 * A list of API keys.
 */
export interface KeyList {
  /**
   * Entries of the list.
   */
  data: ApiKey[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * A file to create. Exactly one of `text`, `base64` and `size` is required.
 */
export interface GivenFile {
  /**
   * Path separated by slashes, for example `scans/note.txt`.
   */
  path: string;
  /**
   * Media type of the content. Default: `application/octet-stream`.
   */
  contentType?: string;
  /**
   * Content as text, stored in UTF-8.
   */
  text?: string;
  /**
   * Content in Base64.
   */
  base64?: string;
  /**
   * Number of generated bytes. They are the same each time.
   */
  size?: number;
}
/**
 * A stored file.
 */
export interface StoredFile {
  /**
   * Path of the file.
   */
  path: string;
  /**
   * Media type.
   */
  contentType: string;
  /**
   * Size in bytes.
   */
  size: number;
  /**
   * SHA-256 digest of the content.
   */
  sha256: string;
}
/**
 * The run to create.
 */
export interface RunCreation {
  /**
   * ID of the world. Default: the default world.
   */
  worldId?: string;
  /**
   * ID of the automation. Default: the `workflowId` of the world.
   */
  automationId?: string;
  origin?: RunOrigin;
  /**
   * What starts the run. Default: `api`.
   */
  triggerType?: string;
  status?: RunStatus;
  /**
   * Input of the run. Any JSON value. The API does not return it.
   */
  input?: unknown;
  /**
   * Output of the run. Any JSON value.
   */
  output?: unknown;
  /**
   * Output files. Default: none.
   */
  outputFiles?: GivenFile[];
  usage?: GivenUsage;
  review?: GivenReview;
  /**
   * Scheduled transitions, which the run makes without further requests. Default: none.
   *
   * @maxItems 100
   */
  scheduledTransitions?: TransitionStep[];
  /**
   * Delivery faults for this run, armed before its first event is sent. Default: none.
   *
   * @maxItems 10
   */
  deliveryFaults?: RunDeliveryFaultOrder[];
}
/**
 * Usage of a run. Absent values are 0.
 */
export interface GivenUsage {
  /**
   * Number of model tokens by kind.
   */
  tokens?: {
    input?: number;
    output?: number;
    cacheRead?: number;
    cacheWrite?: number;
  };
  /**
   * Number of charged credits.
   */
  creditsCharged?: number;
  llmCallCount?: number;
  ocrPagesProcessed?: number;
  agentTurns?: number;
}
/**
 * Review of a run. Its status is `open`.
 */
export interface GivenReview {
  /**
   * Verdict of the review. Default: `correct`.
   */
  verdict?: "correct" | "incorrect";
  /**
   * Note of the reviewer.
   */
  note?: string;
  /**
   * Corrections of the output. Default: none.
   *
   * @maxItems 100
   */
  corrections?: GivenCorrection[];
  /**
   * Correct output. Any JSON value.
   */
  correctedOutput?: unknown;
  /**
   * Corrected files. Default: none.
   */
  correctedFiles?: GivenFile[];
}
/**
 * Correction of one field.
 */
export interface GivenCorrection {
  /**
   * Path of the corrected field.
   */
  path: string;
  /**
   * Display name of the field. Default: the path.
   */
  label?: string;
  /**
   * Note of the reviewer.
   */
  note?: string;
  /**
   * Value in the output. Any JSON value.
   */
  originalValue?: unknown;
  /**
   * Correct value. Any JSON value.
   */
  correctedValue?: unknown;
  /**
   * Path of the corrected file.
   */
  correctedArtifactPath?: string;
}
/**
 * A scheduled transition.
 */
export interface TransitionStep {
  status: RunStatus;
  /**
   * Delay after the previous transition, or after the creation of the run for the first one.
   */
  afterMilliseconds: number;
  /**
   * Output of the run. Any JSON value.
   */
  output?: unknown;
}
/**
 * Sends the request several times. Each copy is signed when it is sent, and is recorded as an
 * attempt with the trigger `duplicate`. A 2xx response to a copy completes the delivery. Any other
 * response to a copy has no effect.
 */
export interface DuplicateOrder {
  name: "duplicate";
  /**
   * Include only the deliveries to this endpoint.
   */
  endpointId?: string;
  /**
   * Include only the deliveries of this run's events.
   */
  runId?: string;
  /**
   * Include only the deliveries of this event.
   */
  eventId?: string;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  /**
   * Maximum number of deliveries to apply the fault to. Default: 1, or all deliveries of the
   * run or event if `runId` or `eventId` is set.
   */
  deliveries?: number;
  /**
   * Number of copies.
   */
  copies?: number;
  /**
   * Delay between two copies. 0 sends them at the same moment.
   */
  apartMilliseconds?: number;
}
/**
 * Holds deliveries back until it has the number in `deliveries`, then sends them in reverse
 * order. Each waits for the response to the previous one. Fewer deliveries are sent when the
 * first has waited for `holdMilliseconds`, or, with `runId`, when the run is terminal. Without
 * `endpointId` and `runId`, the fault only holds deliveries of the endpoint of its first hit.
 */
export interface ReorderOrder {
  name: "reorder";
  /**
   * Include only the deliveries to this endpoint.
   */
  endpointId?: string;
  /**
   * Include only the deliveries of this run's events.
   */
  runId?: string;
  /**
   * Include only the deliveries of this event.
   */
  eventId?: string;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  /**
   * Number of deliveries to hold back. Default: 2, or all deliveries of the run if `runId`
   * is set.
   */
  deliveries?: number;
  /**
   * Maximum time to hold back the first delivery.
   */
  holdMilliseconds?: number;
}
/**
 * Delays the attempt.
 */
export interface DelayOrder {
  name: "delay";
  /**
   * Include only the deliveries to this endpoint.
   */
  endpointId?: string;
  /**
   * Include only the deliveries of this run's events.
   */
  runId?: string;
  /**
   * Include only the deliveries of this event.
   */
  eventId?: string;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  /**
   * Maximum number of deliveries to apply the fault to. Default: 1, or all deliveries of the
   * run or event if `runId` or `eventId` is set.
   */
  deliveries?: number;
  /**
   * Delay of the attempt.
   */
  milliseconds?: number;
}
/**
 * Sends nothing. The attempt is recorded without a response and with the error `dropped`. The
 * delivery is retried as usual.
 */
export interface DropThenRedeliverOrder {
  name: "drop-then-redeliver";
  /**
   * Include only the deliveries to this endpoint.
   */
  endpointId?: string;
  /**
   * Include only the deliveries of this run's events.
   */
  runId?: string;
  /**
   * Include only the deliveries of this event.
   */
  eventId?: string;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  /**
   * Maximum number of deliveries to apply the fault to. Default: 1, or all deliveries of the
   * run or event if `runId` or `eventId` is set.
   */
  deliveries?: number;
}
/**
 * Sends a correct signature of a timestamp in the past.
 */
export interface StaleTimestampOrder {
  name: "stale-timestamp";
  /**
   * Include only the deliveries to this endpoint.
   */
  endpointId?: string;
  /**
   * Include only the deliveries of this run's events.
   */
  runId?: string;
  /**
   * Include only the deliveries of this event.
   */
  eventId?: string;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  /**
   * Maximum number of deliveries to apply the fault to. Default: 1, or all deliveries of the
   * run or event if `runId` or `eventId` is set.
   */
  deliveries?: number;
  /**
   * Difference between the timestamp and the current time.
   */
  seconds?: number;
}
/**
 * Sends a correct signature of a timestamp in the future.
 */
export interface FutureTimestampOrder {
  name: "future-timestamp";
  /**
   * Include only the deliveries to this endpoint.
   */
  endpointId?: string;
  /**
   * Include only the deliveries of this run's events.
   */
  runId?: string;
  /**
   * Include only the deliveries of this event.
   */
  eventId?: string;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  /**
   * Maximum number of deliveries to apply the fault to. Default: 1, or all deliveries of the
   * run or event if `runId` or `eventId` is set.
   */
  deliveries?: number;
  /**
   * Difference between the timestamp and the current time.
   */
  seconds?: number;
}
/**
 * Signs with a secret that is not the secret of the endpoint.
 */
export interface WrongSecretOrder {
  name: "wrong-secret";
  /**
   * Include only the deliveries to this endpoint.
   */
  endpointId?: string;
  /**
   * Include only the deliveries of this run's events.
   */
  runId?: string;
  /**
   * Include only the deliveries of this event.
   */
  eventId?: string;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  /**
   * Maximum number of deliveries to apply the fault to. Default: 1, or all deliveries of the
   * run or event if `runId` or `eventId` is set.
   */
  deliveries?: number;
}
/**
 * Changes one byte of the body after signing. The body stays valid JSON of the same length,
 * with the same `id`.
 */
export interface TamperedBodyOrder {
  name: "tampered-body";
  /**
   * Include only the deliveries to this endpoint.
   */
  endpointId?: string;
  /**
   * Include only the deliveries of this run's events.
   */
  runId?: string;
  /**
   * Include only the deliveries of this event.
   */
  eventId?: string;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  /**
   * Maximum number of deliveries to apply the fault to. Default: 1, or all deliveries of the
   * run or event if `runId` or `eventId` is set.
   */
  deliveries?: number;
}
/**
 * Declares the complete body in `Content-Length`, sends only the first `bytes` bytes, then
 * closes the connection. The attempt has the error `body_truncated` and is retried.
 */
export interface TruncatedBodyOrder {
  name: "truncated-body";
  /**
   * Include only the deliveries to this endpoint.
   */
  endpointId?: string;
  /**
   * Include only the deliveries of this run's events.
   */
  runId?: string;
  /**
   * Include only the deliveries of this event.
   */
  eventId?: string;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  /**
   * Maximum number of deliveries to apply the fault to. Default: 1, or all deliveries of the
   * run or event if `runId` or `eventId` is set.
   */
  deliveries?: number;
  /**
   * Number of bytes to send. The last byte of the body is never sent. Default: half of the
   * body, rounded down.
   */
  bytes?: number;
}
/**
 * Sends the body in pieces, spread over `milliseconds`. The timeout of the attempt still applies.
 */
export interface SlowDripOrder {
  name: "slow-drip";
  /**
   * Include only the deliveries to this endpoint.
   */
  endpointId?: string;
  /**
   * Include only the deliveries of this run's events.
   */
  runId?: string;
  /**
   * Include only the deliveries of this event.
   */
  eventId?: string;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  /**
   * Maximum number of deliveries to apply the fault to. Default: 1, or all deliveries of the
   * run or event if `runId` or `eventId` is set.
   */
  deliveries?: number;
  /**
   * Duration of the whole body.
   */
  milliseconds?: number;
  /**
   * Number of pieces.
   */
  pieces?: number;
}
/**
 * The new status of a run and its output.
 */
export interface RunMove {
  status: RunStatus;
  /**
   * New output of the run. Any JSON value. Default: the current output.
   */
  output?: unknown;
}
/**
 * A run without input and output.
 */
export interface RunWithMoves {
  /**
   * ID of the run.
   */
  id: string;
  /**
   * ID of the world.
   */
  worldId: string;
  /**
   * ID of the tenant.
   */
  tenantId: string;
  /**
   * ID of the automation.
   */
  automationId: string;
  /**
   * Slug of the automation. Null if it was deleted.
   */
  automationSlug: string | null;
  type: AutomationType;
  status: RunStatus;
  origin: RunOrigin;
  /**
   * What started the run.
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
   * Statuses that the run can be moved to. Empty for a terminal status.
   */
  allowedMoves: RunStatus[];
}
/**
 * The statuses of a run and its allowed moves.
 */
export interface RunProgress {
  run: RunWithMoves;
  /**
   * All statuses so far, oldest first.
   */
  history: RunStatusChange[];
  /**
   * Transitions that are scheduled, next first.
   */
  scheduledTransitions: RunStatusChange[];
}
/**
 * A change of a run's status.
 */
export interface RunStatusChange {
  status: RunStatus;
  /**
   * Time of the change.
   */
  at: string;
}
/**
 * A list of runs.
 */
export interface RunWithMovesList {
  /**
   * Entries of the list.
   */
  data: RunWithMoves[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * The example to add to a dataset.
 */
export interface ExampleCreation {
  /**
   * ID of the world. Default: the default world.
   */
  worldId?: string;
  /**
   * ID of the automation. Default: the `datasetAutomationId` of the world.
   */
  automationId?: string;
  /**
   * Name of the example: one path segment, used as a folder name in the export.
   */
  name: string;
  /**
   * Input files. Default: none.
   */
  input?: GivenFile[];
  /**
   * Expected files. Default: none.
   */
  expected?: GivenFile[];
}
/**
 * A dataset example.
 */
export interface Example {
  /**
   * ID of the example.
   */
  id: string;
  /**
   * ID of the automation that owns the dataset.
   */
  automationId: string;
  /**
   * Name of the example.
   */
  name: string;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Input files.
   */
  input: StoredFile[];
  /**
   * Expected files.
   */
  expected: StoredFile[];
}
/**
 * The endpoint to create.
 */
export interface WebhookEndpointCreation {
  /**
   * ID of the world. Default: the default world.
   */
  worldId?: string;
  /**
   * Target URL.
   */
  url: string;
  /**
   * Custom headers, sent with every delivery.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * Secret that signs the deliveries. Default: a generated one.
   */
  secret?: string;
}
/**
 * The changes. Absent fields keep their values.
 */
export interface WebhookEndpointChange {
  /**
   * False disables the endpoint, true enables it.
   */
  enabled?: boolean;
  /**
   * Target URL.
   */
  url?: string;
  /**
   * Custom headers, sent with every delivery.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * New secret, which signs every later attempt.
   */
  secret?: string;
}
/**
 * Target of the run events of a world's main tenant.
 */
export interface WebhookEndpoint {
  /**
   * ID of the endpoint.
   */
  id: string;
  /**
   * ID of the world.
   */
  worldId: string;
  /**
   * Target URL.
   */
  url: string;
  /**
   * Custom headers, sent with every delivery.
   */
  headers: {
    [k: string]: string;
  };
  /**
   * Secret that signs the deliveries, including its prefix.
   */
  secret: string;
  /**
   * False if the endpoint is disabled.
   */
  enabled: boolean;
  /**
   * Time of creation.
   */
  createdAt: string;
}
/**
 * All webhook endpoints.
 */
export interface WebhookEndpointList {
  /**
   * Entries of the list.
   */
  data: WebhookEndpoint[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * The last attempts to one endpoint.
 */
export interface EndpointResult {
  /**
   * ID of the endpoint.
   */
  endpointId: string;
  /**
   * Number of counted attempts, at most 50.
   */
  attempts: number;
  /**
   * Number of these with a 2xx response.
   */
  succeeded: number;
  /**
   * The last attempt. Null if there was none.
   */
  last: LastAttempt | null;
}
/**
 * The last attempt to an endpoint.
 */
export interface LastAttempt {
  /**
   * ID of the delivery.
   */
  deliveryId: string;
  /**
   * Number of the attempt.
   */
  number: number;
  /**
   * End of the attempt.
   */
  finishedAt: string;
  /**
   * Status of the response. Null without one.
   */
  status: number | null;
  /**
   * Error. Null with a response.
   */
  error: string | null;
}
/**
 * A list of results.
 */
export interface EndpointResultList {
  /**
   * Entries of the list.
   */
  data: EndpointResult[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * Rules for the URLs and custom headers of endpoints.
 */
export interface Targets {
  /**
   * Allowed schemes.
   */
  schemes: string[];
  /**
   * Networks that no event is sent to. An IPv4 network includes its forms in IPv6.
   */
  refusedNetworks: string[];
  /**
   * Ports of the deployment itself, refused on the addresses of its machine.
   */
  refusedPorts: number[];
  /**
   * Headers that the sender sets itself, in lower case.
   */
  reservedHeaders: string[];
  /**
   * Maximum number of custom headers.
   */
  maxHeaders: number;
  /**
   * Why `url` is refused. Null if it is not. Present if `url` was sent.
   */
  problem?: string | null;
}
/**
 * A queued test event.
 */
export interface SentTest {
  /**
   * ID of the event.
   */
  eventId: string;
}
/**
 * The event to send.
 */
export interface EventCreation {
  /**
   * ID of the world. Default: the default world.
   */
  worldId?: string;
  /**
   * Send only to this endpoint. Default: to all enabled endpoints of the world.
   */
  endpointId?: string;
  /**
   * JSON text of an object whose `id` begins with `whev_` and has at most 200 visible ASCII
   * characters. Its UTF-8 bytes are sent.
   */
  payload: string;
  /**
   * Delivery faults for these deliveries of the event, each for all of them by default. Default: none.
   *
   * @maxItems 10
   */
  deliveryFaults?: EventDeliveryFaultOrder[];
}
/**
 * The queued deliveries of an event.
 */
export interface SentEvent {
  /**
   * ID of the event.
   */
  eventId: string;
  /**
   * The new deliveries.
   */
  deliveries: Delivery[];
}
/**
 * An event on its way to one endpoint.
 */
export interface Delivery {
  /**
   * ID of the delivery.
   */
  id: string;
  /**
   * ID of the event.
   */
  eventId: string;
  /**
   * ID of the endpoint.
   */
  endpointId: string;
  /**
   * ID of the run. Null for a test event, because its run does not exist.
   */
  runId: string | null;
  /**
   * Type of the event. A payload of your choice can have another type than the contract's.
   */
  type: string;
  status: DeliveryStatus;
  /**
   * Reason why the delivery ended. Null unless the status is `ended`. The reference server
   * uses `final_status`, `redirect_not_followed`, `attempts_exhausted`, `target_refused`,
   * `endpoint_disabled` and `endpoint_deleted`.
   */
  endReason: string | null;
  /**
   * Time of the next automatic attempt. Null if none is scheduled.
   */
  nextAttemptAt: string | null;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Attempts, oldest first.
   */
  attempts: DeliveryAttempt[];
}
/**
 * One HTTP request that delivers an event to an endpoint.
 */
export interface DeliveryAttempt {
  /**
   * Number of the attempt. The first is 1.
   */
  number: number;
  /**
   * Start of the attempt.
   */
  startedAt: string;
  /**
   * End of the attempt.
   */
  finishedAt: string;
  /**
   * Cause of the attempt: `automatic` for the retry schedule, `manual` for a redelivery,
   * `duplicate` for the delivery fault of that name.
   */
  trigger: "automatic" | "manual" | "duplicate";
  /**
   * Name of the delivery fault that was applied. Null if there was none.
   */
  deliveryFault: DeliveryFaultName | null;
  /**
   * The `webhook-timestamp` that was sent, in seconds. Null if nothing was sent.
   */
  webhookTimestamp: number | null;
  /**
   * Status of the response. Null if there was no response.
   */
  status: number | null;
  /**
   * Error code, for example `timeout`, `target_refused`, `dropped`, `body_truncated`, or the
   * code of the network failure.
   */
  error: string | null;
  /**
   * Description of the error.
   */
  detail: string | null;
  /**
   * Delay that the response requested. Null if it requested none or no retry follows.
   */
  retryAfter: {
    /**
     * Requested delay in seconds.
     */
    asked: number;
    /**
     * Applied delay in seconds, within the limit of the sender.
     */
    used: number;
  } | null;
  /**
   * Beginning of the response body.
   */
  responseBody: string | null;
}
/**
 * An event.
 */
export interface Event {
  /**
   * ID of the event.
   */
  id: string;
  /**
   * ID of the world.
   */
  worldId: string;
  /**
   * Type of the event. A payload of your choice can have another type than the contract's.
   */
  type: string;
  /**
   * ID of the run. Null for a test event, because its run does not exist, and for a payload
   * of your choice without `data.run.id`.
   */
  runId: string | null;
  /**
   * True for a test event.
   */
  test: boolean;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * JSON text. Every attempt signs and sends its UTF-8 bytes.
   */
  payload: string;
}
/**
 * A list of events.
 */
export interface EventList {
  /**
   * Entries of the list.
   */
  data: Event[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * An attempt with both sides.
 */
export interface AttemptDetail {
  /**
   * ID of the delivery.
   */
  deliveryId: string;
  /**
   * ID of the event.
   */
  eventId: string;
  /**
   * ID of the endpoint.
   */
  endpointId: string;
  attempt: DeliveryAttempt;
  /**
   * The request that was sent. Null if it is no longer kept, or nothing was sent.
   */
  sent: AttemptRequest | null;
  /**
   * The request before a delivery fault changed its headers or body. Null if none did, or if
   * the request is no longer kept.
   */
  original: AttemptRequest | null;
  /**
   * Names of the headers that differ between `original` and `sent`, in lower case, and
   * `body` if the body differs. Empty without `original`.
   */
  differs: string[];
  /**
   * Headers of the response. Null without a response, or if they are no longer kept.
   */
  responseHeaders: HeaderList | null;
  /**
   * Why the attempt ended as it did. Null if a correct request was accepted.
   */
  explanation: AttemptExplanation | null;
}
/**
 * A request of the sender.
 */
export interface AttemptRequest {
  /**
   * Target URL.
   */
  url: string;
  headers: HeaderList;
  /**
   * Body, if it is UTF-8.
   */
  body?: string;
  /**
   * Body in Base64, if it is not UTF-8.
   */
  bodyBase64?: string;
}
/**
 * Why an attempt ended as it did. It contains no part of a body, and of a secret only its last four characters.
 */
export interface AttemptExplanation {
  /**
   * Cause. `delivery_fault`: a delivery fault made the app refuse, or prevented the attempt.
   * `changed_request_accepted`: the app accepted a request that it has to refuse.
   * `app_verification`: the request was correct, so the secret, the clock or the body
   * handling of the app is wrong. `wrong_signature`: the sent signature is wrong without a
   * delivery fault. `redirect`, `app_refused`, `app_failed`: by the status of the response.
   * `unreachable`, `no_response`, `target_refused`: by the error.
   */
  cause:
    | "delivery_fault"
    | "changed_request_accepted"
    | "app_verification"
    | "wrong_signature"
    | "redirect"
    | "app_refused"
    | "app_failed"
    | "unreachable"
    | "no_response"
    | "target_refused";
  /**
   * What shows the cause, one fact an entry.
   *
   * @minItems 1
   */
  evidence: string[];
  /**
   * What to do.
   */
  fix: string;
}
/**
 * A list of deliveries.
 */
export interface DeliveryList {
  /**
   * Entries of the list.
   */
  data: Delivery[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * An injected delivery fault with its defaults and its hits. `deliveries` is absent if the
 * fault applies to all deliveries of a run or event. `bytes` is absent if half of the body is sent.
 */
export interface DeliveryFault {
  /**
   * ID of the delivery fault.
   */
  id: string;
  /**
   * Time of the injection.
   */
  injectedAt: string;
  /**
   * False if the fault is exhausted.
   */
  armed: boolean;
  /**
   * Number of deliveries that the fault was applied to.
   */
  hits: number;
  /**
   * The last 100 hits, oldest first.
   *
   * @maxItems 100
   */
  recentHits: DeliveryFaultHit[];
  name: DeliveryFaultName;
  /**
   * As injected.
   */
  endpointId?: string;
  /**
   * As injected.
   */
  runId?: string;
  /**
   * As injected.
   */
  eventId?: string;
  /**
   * As injected.
   */
  deliveries?: number;
  /**
   * As injected.
   */
  copies?: number;
  /**
   * As injected.
   */
  apartMilliseconds?: number;
  /**
   * As injected.
   */
  holdMilliseconds?: number;
  /**
   * As injected.
   */
  milliseconds?: number;
  /**
   * As injected.
   */
  seconds?: number;
  /**
   * As injected.
   */
  bytes?: number;
  /**
   * As injected.
   */
  expiresInMilliseconds?: number;
  /**
   * As injected.
   */
  pieces?: number;
}
/**
 * One delivery that a fault was applied to.
 */
export interface DeliveryFaultHit {
  /**
   * Time of the hit.
   */
  at: string;
  /**
   * ID of the delivery.
   */
  deliveryId: string;
  /**
   * ID of the event.
   */
  eventId: string;
}
/**
 * A list of delivery faults.
 */
export interface DeliveryFaultList {
  /**
   * Entries of the list.
   */
  data: DeliveryFault[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * The sink to open.
 */
export interface SinkCreation {
  responses?: SinkScript;
}
/**
 * An HTTP response.
 */
export interface StatusResponse {
  /**
   * Status of the response.
   */
  status: number;
  /**
   * Headers of the response. Default: none.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * Body of the response. Default: empty.
   */
  body?: string;
  /**
   * Delay before the response, on the clock of the server. Default: 0.
   */
  afterMilliseconds?: number;
}
/**
 * Sends no response and keeps the connection open.
 */
export interface HangResponse {
  hang: true;
}
/**
 * Sends no response and resets the connection.
 */
export interface ResetResponse {
  reset: true;
  /**
   * Delay before the response, on the clock of the server. Default: 0.
   */
  afterMilliseconds?: number;
}
/**
 * The new responses of a sink.
 */
export interface SinkChange {
  responses: SinkScript;
}
/**
 * A sink without its exchanges.
 */
export interface SinkSummary {
  /**
   * ID of the sink.
   */
  id: string;
  /**
   * URL of the sink.
   */
  url: string;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Remaining responses of the script. The last one always remains.
   */
  responses: SinkResponse[];
  /**
   * Number of received requests, complete or incomplete.
   */
  arrived: number;
}
/**
 * An endpoint inside the server, with each request as sent and as received.
 */
export interface Sink {
  /**
   * ID of the sink.
   */
  id: string;
  /**
   * URL of the sink.
   */
  url: string;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Remaining responses of the script. The last one always remains.
   */
  responses: SinkResponse[];
  /**
   * Number of received requests, complete or incomplete.
   */
  arrived: number;
  /**
   * The last 1000 exchanges in the order in which they were sent, up to 8 MiB of headers and
   * bodies in total.
   *
   * @maxItems 1000
   */
  exchanges: Exchange[];
}
/**
 * One request as sent and as received.
 */
export interface Exchange {
  /**
   * The original request, before any delivery fault. Null if the request did not come from
   * the server's sender.
   */
  sent: SentRequest | null;
  /**
   * The received request. Null if it did not arrive.
   */
  arrived: ArrivedRequest | null;
  /**
   * Names of the headers that differ, in lower case, and `body` if the body differs. Headers
   * that the connection adds are ignored.
   */
  differs: string[];
}
/**
 * The original request of the sender.
 */
export interface SentRequest {
  /**
   * ID of the delivery.
   */
  deliveryId: string;
  /**
   * ID of the event.
   */
  eventId: string;
  /**
   * ID of the endpoint.
   */
  endpointId: string;
  /**
   * Number of the attempt. Null until the attempt is recorded.
   */
  attempt: number | null;
  /**
   * Name of the delivery fault that was applied. Null if there was none.
   */
  deliveryFault: DeliveryFaultName | null;
  /**
   * Time of the request.
   */
  at: string;
  headers: HeaderList;
  /**
   * Body of the request.
   */
  body: string;
}
/**
 * A request that the sink received.
 */
export interface ArrivedRequest {
  /**
   * Number of the request. The first is 1.
   */
  number: number;
  /**
   * Time of the request.
   */
  at: string;
  /**
   * Method of the request.
   */
  method: string;
  /**
   * Path of the request.
   */
  path: string;
  headers: HeaderList;
  /**
   * Body, if it is UTF-8.
   */
  body?: string;
  /**
   * Body in Base64, if it is not UTF-8.
   */
  bodyBase64?: string;
  /**
   * False if the connection ended before the body did, or if the body exceeds 1 MiB. The
   * rest of the body is not recorded.
   */
  complete: boolean;
  /**
   * Status that the sink sent, or `hang` or `reset`. Null while the response is delayed, if
   * the sender disconnected before it, and for an incomplete request.
   */
  response: number | ("hang" | "reset") | null;
}
/**
 * A list of sinks.
 */
export interface SinkList {
  /**
   * Entries of the list.
   */
  data: SinkSummary[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * Maximum number of requests per key and window.
 */
export interface RateLimit {
  /**
   * Number of requests per window.
   */
  requests: number;
  /**
   * Length of the window in seconds.
   */
  windowSeconds: number;
}
/**
 * The changes. Absent fields keep their values.
 */
export interface LimitsChange {
  /**
   * Rate limit of each key. Null for no rate limit.
   */
  rateLimit?: {
    /**
     * Number of requests per window.
     */
    requests: number;
    /**
     * Length of the window in seconds.
     */
    windowSeconds: number;
  } | null;
  accounting?: Accounting;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
}
/**
 * Limits of the API.
 */
export interface Limits {
  /**
   * Rate limit of each key. Null for no rate limit.
   */
  rateLimit: RateLimit | null;
  accounting: Accounting;
}
/**
 * The API fault to inject.
 */
export interface ApiFaultOrder {
  match: ApiFaultMatch;
  /**
   * Apply the fault only to the nth matching request. The first is 1. Default: every
   * matching request.
   */
  nth?: number;
  /**
   * Probability from 0 to 1 that the fault applies to a matching request. Derived from the
   * seed of the server. Default: 1.
   */
  probability?: number;
  /**
   * Maximum number of hits. Default: no maximum.
   */
  times?: number;
  /**
   * Time after injection during which the fault applies, on the clock of the server.
   * Default: no end.
   */
  forMilliseconds?: number;
  /**
   * Time after which the fault or change ends by itself, in real time, also with a virtual
   * clock. Default: no end.
   */
  expiresInMilliseconds?: number;
  effect: ApiFaultEffect;
}
/**
 * Conditions on a request. All of them must hold. An empty object matches every request.
 */
export interface ApiFaultMatch {
  /**
   * An `operationId` of `openapi.yaml`.
   */
  operationId?: string;
  /**
   * The secret of an API key.
   */
  key?: string;
  /**
   * ID of the tenant of the API key.
   */
  tenantId?: string;
  /**
   * Method of the request.
   */
  method?: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";
  /**
   * The complete path without the query.
   */
  path?: string;
}
/**
 * Effect on a request: a delay, then at most one of `status`, `reset` and `truncateBody`. At
 * least one field is required.
 */
export interface ApiFaultEffect {
  /**
   * Delays the request, on the clock of the server, then processes it.
   */
  latencyMilliseconds?: number;
  /**
   * Does not process the request. Responds with this status and the code `injected_fault`.
   */
  status?: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503;
  /**
   * Value of `Retry-After` in seconds. Requires `status`. Default: 1 for 429 and 503,
   * otherwise no header.
   */
  retryAfter?: number;
  /**
   * Does not process the request. Resets the TCP connection.
   */
  reset?: true;
  /**
   * Processes the request. The response declares a longer body, then sends this number of
   * bytes and closes the connection. A response without a body is not changed.
   */
  truncateBody?: number;
}
/**
 * An injected API fault and its hits.
 */
export interface ApiFault {
  /**
   * ID of the API fault.
   */
  id: string;
  /**
   * Time of the injection.
   */
  injectedAt: string;
  /**
   * False if the fault is exhausted.
   */
  armed: boolean;
  /**
   * Number of matching requests.
   */
  matched: number;
  /**
   * Number of requests that the fault was applied to.
   */
  hits: number;
  /**
   * The last 100 hits, oldest first.
   *
   * @maxItems 100
   */
  recentHits: ApiFaultHit[];
  /**
   * As injected.
   */
  expiresInMilliseconds?: number;
  match: ApiFaultMatch;
  /**
   * As injected.
   */
  nth?: number;
  /**
   * As injected.
   */
  probability?: number;
  /**
   * As injected.
   */
  times?: number;
  /**
   * As injected.
   */
  forMilliseconds?: number;
  effect: ApiFaultEffect;
}
/**
 * One request that a fault was applied to.
 */
export interface ApiFaultHit {
  /**
   * Time of the hit.
   */
  at: string;
  /**
   * ID of the request.
   */
  requestId: string;
  /**
   * Method of the request.
   */
  method: string;
  /**
   * Path of the request.
   */
  path: string;
}
/**
 * A list of API faults.
 */
export interface ApiFaultList {
  /**
   * Entries of the list.
   */
  data: ApiFault[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * A request that the API has received.
 */
export interface ApiRequest {
  /**
   * ID of the request. Equals the header `x-request-id`.
   */
  id: string;
  /**
   * Time of arrival.
   */
  at: string;
  /**
   * Method.
   */
  method: string;
  /**
   * Path without its query, at most 500 characters.
   */
  path: string;
  /**
   * ID of the operation. Null if none was found.
   */
  operationId: string | null;
  /**
   * ID of the API key. Null without a valid key.
   */
  keyId: string | null;
  /**
   * ID of the tenant. Null without a valid key.
   */
  tenantId: string | null;
  /**
   * ID of the world. Null without a valid key.
   */
  worldId: string | null;
  /**
   * Status. Null if no response was sent.
   */
  status: number | null;
  /**
   * Time until the response started.
   */
  milliseconds: number;
  /**
   * Step that refused the request. Null if it succeeded.
   */
  refusedAt: RequestStep | null;
  /**
   * Code of the first issue. Null if it succeeded.
   */
  code: string | null;
}
/**
 * A request of the API with both sides.
 */
export interface ApiRequestDetail {
  request: ApiRequest;
  /**
   * Query without its question mark, at most 2000 characters.
   */
  query: string;
  requestHeaders: HeaderList;
  /**
   * First 4096 bytes of a JSON body. Null if none was read.
   */
  requestBody: string | null;
  responseHeaders: HeaderList;
  /**
   * First 4096 characters of a JSON response. Null for other responses.
   */
  responseBody: string | null;
  /**
   * Hint of the error response. Null without one.
   */
  hint: string | null;
}
/**
 * A list of requests.
 */
export interface RequestList {
  /**
   * Entries of the list.
   */
  data: ApiRequest[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * A delivery without its attempts.
 */
export interface DeliveryRow {
  /**
   * ID of the delivery.
   */
  id: string;
  /**
   * ID of the event.
   */
  eventId: string;
  /**
   * ID of the endpoint.
   */
  endpointId: string;
  /**
   * ID of the run. Null for a test event.
   */
  runId: string | null;
  /**
   * Type of the event. A payload of your choice can have another type than the contract's.
   */
  type: string;
  /**
   * ID of the world. Null if neither event nor endpoint are stored.
   */
  worldId: string | null;
  /**
   * Slug of the automation of the run. Null without a run, or if it was deleted.
   */
  automationSlug: string | null;
  /**
   * Status of the run in the event. Null if the event is no longer stored, or has none.
   */
  runStatus: RunStatus | null;
  /**
   * URL of the endpoint. Null if it was deleted.
   */
  url: string | null;
  /**
   * The last attempt. Null if there was none.
   */
  lastAttempt: AttemptResult | null;
  status: DeliveryStatus;
  /**
   * Reason why the delivery ended. Null otherwise.
   */
  endReason: string | null;
  /**
   * Time of the next automatic attempt. Null if none is scheduled.
   */
  nextAttemptAt: string | null;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Number of recorded attempts.
   */
  attemptCount: number;
}
/**
 * The result of a delivery's last attempt.
 */
export interface AttemptResult {
  /**
   * Number of the attempt.
   */
  number: number;
  /**
   * Start of the attempt.
   */
  startedAt: string;
  /**
   * Duration of the attempt.
   */
  milliseconds: number;
  /**
   * Status of the response. Null without one.
   */
  status: number | null;
  /**
   * Error. Null with a response.
   */
  error: string | null;
  /**
   * Delivery fault that was applied. Null without one.
   */
  deliveryFault: string | null;
}
/**
 * A list of deliveries without their attempts.
 */
export interface DeliveryRowList {
  /**
   * The number of deliveries by status. The filter `status` and the size of the page do not
   * change it, the other filters do.
   */
  counts: {
    /**
     * Number of pending deliveries.
     */
    pending: number;
    /**
     * Number of those that got a 2xx.
     */
    delivered: number;
    /**
     * Number of those that ended without.
     */
    ended: number;
  };
  /**
   * Entries of the list.
   */
  data: DeliveryRow[];
  /**
   * Cursor of the next page. Absent on the last page.
   */
  nextCursor?: string;
}
/**
 * A recorded attempt.
 */
export interface AttemptRow {
  /**
   * ID of the delivery.
   */
  deliveryId: string;
  /**
   * Number of the attempt.
   */
  number: number;
  /**
   * ID of the event.
   */
  eventId: string;
  /**
   * Type of the event. A payload of your choice can have another type than the contract's.
   */
  type: string;
  /**
   * Status of the run in the event. Null if the event is no longer stored or has none.
   */
  runStatus: RunStatus | null;
  /**
   * ID of the run. Null for a test event.
   */
  runId: string | null;
  /**
   * ID of the endpoint.
   */
  endpointId: string;
  /**
   * URL of the endpoint. Null if it was deleted.
   */
  url: string | null;
  /**
   * Start of the attempt.
   */
  startedAt: string;
  /**
   * Duration of the attempt.
   */
  milliseconds: number;
  /**
   * What caused the attempt.
   */
  trigger: string;
  /**
   * Delivery fault that was applied. Null without one.
   */
  deliveryFault: string | null;
  /**
   * Status of the response. Null without one.
   */
  status: number | null;
  /**
   * Error. Null with a response.
   */
  error: string | null;
  /**
   * First 200 characters of the body of a response that is not 2xx. Null otherwise.
   */
  responseExcerpt: string | null;
  /**
   * Why the attempt ended as it did. Null if a correct request was accepted.
   */
  explanation: AttemptExplanation | null;
  deliveryStatus: DeliveryStatus;
  /**
   * Time of the next automatic attempt. Null if none is scheduled.
   */
  nextAttemptAt: string | null;
}
/**
 * A webhook endpoint without its secret and headers.
 */
export interface EndpointRow {
  /**
   * ID of the endpoint.
   */
  id: string;
  /**
   * ID of the world.
   */
  worldId: string;
  /**
   * Target URL.
   */
  url: string;
  /**
   * False if the endpoint is disabled.
   */
  enabled: boolean;
  /**
   * Time of creation.
   */
  createdAt: string;
}
/**
 * An API fault after its injection or a matching request.
 */
export interface ApiFaultRow {
  /**
   * The fault as listed, without `recentHits` and without `match.key`. `armed` can become false
   * without a row when `forMilliseconds` are over.
   */
  fault: {
    /**
     * ID of the API fault.
     */
    id: string;
    /**
     * Time of the injection.
     */
    injectedAt: string;
    /**
     * False if the fault is exhausted.
     */
    armed: boolean;
    /**
     * Number of matching requests.
     */
    matched: number;
    /**
     * Number of hits.
     */
    hits: number;
    /**
     * As injected.
     */
    expiresInMilliseconds?: number;
    match: ApiFaultMatch;
    /**
     * As injected.
     */
    nth?: number;
    /**
     * As injected.
     */
    probability?: number;
    /**
     * As injected.
     */
    times?: number;
    /**
     * As injected.
     */
    forMilliseconds?: number;
    effect: ApiFaultEffect;
  };
  /**
   * The new hit, which is the last of `recentHits`. Null without a new one.
   */
  hit: ApiFaultHit | null;
}
/**
 * A delivery fault after its injection or a hit.
 */
export interface DeliveryFaultRow {
  /**
   * The fault as listed, without `recentHits`.
   */
  fault: {
    /**
     * ID of the delivery fault.
     */
    id: string;
    /**
     * Time of the injection.
     */
    injectedAt: string;
    /**
     * False if the fault is exhausted.
     */
    armed: boolean;
    /**
     * Number of hits.
     */
    hits: number;
    name: DeliveryFaultName;
    /**
     * As injected.
     */
    endpointId?: string;
    /**
     * As injected.
     */
    runId?: string;
    /**
     * As injected.
     */
    eventId?: string;
    /**
     * As injected.
     */
    deliveries?: number;
    /**
     * As injected.
     */
    copies?: number;
    /**
     * As injected.
     */
    apartMilliseconds?: number;
    /**
     * As injected.
     */
    holdMilliseconds?: number;
    /**
     * As injected.
     */
    milliseconds?: number;
    /**
     * As injected.
     */
    seconds?: number;
    /**
     * As injected.
     */
    bytes?: number;
    /**
     * As injected.
     */
    expiresInMilliseconds?: number;
    /**
     * As injected.
     */
    pieces?: number;
  };
  /**
   * The new hit, which is the last of `recentHits`. Null without a new one.
   */
  hit: DeliveryFaultHit | null;
}
/**
 * An API key without its secret.
 */
export interface KeyRow {
  /**
   * ID of the key.
   */
  id: string;
  /**
   * ID of the tenant.
   */
  tenantId: string;
  /**
   * ID of the user.
   */
  userId: string;
  /**
   * Name of the key.
   */
  name: string;
  /**
   * Scopes of the key.
   */
  scope: string[];
  /**
   * True for a wildcard key.
   */
  wildcardGranted: boolean;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time of the revocation. Null for a valid key.
   */
  revokedAt: string | null;
}
/**
 * An event without its payload.
 */
export interface EventRow {
  /**
   * ID of the event.
   */
  id: string;
  /**
   * ID of the world.
   */
  worldId: string;
  /**
   * Type of the event. A payload of your choice can have another type than the contract's.
   */
  type: string;
  /**
   * ID of the run in the event. Null for a test event.
   */
  runId: string | null;
  /**
   * True for a test event.
   */
  test: boolean;
  /**
   * Time of creation.
   */
  createdAt: string;
}
/**
 * A sink without its script.
 */
export interface SinkRow {
  /**
   * ID of the sink.
   */
  id: string;
  /**
   * URL of the sink.
   */
  url: string;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Number of received requests.
   */
  arrived: number;
}
/**
 * A record that was deleted or is no longer kept.
 */
export interface RemovedRow {
  /**
   * Kind of the record.
   */
  kind: "world" | "key" | "endpoint" | "run" | "event" | "delivery" | "sink" | "api-fault" | "delivery-fault";
  /**
   * ID of the record.
   */
  id: string;
}
/**
 * The start of a stream.
 */
export interface StreamPlace {
  /**
   * For `ready`: `new`, or `resumed` after the `id` that was sent. For `reset`: `unknown_id`,
   * `too_old`, or `too_slow` if the client read too slowly.
   */
  reason: "new" | "resumed" | "unknown_id" | "too_old" | "too_slow";
}
/**
 * No row is missing.
 */
export interface StreamReady {
  event: "ready";
  /**
   * Place in the stream.
   */
  id: string;
  data: StreamPlace;
}
/**
 * Rows are missing. Get the lists again.
 */
export interface StreamReset {
  event: "reset";
  /**
   * Place in the stream.
   */
  id: string;
  data: StreamPlace;
}
/**
 * A run was created or changed.
 */
export interface StreamRun {
  event: "run";
  /**
   * Place in the stream.
   */
  id: string;
  data: RunWithMoves;
}
/**
 * A delivery was created or changed.
 */
export interface StreamDelivery {
  event: "delivery";
  /**
   * Place in the stream.
   */
  id: string;
  data: DeliveryRow;
}
/**
 * An attempt was recorded.
 */
export interface StreamAttempt {
  event: "attempt";
  /**
   * Place in the stream.
   */
  id: string;
  data: AttemptRow;
}
/**
 * The API has received a request.
 */
export interface StreamRequest {
  event: "request";
  /**
   * Place in the stream.
   */
  id: string;
  data: ApiRequest;
}
/**
 * An endpoint was created or changed.
 */
export interface StreamEndpoint {
  event: "endpoint";
  /**
   * Place in the stream.
   */
  id: string;
  data: EndpointRow;
}
/**
 * An API fault was injected, or a request matched it.
 */
export interface StreamApiFault {
  event: "api-fault";
  /**
   * Place in the stream.
   */
  id: string;
  data: ApiFaultRow;
}
/**
 * A delivery fault was injected or hit.
 */
export interface StreamDeliveryFault {
  event: "delivery-fault";
  /**
   * Place in the stream.
   */
  id: string;
  data: DeliveryFaultRow;
}
/**
 * A world was created.
 */
export interface StreamWorld {
  event: "world";
  /**
   * Place in the stream.
   */
  id: string;
  data: WorldSummary;
}
/**
 * An API key was created or revoked.
 */
export interface StreamKey {
  event: "key";
  /**
   * Place in the stream.
   */
  id: string;
  data: KeyRow;
}
/**
 * An event was created.
 */
export interface StreamWebhookEvent {
  event: "event";
  /**
   * Place in the stream.
   */
  id: string;
  data: EventRow;
}
/**
 * A sink was opened, its script was replaced, or it received a request.
 */
export interface StreamSink {
  event: "sink";
  /**
   * Place in the stream.
   */
  id: string;
  data: SinkRow;
}
/**
 * The limits of the API were changed.
 */
export interface StreamLimits {
  event: "limits";
  /**
   * Place in the stream.
   */
  id: string;
  data: Limits;
}
/**
 * The virtual clock was advanced.
 */
export interface StreamClock {
  event: "clock";
  /**
   * Place in the stream.
   */
  id: string;
  data: Clock;
}
/**
 * The clock of the deployment.
 */
export interface Clock {
  /**
   * `real` for the system clock, `virtual` for a clock that you advance.
   */
  mode: "real" | "virtual";
  /**
   * Current time.
   */
  now: string;
  /**
   * Time at which the next delivery, scheduled transition or expiry is due. Null if there is
   * none. Absent for a real clock.
   */
  nextDueAt?: string | null;
}
/**
 * A record was removed.
 */
export interface StreamRemoved {
  event: "removed";
  /**
   * Place in the stream.
   */
  id: string;
  data: RemovedRow;
}
/**
 * Time by which to advance the clock.
 */
export interface ClockAdvance {
  /**
   * Time in milliseconds.
   */
  milliseconds: number;
}
/**
 * Waits until the delivery has the given `status` and at least the given number of `attempts`.
 * Without both, waits until it is not pending. Returns the delivery.
 */
export interface DeliveryWait {
  for: "delivery";
  /**
   * ID of the delivery.
   */
  id: string;
  status?: DeliveryStatus;
  /**
   * Minimum number of attempts.
   */
  attempts?: number;
  /**
   * Timeout in real time, even on a virtual clock. Default: 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Waits until at least `count` deliveries match the given `runId` and `endpointId`, and none
 * of them is pending. Default of `count`: 1. Returns these deliveries.
 */
export interface DeliveriesWait {
  for: "deliveries";
  /**
   * ID of the run.
   */
  runId?: string;
  /**
   * ID of the endpoint.
   */
  endpointId?: string;
  /**
   * Minimum number of deliveries. Default: 1.
   */
  count?: number;
  /**
   * Timeout in real time, even on a virtual clock. Default: 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Waits until the run has the given `status`. Without `status`, waits until it is terminal.
 * Returns the run.
 */
export interface RunWait {
  for: "run";
  /**
   * ID of the run.
   */
  id: string;
  status?: RunStatus;
  /**
   * Timeout in real time, even on a virtual clock. Default: 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Waits until nothing is in progress and nothing is due. A retry that is scheduled for later
 * does not count.
 */
export interface IdleWait {
  for: "idle";
  /**
   * Timeout in real time, even on a virtual clock. Default: 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Waits until the sink has received at least the given number of requests. Returns the sink.
 */
export interface SinkWait {
  for: "sink";
  /**
   * ID of the sink.
   */
  id: string;
  /**
   * Minimum number of received requests.
   */
  arrived: number;
  /**
   * Timeout in real time, even on a virtual clock. Default: 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Waits until the API fault has at least the given number of hits. Returns the fault.
 */
export interface ApiFaultWait {
  for: "apiFault";
  /**
   * ID of the API fault.
   */
  id: string;
  /**
   * Minimum number of hits.
   */
  hits: number;
  /**
   * Timeout in real time, even on a virtual clock. Default: 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Waits until the delivery fault has at least the given number of hits. Returns the fault.
 */
export interface DeliveryFaultWait {
  for: "deliveryFault";
  /**
   * ID of the delivery fault.
   */
  id: string;
  /**
   * Minimum number of hits.
   */
  hits: number;
  /**
   * Timeout in real time, even on a virtual clock. Default: 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Nothing is in progress and nothing is due.
 */
export interface Idle {
  idle: true;
}
