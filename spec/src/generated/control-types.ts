// Generated from spec/control.yaml by `npm run generate`. Do not edit.
import type {RunStatus} from "./types.ts";

/**
 * What a key can be good for. The contract gives three of the names.
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
 * Where a run comes from. Only a `top-level` run emits events.
 */
export type RunOrigin = "top-level" | "invoke-workflow" | "evaluation";
/**
 * A pathology for the deliveries of the run that it is ordered with, so without a `runId`.
 */
export type RunPathologyOrder = PathologyOrder & {
  runId?: never;
};
/**
 * A pathology as it is ordered, for the deliveries that are like this in all that is named:
 * `endpointId`, `runId`, or every delivery.
 */
export type PathologyOrder =
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
 * The types of event.
 */
export type EventType = "run.created" | "run.status_changed";
/**
 * How far a delivery is.
 */
export type DeliveryStatus = "pending" | "delivered" | "ended";
/**
 * Every way in which a delivery can be made to go wrong.
 */
export type PathologyName =
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
 * What a sink does with an arrival.
 */
export type SinkAnswer = StatusAnswer | HangAnswer | ResetAnswer;
/**
 * Given one after another, the last one again and again; a request that is cut off uses up none.
 * Default one answer, 200.
 *
 *
 * @minItems 1
 * @maxItems 1000
 */
export type SinkScript = SinkAnswer[];
/**
 * Headers as pairs of name and value, in their order.
 */
export type HeaderList = string[][];
/**
 * Whether requests can be counted; while they cannot, none is processed.
 */
export type Accounting = "available" | "unavailable";
/**
 * What to wait for.
 */
export type Wait = DeliveryWait | DeliveriesWait | RunWait | IdleWait | SinkWait | FaultWait | PathologyWait;

/**
 * Nothing.
 */
export interface Empty {}
/**
 * A tenant with a neighbour, their keys, and the ids of every fixture.
 */
export interface World {
  id: string;
  tenantId: string;
  /**
   * API keys.
   */
  keys: {
    /**
     * Covers every capability.
     */
    wildcard: string;
    /**
     * Has `dataset_review:read` alone.
     */
    reviewer: string;
    /**
     * Has `ocr:full`.
     */
    ocr: string;
    /**
     * Has `workflow:read` alone.
     */
    workflow: string;
    /**
     * Was withdrawn and is not valid.
     */
    revoked?: string;
    /**
     * Covers every capability of the neighbour.
     */
    otherTenant: string;
  };
  /**
   * Ids and names of what is there. A check of the conformance suite whose fixture is missing says
   * so and does not run.
   *
   */
  fixtures: {
    workflowId?: string;
    workflowSlug?: string;
    agentId?: string;
    agentSlug?: string;
    folderId?: string;
    draftReviewId?: string;
    openReviewId?: string;
    pausedReviewId?: string;
    closedReviewId?: string;
    /**
     * The automation that owns the four review requests.
     */
    reviewAutomationId?: string;
    otherTenantReviewId?: string;
    otherTenantAutomationId?: string;
    templateId?: string;
    /**
     * A completed run with an output file and without a review.
     */
    runId?: string;
    /**
     * The name of an output file of that run.
     */
    outputFileName?: string;
    /**
     * A completed run with a review, corrections and corrected files.
     */
    reviewedRunId?: string;
    otherTenantRunId?: string;
    /**
     * The owner of the dataset.
     */
    datasetAutomationId?: string;
    datasetAutomationSlug?: string;
    /**
     * An example of the dataset.
     */
    exampleId?: string;
    exampleName?: string;
    /**
     * An input file of that example.
     */
    inputFilePath?: string;
    /**
     * An expected file of that example, below a folder of the expected folder.
     */
    expectedFilePath?: string;
    /**
     * Another example of the dataset.
     */
    otherExampleId?: string;
    otherExampleName?: string;
    otherTenantExampleId?: string;
    /**
     * The query parameter of the export that chooses examples.
     */
    exportParameter?: string;
    experimentId?: string;
    experimentAutomationId?: string;
    otherTenantExperimentId?: string;
    /**
     * A durable file.
     */
    fileId?: string;
    /**
     * Its bytes, in decimal digits.
     */
    fileSize?: string;
    /**
     * Of its bytes.
     */
    fileSha256?: string;
    runInputFileId?: string;
    builderAttachmentFileId?: string;
    otherTenantFileId?: string;
    /**
     * An upload whose bytes have arrived and fit.
     */
    uploadId?: string;
    /**
     * Its bytes, in decimal digits.
     */
    uploadSize?: string;
    /**
     * Of its bytes.
     */
    uploadSha256?: string;
    /**
     * An upload whose bytes never came.
     */
    emptyUploadId?: string;
    /**
     * An upload whose bytes are not what was declared.
     */
    mismatchedUploadId?: string;
    otherTenantUploadId?: string;
    /**
     * Moving this workflow into the conflicting folder is a name conflict.
     */
    conflictingWorkflowId?: string;
    conflictingFolderId?: string;
    /**
     * The workflow that owns the name there.
     */
    conflictOwnerId?: string;
    /**
     * The query parameter that searches the agents list.
     */
    agentSearchParameter?: string;
  };
}
/**
 * A key to make. Exactly one of `scope` and `wildcard` is there.
 */
export interface KeyCreation {
  /**
   * Default: the world from the start.
   */
  worldId?: string;
  /**
   * `own`, the default, or `other` for the neighbour.
   */
  tenant?: "own" | "other";
  scope?: Scope[];
  wildcard?: true;
}
/**
 * An API key.
 */
export interface ApiKey {
  id: string;
  tenantId: string;
  userId: string;
  name: string;
  /**
   * The secret itself.
   */
  key: string;
  scope: string[];
  wildcardGranted: boolean;
  createdAt: string;
  revokedAt: string | null;
}
/**
 * A file to make; its bytes are exactly one of `text`, `base64` and `size`.
 */
export interface GivenFile {
  /**
   * Slash-delimited, such as `scans/note.txt`.
   */
  path: string;
  /**
   * Default: `application/octet-stream`.
   */
  contentType?: string;
  /**
   * In UTF-8.
   */
  text?: string;
  base64?: string;
  /**
   * So many generated bytes, the same each time.
   */
  size?: number;
}
/**
 * A file by its place.
 */
export interface StoredFile {
  path: string;
  contentType: string;
  /**
   * Bytes.
   */
  size: number;
  sha256: string;
}
/**
 * A run to create.
 */
export interface RunCreation {
  /**
   * Default: the world from the start.
   */
  worldId?: string;
  /**
   * Default: the `workflowId` of the world.
   */
  automationId?: string;
  origin?: RunOrigin;
  /**
   * Default: `api`.
   */
  triggerType?: string;
  status?: RunStatus;
  /**
   * Any JSON value. The API does not show it.
   */
  input?: unknown;
  /**
   * Any JSON value.
   */
  output?: unknown;
  outputFiles?: GivenFile[];
  usage?: GivenUsage;
  review?: GivenReview;
  /**
   * Moves that the run makes by itself.
   *
   * @maxItems 100
   */
  course?: CourseStep[];
  /**
   * Planted for this run before its first event goes out.
   *
   * @maxItems 10
   */
  pathologies?: RunPathologyOrder[];
}
/**
 * What a run has used; what is not named is 0.
 */
export interface GivenUsage {
  tokens?: {
    input?: number;
    output?: number;
    cacheRead?: number;
    cacheWrite?: number;
  };
  creditsCharged?: number;
  llmCallCount?: number;
  ocrPagesProcessed?: number;
  agentTurns?: number;
}
/**
 * What a person has to say of a run. The review is open.
 */
export interface GivenReview {
  /**
   * Default: `correct`.
   */
  verdict?: string;
  note?: string;
  /**
   * @maxItems 100
   */
  corrections?: GivenCorrection[];
  /**
   * Any JSON value.
   */
  correctedOutput?: unknown;
  correctedFiles?: GivenFile[];
}
/**
 * A correction of one field.
 */
export interface GivenCorrection {
  path: string;
  /**
   * Default: the path.
   */
  label?: string;
  note?: string;
  /**
   * Any JSON value.
   */
  originalValue?: unknown;
  /**
   * Any JSON value.
   */
  correctedValue?: unknown;
  correctedArtifactPath?: string;
}
/**
 * A move to come.
 */
export interface CourseStep {
  status: RunStatus;
  /**
   * Counted from the move before, or from the creation of the run.
   */
  afterMilliseconds: number;
  /**
   * Any JSON value.
   */
  output?: unknown;
}
/**
 * The POST is made again so many times, each copy signed when it is sent and an attempt row of its own
 * with the trigger `copy`. A copy's 2xx counts as delivered, any other answer of a copy changes nothing.
 */
export interface DuplicateOrder {
  name: "duplicate";
  /**
   * Deliveries to this endpoint only.
   */
  endpointId?: string;
  /**
   * Deliveries of the events of this run only.
   */
  runId?: string;
  /**
   * Strikes at most so many deliveries. Default 1, but with `runId` all of the run's.
   */
  deliveries?: number;
  copies?: number;
  /**
   * Between one copy and the next; 0 sends them at the same moment.
   */
  apartMilliseconds?: number;
}
/**
 * Deliveries are gathered and then sent last first, each after the one before was answered. What has
 * gathered goes anyway once the first has waited `holdMilliseconds`, or with `runId` once the run is
 * terminal. Without `endpointId` and `runId` it keeps to the endpoint of the first one it gathers.
 */
export interface ReorderOrder {
  name: "reorder";
  /**
   * Deliveries to this endpoint only.
   */
  endpointId?: string;
  /**
   * Deliveries of the events of this run only.
   */
  runId?: string;
  /**
   * Gathers so many. Default 2, but with `runId` all of the run's.
   */
  deliveries?: number;
  holdMilliseconds?: number;
}
/**
 * The attempt is made so much later.
 */
export interface DelayOrder {
  name: "delay";
  /**
   * Deliveries to this endpoint only.
   */
  endpointId?: string;
  /**
   * Deliveries of the events of this run only.
   */
  runId?: string;
  /**
   * Strikes at most so many deliveries. Default 1, but with `runId` all of the run's.
   */
  deliveries?: number;
  milliseconds?: number;
}
/**
 * Nothing leaves. The attempt is recorded without an answer, with the error `dropped`, and the retry
 * profile sends again.
 */
export interface DropThenRedeliverOrder {
  name: "drop-then-redeliver";
  /**
   * Deliveries to this endpoint only.
   */
  endpointId?: string;
  /**
   * Deliveries of the events of this run only.
   */
  runId?: string;
  /**
   * Strikes at most so many deliveries. Default 1, but with `runId` all of the run's.
   */
  deliveries?: number;
}
/**
 * Correctly signed, with a timestamp so far in the past.
 */
export interface StaleTimestampOrder {
  name: "stale-timestamp";
  /**
   * Deliveries to this endpoint only.
   */
  endpointId?: string;
  /**
   * Deliveries of the events of this run only.
   */
  runId?: string;
  /**
   * Strikes at most so many deliveries. Default 1, but with `runId` all of the run's.
   */
  deliveries?: number;
  seconds?: number;
}
/**
 * Correctly signed, with a timestamp so far in the future.
 */
export interface FutureTimestampOrder {
  name: "future-timestamp";
  /**
   * Deliveries to this endpoint only.
   */
  endpointId?: string;
  /**
   * Deliveries of the events of this run only.
   */
  runId?: string;
  /**
   * Strikes at most so many deliveries. Default 1, but with `runId` all of the run's.
   */
  deliveries?: number;
  seconds?: number;
}
/**
 * Signed with another secret than the endpoint's.
 */
export interface WrongSecretOrder {
  name: "wrong-secret";
  /**
   * Deliveries to this endpoint only.
   */
  endpointId?: string;
  /**
   * Deliveries of the events of this run only.
   */
  runId?: string;
  /**
   * Strikes at most so many deliveries. Default 1, but with `runId` all of the run's.
   */
  deliveries?: number;
}
/**
 * One byte of the body is changed after signing. It is still JSON, as long, with the same `id`.
 */
export interface TamperedBodyOrder {
  name: "tampered-body";
  /**
   * Deliveries to this endpoint only.
   */
  endpointId?: string;
  /**
   * Deliveries of the events of this run only.
   */
  runId?: string;
  /**
   * Strikes at most so many deliveries. Default 1, but with `runId` all of the run's.
   */
  deliveries?: number;
}
/**
 * `Content-Length` tells the whole, so many bytes are sent, and the connection is cut. The attempt has
 * the error `body_truncated` and is made again.
 */
export interface TruncatedBodyOrder {
  name: "truncated-body";
  /**
   * Deliveries to this endpoint only.
   */
  endpointId?: string;
  /**
   * Deliveries of the events of this run only.
   */
  runId?: string;
  /**
   * Strikes at most so many deliveries. Default 1, but with `runId` all of the run's.
   */
  deliveries?: number;
  /**
   * Never the whole body. Default half of it, rounded down.
   */
  bytes?: number;
}
/**
 * The body arrives in pieces, spread over that time. The deadline of the attempt still holds.
 */
export interface SlowDripOrder {
  name: "slow-drip";
  /**
   * Deliveries to this endpoint only.
   */
  endpointId?: string;
  /**
   * Deliveries of the events of this run only.
   */
  runId?: string;
  /**
   * Strikes at most so many deliveries. Default 1, but with `runId` all of the run's.
   */
  deliveries?: number;
  milliseconds?: number;
  pieces?: number;
}
/**
 * Where a run goes, and what it has then.
 */
export interface RunMove {
  status: RunStatus;
  /**
   * Any JSON value. Without it the run keeps the one it has.
   */
  output?: unknown;
}
/**
 * An example to add to a dataset.
 */
export interface ExampleCreation {
  /**
   * Default: the world from the start.
   */
  worldId?: string;
  /**
   * Default: the `datasetAutomationId` of the world.
   */
  automationId?: string;
  /**
   * One segment of a path; it becomes a folder of the export.
   */
  name: string;
  input?: GivenFile[];
  expected?: GivenFile[];
}
/**
 * An example of a dataset.
 */
export interface Example {
  id: string;
  automationId: string;
  name: string;
  createdAt: string;
  input: StoredFile[];
  expected: StoredFile[];
}
/**
 * An endpoint to configure.
 */
export interface WebhookEndpointCreation {
  /**
   * Default: the world from the start.
   */
  worldId?: string;
  url: string;
  /**
   * Custom headers, sent with every delivery.
   */
  headers?: {
    [k: string]: string;
  };
}
/**
 * What is named changes.
 */
export interface WebhookEndpointChange {
  enabled?: boolean;
  url?: string;
  /**
   * Custom headers, sent with every delivery.
   */
  headers?: {
    [k: string]: string;
  };
}
/**
 * Where the run events of a world's tenant are sent.
 */
export interface WebhookEndpoint {
  id: string;
  worldId: string;
  url: string;
  /**
   * Custom headers, sent with every delivery.
   */
  headers: {
    [k: string]: string;
  };
  /**
   * The key of the signature, the prefix included.
   */
  secret: string;
  enabled: boolean;
  createdAt: string;
}
/**
 * Webhook endpoints.
 */
export interface WebhookEndpointList {
  data: WebhookEndpoint[];
}
/**
 * A test event on its way.
 */
export interface SentTest {
  eventId: string;
}
/**
 * One event.
 */
export interface Event {
  id: string;
  worldId: string;
  type: EventType;
  /**
   * Null for a test event, whose run does not exist.
   */
  runId: string | null;
  test: boolean;
  createdAt: string;
  /**
   * The JSON text whose UTF-8 bytes every attempt signs and sends.
   */
  payload: string;
}
/**
 * Events.
 */
export interface EventList {
  data: Event[];
}
/**
 * An event on its way to one endpoint.
 */
export interface Delivery {
  id: string;
  eventId: string;
  endpointId: string;
  /**
   * Null for a test event, whose run does not exist.
   */
  runId: string | null;
  type: EventType;
  status: DeliveryStatus;
  /**
   * Why delivery ended; null unless the status is `ended`. The reference server has `final_status`,
   * `redirect_not_followed`, `attempts_exhausted`, `target_refused`, `endpoint_disabled` and
   * `endpoint_deleted`.
   *
   */
  endReason: string | null;
  nextAttemptAt: string | null;
  createdAt: string;
  attempts: DeliveryAttempt[];
}
/**
 * One try to hand an event to an endpoint.
 */
export interface DeliveryAttempt {
  number: number;
  startedAt: string;
  finishedAt: string;
  /**
   * `automatic` by the retry profile, `manual` by a redelivery, `copy` by the pathology `duplicate`.
   *
   */
  trigger: "automatic" | "manual" | "copy";
  /**
   * What went wrong on purpose; null for an honest attempt.
   */
  pathology: PathologyName | null;
  /**
   * The `webhook-timestamp` that was sent, in seconds; null when nothing was.
   */
  webhookTimestamp: number | null;
  /**
   * Null when no answer came.
   */
  status: number | null;
  /**
   * A word for what went wrong, such as `timeout`, `target_refused`, `dropped`, `body_truncated`, or
   * the code of the network failure.
   *
   */
  error: string | null;
  /**
   * What went wrong, in words.
   */
  detail: string | null;
  /**
   * Where a retry follows and the answer asked for a wait.
   */
  retryAfter: {
    /**
     * Seconds that the answer asked for.
     */
    asked: number;
    /**
     * Seconds that were used under the cap.
     */
    used: number;
  } | null;
  /**
   * The beginning of the answer's body.
   */
  responseBody: string | null;
}
/**
 * Deliveries.
 */
export interface DeliveryList {
  data: Delivery[];
}
/**
 * A pathology that lies in wait: the order with its defaults filled in, and what it has struck.
 * `deliveries` is absent where all of a run's are meant, `bytes` where half of the body is.
 */
export interface Pathology {
  id: string;
  plantedAt: string;
  /**
   * How many deliveries it struck.
   */
  hits: number;
  /**
   * The last 100, oldest first.
   *
   * @maxItems 100
   */
  struck: PathologyHit[];
  name: PathologyName;
  endpointId?: string;
  runId?: string;
  deliveries?: number;
  copies?: number;
  apartMilliseconds?: number;
  holdMilliseconds?: number;
  milliseconds?: number;
  seconds?: number;
  bytes?: number;
  pieces?: number;
}
/**
 * One delivery that a pathology has struck.
 */
export interface PathologyHit {
  at: string;
  deliveryId: string;
  eventId: string;
}
/**
 * Pathologies.
 */
export interface PathologyList {
  data: Pathology[];
}
/**
 * A sink to open.
 */
export interface SinkCreation {
  answers?: SinkScript;
}
/**
 * An answer.
 */
export interface StatusAnswer {
  status: number;
  headers?: {
    [k: string]: string;
  };
  body?: string;
  /**
   * How long it waits before, by the clock of the server. Default 0.
   */
  afterMilliseconds?: number;
}
/**
 * No answer, on a connection that stays open.
 */
export interface HangAnswer {
  hang: true;
}
/**
 * No answer; the connection is reset.
 */
export interface ResetAnswer {
  reset: true;
  /**
   * How long it waits before, by the clock of the server. Default 0.
   */
  afterMilliseconds?: number;
}
/**
 * The answers from the next arrival on.
 */
export interface SinkChange {
  answers: SinkScript;
}
/**
 * A sink without its exchanges.
 */
export interface SinkSummary {
  id: string;
  url: string;
  createdAt: string;
  /**
   * What is left of the script, at least its last answer.
   */
  answers: SinkAnswer[];
  /**
   * How many requests have come, whole or cut off.
   */
  arrived: number;
}
/**
 * An endpoint inside the server, with what arrived beside what was sent.
 */
export interface Sink {
  id: string;
  url: string;
  createdAt: string;
  /**
   * What is left of the script, at least its last answer.
   */
  answers: SinkAnswer[];
  /**
   * How many requests have come, whole or cut off.
   */
  arrived: number;
  /**
   * In the order of sending, the last 1000 as far as they hold no more than 8 MiB of headers and
   * bodies together.
   *
   *
   * @maxItems 1000
   */
  exchanges: Exchange[];
}
/**
 * One request, as it was sent and as it arrived.
 */
export interface Exchange {
  /**
   * What the sender made of the event and the endpoint, before any pathology; null for a request
   * that no sender made.
   *
   */
  sent: SentRequest | null;
  /**
   * Null for what never came.
   */
  arrived: ArrivedRequest | null;
  /**
   * The headers, in lower case, and `body`, in which the two are not the same. Those that the
   * connection itself writes do not count.
   *
   */
  differs: string[];
}
/**
 * A request as the sender meant it.
 */
export interface SentRequest {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  /**
   * The number of the attempt row; null while there is none.
   */
  attempt: number | null;
  pathology: PathologyName | null;
  at: string;
  headers: HeaderList;
  body: string;
}
/**
 * A request as it came to the sink.
 */
export interface ArrivedRequest {
  /**
   * 1 for the first arrival.
   */
  number: number;
  at: string;
  method: string;
  path: string;
  headers: HeaderList;
  /**
   * The body where it is UTF-8.
   */
  body?: string;
  /**
   * The body where it is not.
   */
  bodyBase64?: string;
  /**
   * False where the connection ended before the body, or after 1 MiB, of which the rest is not kept.
   */
  complete: boolean;
  /**
   * The status, or what else the sink did; null while it holds the answer back, when the sender gave
   * up before, and for a request that was cut off.
   *
   */
  answer: number | ("hang" | "reset") | null;
}
/**
 * Sinks.
 */
export interface SinkList {
  data: SinkSummary[];
}
/**
 * How many requests a key may make in a window.
 */
export interface RateLimit {
  requests: number;
  windowSeconds: number;
}
/**
 * What is named changes.
 */
export interface LimitsChange {
  /**
   * Null for any number of requests.
   */
  rateLimit?: {
    requests: number;
    windowSeconds: number;
  } | null;
  accounting?: Accounting;
}
/**
 * The limits of the API.
 */
export interface Limits {
  /**
   * Null for any number of requests.
   */
  rateLimit: RateLimit | null;
  accounting: Accounting;
}
/**
 * A fault as it is ordered.
 */
export interface FaultOrder {
  match: FaultMatch;
  /**
   * Strikes only the nth request that matches, counted from 1.
   */
  nth?: number;
  /**
   * The share of matching requests that it strikes, drawn from the seed of the server. Default 1.
   */
  probability?: number;
  /**
   * Strikes at most so often.
   */
  times?: number;
  /**
   * Strikes only so long after it was planted, by the clock of the server.
   */
  forMilliseconds?: number;
  effect: FaultEffect;
}
/**
 * Requests that are like this in all that is named; the empty object is every request.
 */
export interface FaultMatch {
  /**
   * An operationId of `openapi.yaml`.
   */
  operationId?: string;
  /**
   * The API key itself.
   */
  key?: string;
  tenantId?: string;
  method?: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";
  /**
   * The whole path, without the query.
   */
  path?: string;
}
/**
 * What befalls a request: a wait, and after it one of `status`, `reset` and `truncateBody` at most;
 * something must be there.
 */
export interface FaultEffect {
  /**
   * The request waits so long by the clock of the server, and goes on.
   */
  latencyMilliseconds?: number;
  /**
   * It is not processed, but answered with this status and the code `planted_fault`.
   */
  status?: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503;
  /**
   * The seconds in `Retry-After`, beside `status`. Default 1 with 429 and 503.
   */
  retryAfter?: number;
  /**
   * It is not processed; the TCP connection is reset.
   */
  reset?: true;
  /**
   * It is processed; its answer declares more bytes than this number, so many are sent, and the
   * connection ends. An answer without a body stays whole.
   *
   */
  truncateBody?: number;
}
/**
 * A fault that lies in wait, and what it has struck.
 */
export interface Fault {
  id: string;
  plantedAt: string;
  /**
   * How many requests matched.
   */
  matched: number;
  /**
   * How many of them it struck.
   */
  hits: number;
  /**
   * The last 100, oldest first.
   *
   * @maxItems 100
   */
  struck: FaultHit[];
  match: FaultMatch;
  nth?: number;
  probability?: number;
  times?: number;
  forMilliseconds?: number;
  effect: FaultEffect;
}
/**
 * One request that a fault has struck.
 */
export interface FaultHit {
  at: string;
  requestId: string;
  method: string;
  path: string;
}
/**
 * Faults.
 */
export interface FaultList {
  data: Fault[];
}
/**
 * The clock of the deployment.
 */
export interface Clock {
  mode: "real" | "virtual";
  now: string;
}
/**
 * How far the clock goes.
 */
export interface ClockAdvance {
  milliseconds: number;
}
/**
 * Until a delivery has the `status` and at least so many `attempts`; without both, until it is no
 * longer pending. Answered with the delivery.
 */
export interface DeliveryWait {
  for: "delivery";
  id: string;
  status?: DeliveryStatus;
  attempts?: number;
  /**
   * In real time, whatever the clock. Default 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Until at least `count` deliveries (default 1) are like this in all that is named, and none of them
 * is pending. Answered with those deliveries.
 */
export interface DeliveriesWait {
  for: "deliveries";
  runId?: string;
  endpointId?: string;
  count?: number;
  /**
   * In real time, whatever the clock. Default 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Until a run has the `status`; without it, until it is terminal. Answered with the run.
 */
export interface RunWait {
  for: "run";
  id: string;
  status?: RunStatus;
  /**
   * In real time, whatever the clock. Default 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Until nothing is under way and nothing is due now; a retry that lies ahead does not count.
 */
export interface IdleWait {
  for: "idle";
  /**
   * In real time, whatever the clock. Default 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Until so many requests have arrived at a sink. Answered with the sink.
 */
export interface SinkWait {
  for: "sink";
  id: string;
  arrived: number;
  /**
   * In real time, whatever the clock. Default 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Until a fault has struck so often. Answered with the fault.
 */
export interface FaultWait {
  for: "fault";
  id: string;
  hits: number;
  /**
   * In real time, whatever the clock. Default 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Until a pathology has struck so often. Answered with the pathology.
 */
export interface PathologyWait {
  for: "pathology";
  id: string;
  hits: number;
  /**
   * In real time, whatever the clock. Default 5000.
   */
  timeoutMilliseconds?: number;
}
/**
 * Nothing is under way and nothing is due.
 */
export interface Idle {
  idle: true;
}
