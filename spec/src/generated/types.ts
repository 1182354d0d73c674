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
 * Ways to start the automation.
 */
export type AutomationTriggers = {
  /**
   * True if the API can start it.
   */
  api?: boolean | null;
  /**
   * True if an e-mail can start it.
   */
  email?: boolean | null;
  /**
   * True if a person can start it.
   */
  manual?: boolean | null;
  /**
   * True if a schedule can start it.
   */
  cron?: boolean | null;
} | null;
/**
 * A run with its complete output.
 */
export type RunView = RunRow & {
  /**
   * Output of the run. Any JSON value. Null if a run has ended without an output, and
   * absent before.
   */
  output?: unknown;
  /**
   * Output files. Present if the status is terminal.
   */
  files?: RunArtifact[];
  input?: RunInput;
  usage?: RunUsage;
  debug?: RunDebug;
};
/**
 * Status of an experiment.
 */
export type ExperimentStatus = "queued" | "running" | "completed";
/**
 * Format of exported results.
 */
export type ExperimentFormat = "csv" | "json";
/**
 * How to send the content of an upload. `transport` identifies the way.
 */
export type FileUpload = PresignedUpload | MultipartUpload;
/**
 * Files of an example at the start of the review.
 */
export type SnapshotManifest = {
  /**
   * Expected files.
   */
  expectedFiles?:
    | {
        name: string;
      }[]
    | null;
  /**
   * Metadata of the example.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Input files with their digests.
   */
  inputFileHashes?:
    | {
        path: string;
        sha256: string;
      }[]
    | null;
} | null;
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
  folderId?: string | null;
  /**
   * Path of the folder from the tenant root, separated by slashes. Null at the root and for
   * an agent.
   */
  folderPath?: string | null;
  /**
   * Time of creation.
   */
  createdAt?: string | null;
  /**
   * Description of the automation.
   */
  description?: string | null;
  /**
   * Status of the automation.
   */
  status?: string | null;
  /**
   * Version of the automation.
   */
  version?: string | null;
  triggers?: AutomationTriggers | null;
  /**
   * False if the automation is registered but its workflow or agent does not exist.
   */
  implementationAvailable?: boolean | null;
  /**
   * Time of the last change.
   */
  updatedAt?: string | null;
  /**
   * JSON Schema of the input.
   */
  inputSchema?: {
    [k: string]: unknown;
  } | null;
  /**
   * JSON Schema of the output.
   */
  outputSchema?: {
    [k: string]: unknown;
  } | null;
}
/**
 * One page of runs.
 */
export interface RunList {
  /**
   * Runs of the page.
   */
  runs: RunRow[];
  /**
   * Value of `cursor` for the next page. Null on the last page.
   */
  nextCursor: string | null;
  /**
   * Total number of matching runs.
   */
  total: number;
  /**
   * Maximum number of runs on the page.
   */
  limit: number;
  /**
   * Number of matching runs before the page.
   */
  offset: number;
}
/**
 * A run in a list.
 */
export interface RunRow {
  /**
   * ID of the run.
   */
  id: string;
  /**
   * ID of the automation.
   */
  automationId: string;
  type: AutomationType;
  status: RunStatus;
  /**
   * What started the run, for example `api`, `cli`, `manual`, `email` or `cron`.
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
   * True if the status is terminal.
   */
  finished: boolean;
  /**
   * Number from 0 to below 1 that stays the same for a run. `sampleRate` selects by it.
   */
  sampleRank: number;
  timing: RunTiming;
  source: RunSource;
  trigger: RunTrigger;
  execution: RunExecution;
  eval?: RunEvaluation;
  /**
   * Present if the status is terminal. A text if the run failed or was rejected, else null.
   */
  error?: string | null;
}
/**
 * Times of a run.
 */
export interface RunTiming {
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time at which the run started. Null before that.
   */
  startedAt: string | null;
  /**
   * Time at which the run ended.
   */
  completedAt: string | null;
  /**
   * Milliseconds from start to end. Null until both are known.
   */
  durationMs: number | null;
  /**
   * Time of the first request to cancel the started run. Null without one.
   */
  cancelRequestedAt: string | null;
}
/**
 * The automation and the version of a run.
 */
export interface RunSource {
  /**
   * ID of the automation.
   */
  id: string;
  /**
   * Name of the automation.
   */
  name: string | null;
  /**
   * Label of the version. Null for an agent.
   */
  version: string | null;
  /**
   * ID of the version (workflow).
   */
  versionId?: string | null;
  /**
   * Slug of the agent.
   */
  slug?: string | null;
  /**
   * Model of the agent.
   */
  model?: string | null;
  /**
   * Git refs of the version (agent).
   */
  git?: RunGit | null;
  /**
   * False if the automation has no implementation.
   */
  implementationAvailable?: boolean;
  /**
   * False if the automation no longer exists.
   */
  automationFound?: boolean;
  /**
   * Label of the version that is current now.
   */
  currentVersion?: string | null;
}
/**
 * Git refs that an agent's run was made from.
 */
export interface RunGit {
  /**
   * Ref that the caller requested.
   */
  requestedRef: string | null;
  /**
   * Ref that was found.
   */
  resolvedRef: string | null;
  /**
   * Tag of the commit.
   */
  resolvedTag: string | null;
  /**
   * Commit.
   */
  commitSha: string | null;
}
/**
 * What started a run.
 */
export interface RunTrigger {
  /**
   * Equals `triggerType`.
   */
  type: string | null;
  /**
   * The user of the key that started the run. Null without one.
   */
  by: RunUser | null;
  /**
   * The e-mail that started an agent's run.
   */
  email?: unknown;
}
/**
 * A user.
 */
export interface RunUser {
  /**
   * ID of the user.
   */
  id: string;
  /**
   * Name of the user.
   */
  name: string | null;
  /**
   * E-mail address of the user.
   */
  email: string;
}
/**
 * The execution of a run.
 */
export interface RunExecution {
  status: RunStatus;
  /**
   * True if the output fits the output schema of the automation. Null until the run has completed.
   */
  schemaValid: boolean | null;
  /**
   * ID of the experiment.
   */
  batchId: string | null;
  retry: RunRetry;
  /**
   * The review of the run, or null. With `expand=execution` the whole review, else a short
   * form.
   */
  review?: RunReviewSummary | RunReview | null;
  /**
   * Steps of the run (workflow, with `expand=execution`).
   */
  steps?: RunStep[];
  /**
   * Definition that the run executes (workflow, with `expand=execution`).
   */
  definitionSnapshot?: unknown;
  /**
   * Files of the run (agent, with `expand=execution`).
   */
  files?: {
    /**
     * Output files.
     */
    output: RunFileName[];
  };
  /**
   * The corrections of the review, or the expected result of the example of an evaluation
   * run (with `expand=execution`).
   */
  expected?: {
    /**
     * Expected output.
     */
    output?: unknown;
    /**
     * Expected files.
     */
    files?: RunFileName[];
  };
  /**
   * Comparison of the results with the example (ended evaluation run of an agent, with `expand=execution`).
   */
  comparison?: unknown;
}
/**
 * The runs before and after this one.
 */
export interface RunRetry {
  /**
   * Number of runs before this one. 0 for a first run.
   */
  number: number;
  /**
   * ID of the run that was run again.
   */
  previousRunId: string | null;
  /**
   * The newest rerun.
   */
  nextRun: {
    /**
     * ID of the run.
     */
    id: string;
    status: RunStatus;
  } | null;
}
/**
 * The short form of a review.
 */
export interface RunReviewSummary {
  /**
   * Verdict of the review.
   */
  verdict: string | null;
  /**
   * Status of the review.
   */
  status: string | null;
  /**
   * True if the review has a note.
   */
  hasNote: boolean;
  /**
   * Number of corrections.
   */
  correctionCount: number;
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
  kind?: string | null;
  /**
   * Path of the corrected field.
   */
  path?: string | null;
  /**
   * Display name of the corrected field.
   */
  label?: string | null;
  /**
   * Note of the reviewer.
   */
  note?: string | null;
  /**
   * Time of creation.
   */
  createdAt?: string | null;
  /**
   * Time of the last change.
   */
  updatedAt?: string | null;
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
  correctedArtifactPath?: string | null;
}
/**
 * A step of a workflow, or a turn of an agent.
 */
export interface RunStep {
  /**
   * Name of the step.
   */
  stepName: string;
  /**
   * Status of the step.
   */
  status: "pending" | "running" | "waiting" | "completed" | "failed" | "cancelled" | "skipped";
  /**
   * Time at which the step started.
   */
  startedAt: string | null;
  /**
   * Time at which the step ended.
   */
  completedAt: string | null;
  /**
   * Output of the step.
   */
  output?: unknown;
  /**
   * Why the step failed.
   */
  error?: string;
}
/**
 * The name of a file.
 */
export interface RunFileName {
  /**
   * Name of the file.
   */
  name: string;
}
/**
 * The evaluation of a run. Only evaluation runs have one.
 */
export interface RunEvaluation {
  /**
   * Name (agent) or ID (workflow) of the example.
   */
  example: string | null;
  /**
   * ID of the example (workflow).
   */
  exampleId?: string | null;
  /**
   * Average score. Null before the end.
   */
  score: number | null;
  /**
   * Whether all evaluators passed.
   */
  passed: boolean | null;
}
/**
 * A file of a run.
 */
export interface RunArtifact {
  /**
   * Name of the file.
   */
  name: string;
  /**
   * Role of the file.
   */
  role: "input" | "output" | "debug" | "report";
  /**
   * Path for the download.
   */
  path: string;
  /**
   * Step that made the file.
   */
  stepName?: string;
  /**
   * Media type of the content.
   */
  contentType?: string | null;
  /**
   * Size of the content in bytes.
   */
  size?: number | null;
}
/**
 * The stored input of a run.
 */
export interface RunInput {
  /**
   * Input of the run. A file in it has the form `{ "$file": "input/…" }`.
   */
  args: unknown;
  /**
   * Input files (agent).
   */
  files?: RunFileName[];
  /**
   * Metadata that the caller sent with the run.
   */
  metadata?: unknown;
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
 * Information for debugging.
 */
export interface RunDebug {
  /**
   * Observed values of the run.
   */
  observability: unknown;
  /**
   * ID of the trace (workflow).
   */
  traceId?: string | null;
}
/**
 * The files of a run.
 */
export interface RunArtifactList {
  /**
   * Files of the run.
   */
  artifacts: RunArtifact[];
}
/**
 * The steps of a run.
 */
export interface RunStepList {
  /**
   * Steps of the run.
   */
  steps: RunStep[];
}
/**
 * A change of a run.
 */
export interface RunHistoryEvent {
  /**
   * `run.created`, `run.status_changed` or `run.cancel_requested`. Other values are possible.
   */
  type: string;
  /**
   * Time of the change.
   */
  timestamp: string;
  /**
   * Status after the change.
   */
  status?: string | null;
  /**
   * Description of the change.
   */
  message?: string | null;
  /**
   * More facts about the change.
   */
  metadata?: {
    [k: string]: unknown;
  };
}
/**
 * The changes of a run.
 */
export interface RunEventList {
  /**
   * Changes of the run, oldest first.
   */
  events: RunHistoryEvent[];
}
/**
 * A part of the execution of a run.
 */
export interface RunTraceEvent {
  /**
   * `phase`, `step` or `turn`.
   */
  type?: string;
  /**
   * Phase of the run.
   */
  phase?: string;
  /**
   * Name of the step or turn.
   */
  stepName?: string;
  /**
   * Status of the part.
   */
  status?: string;
  /**
   * Time at which the part started.
   */
  startedAt?: string | null;
  /**
   * Time at which the part ended.
   */
  completedAt?: string | null;
  /**
   * Description of the part.
   */
  message?: string | null;
}
/**
 * The trace of a run.
 */
export interface RunTrace {
  /**
   * Parts of the execution, ordered by time.
   */
  events: RunTraceEvent[];
}
/**
 * One page of experiments.
 */
export interface ExperimentList {
  /**
   * Entries of the page.
   */
  data: Experiment[];
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
 * A batch of evaluation runs.
 */
export interface Experiment {
  /**
   * ID of the experiment batch.
   */
  id: string;
  /**
   * ID of the automation.
   */
  automationId: string;
  automationType: AutomationType;
  status: ExperimentStatus;
  /**
   * Number of runs.
   */
  runCount: number;
  /**
   * Number of runs that have ended.
   */
  completedCount: number;
  /**
   * Number of runs that passed.
   */
  passedCount: number;
  /**
   * Number of runs that ended otherwise.
   */
  failedCount: number;
  /**
   * Average score of the judged runs. Null without one.
   */
  avgScore: number | null;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time at which the last run ended. Null before that.
   */
  completedAt: string | null;
  /**
   * Label of the version that is evaluated.
   */
  version: string | null;
}
/**
 * The result of one evaluator for one run, as exports have it.
 */
export interface ExperimentResult {
  /**
   * ID of the experiment batch.
   */
  experiment_id: string;
  /**
   * ID of the run.
   */
  run_id: string;
  /**
   * ID of the dataset example.
   */
  example_id: string | null;
  /**
   * Name of the evaluator.
   */
  evaluator_name: string;
  /**
   * Score from 0 to 1. Null without a judgement.
   */
  score: number | null;
  /**
   * True if the score reached the threshold.
   */
  passed: boolean | null;
  /**
   * Name of the dataset example.
   */
  example_name: string | null;
  run_status: RunStatus;
  /**
   * Type of the evaluator.
   */
  evaluator_type: string;
  /**
   * `pass`, `fail`, or null.
   */
  label: string | null;
  /**
   * Weight of the evaluator.
   */
  weight: number | null;
  /**
   * Lowest score that passes.
   */
  pass_threshold: number | null;
  /**
   * Description of the evaluator.
   */
  description: string | null;
  /**
   * Why there is no score.
   */
  error: string | null;
  /**
   * Time of the result.
   */
  created_at: string;
  /**
   * With `includeTrace`: the statuses of the run, as JSON.
   */
  trace?: string;
}
/**
 * A batch of evaluation runs, with the runs and their results.
 */
export interface ExperimentDetail {
  /**
   * ID of the experiment batch.
   */
  id: string;
  /**
   * ID of the automation.
   */
  automationId: string;
  automationType: AutomationType;
  status: ExperimentStatus;
  /**
   * Number of runs.
   */
  runCount: number;
  /**
   * Number of runs that have ended.
   */
  completedCount: number;
  /**
   * Number of runs that passed.
   */
  passedCount: number;
  /**
   * Number of runs that ended otherwise.
   */
  failedCount: number;
  /**
   * Average score of the judged runs. Null without one.
   */
  avgScore: number | null;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time at which the last run ended. Null before that.
   */
  completedAt: string | null;
  /**
   * Label of the version that is evaluated.
   */
  version: string | null;
  /**
   * The runs in the order of their examples.
   */
  runs: ExperimentRun[];
  /**
   * The results by the ID of the run.
   */
  resultsByRun: {
    [k: string]: EvaluationScore[];
  };
}
/**
 * A run of an experiment.
 */
export interface ExperimentRun {
  /**
   * ID of the run.
   */
  id: string;
  status: RunStatus;
  /**
   * ID of the dataset example.
   */
  exampleId: string | null;
  /**
   * Name of the dataset example.
   */
  exampleName: string | null;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time at which the run ended. Null before that.
   */
  completedAt: string | null;
}
/**
 * The result of one evaluator for one run.
 */
export interface EvaluationScore {
  /**
   * ID of the result.
   */
  id: string;
  /**
   * ID of the run.
   */
  runId: string;
  /**
   * ID of the automation.
   */
  automationId: string | null;
  /**
   * Name of the evaluator.
   */
  evaluatorName: string;
  /**
   * Type of the evaluator.
   */
  evaluatorType: string;
  /**
   * Score.
   */
  score: number | null;
  /**
   * Whether the score reaches the threshold.
   */
  passed: boolean | null;
  /**
   * Label that the evaluator chose.
   */
  label: string | null;
  /**
   * Weight of the evaluator.
   */
  weight: number | null;
  /**
   * Lowest score that passes.
   */
  passThreshold: number | null;
  /**
   * Description of the result.
   */
  description: string | null;
  /**
   * More facts about the result.
   */
  details: unknown;
  /**
   * Why the evaluator failed.
   */
  error: string | null;
  /**
   * Time of the result.
   */
  createdAt: string;
}
/**
 * What an experiment runs.
 */
export interface ExperimentStart {
  /**
   * IDs or names of dataset examples. Default: the whole dataset.
   */
  examples?: string[];
  /**
   * Maximum number of runs at the same time. Default: no maximum.
   */
  batchConcurrency?: number | null;
  /**
   * Version to evaluate: its ID, label or source reference. Default: the current one.
   */
  sourceRef?: string;
}
/**
 * A new experiment and its runs.
 */
export interface ExperimentStarted {
  /**
   * ID of the experiment batch.
   */
  id: string;
  /**
   * The runs in the order of their examples.
   */
  runs: {
    /**
     * ID of the run.
     */
    id: string;
    /**
     * ID of the dataset example.
     */
    exampleId: string | null;
  }[];
  /**
   * Number of runs.
   */
  total: number;
}
/**
 * The scores of a run.
 */
export interface RunScoreList {
  /**
   * Results of the evaluators.
   */
  scores: EvaluationScore[];
}
/**
 * The automation to run and its input.
 */
export interface RunStart {
  /**
   * ID or alias of the automation. A version can follow after `@`.
   */
  target: string;
  /**
   * Input of the run. Default: an empty object. A file in it has the form `{ "$fileId":
   * "file_…" }` or `{ "$inline": { filename, mimeType, base64 } }`.
   */
  input?: {
    [k: string]: unknown;
  };
  /**
   * Files by field of the input. Each is a reference as in `input`, or an array of references.
   */
  files?: {
    [k: string]: unknown;
  };
  overrides?: RunOverrides;
  /**
   * Facts to keep with the run.
   */
  metadata?: {
    [k: string]: unknown;
  };
}
/**
 * Results that replace the work of steps.
 */
export interface RunOverrides {
  /**
   * Outputs by step. A step with an output is not executed. Runs of agents ignore them.
   */
  steps?: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
}
/**
 * Parts of a form that starts a run. The parts can have any order.
 */
export interface RunStartForm {
  /**
   * ID or alias of the automation. A version can follow after `@`.
   */
  target: string;
  /**
   * Input of the run in JSON. Default: an empty object.
   */
  input?: {
    [k: string]: unknown;
  };
  overrides?: RunOverrides;
  /**
   * Facts to keep with the run in JSON.
   */
  metadata?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * A run that has not ended.
 */
export interface RunAccepted {
  /**
   * ID of the run.
   */
  id: string;
  /**
   * ID of the automation.
   */
  automationId: string;
  type: AutomationType;
  status: RunStatus;
  /**
   * What started the run.
   */
  triggerType: string;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time at which the run started.
   */
  startedAt: string | null;
  /**
   * Time at which the run ended.
   */
  completedAt: string | null;
  /**
   * The run has not ended.
   */
  finished: false;
  source: RunSource;
}
/**
 * A run and the effect of a request to cancel it.
 */
export interface RunCancelled {
  /**
   * ID of the run.
   */
  id: string;
  /**
   * ID of the automation.
   */
  automationId: string;
  type: AutomationType;
  status: RunStatus;
  /**
   * What started the run.
   */
  triggerType: string;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time at which the run started.
   */
  startedAt: string | null;
  /**
   * Time at which the run ended.
   */
  completedAt: string | null;
  /**
   * True if the status is terminal.
   */
  finished: boolean;
  /**
   * The execution of the run.
   */
  execution: {
    status: RunStatus;
  };
  /**
   * The effect of the request.
   */
  cancellation: {
    /**
     * - `cancelled`: the run is cancelled.
     * - `requested`: the run will be cancelled soon, unless it ends first.
     * - `already_terminal`: the run had ended and stays unchanged.
     */
    state: "cancelled" | "requested" | "already_terminal";
    wasStatus: RunStatus;
  };
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
   * Name of the file. Folders before it are dropped.
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
  /**
   * Identifies the upload within the tenant. A repeated request with the same key and the
   * same other fields returns the same upload with a new URL. Ignored for `transport:
   * multipart`.
   */
  idempotencyKey?: string;
}
/**
 * A signed URL for the content of an upload.
 */
export interface PresignedUpload {
  transport: "presigned-put";
  /**
   * Maximum size of a file in bytes.
   */
  maxFileSizeBytes: number;
  /**
   * ID of the pending upload.
   */
  uploadId: string;
  /**
   * ID that the file gets when you complete the upload.
   */
  fileId: string;
  /**
   * Signed URL. It is valid until `expiresAt`.
   */
  url: string;
  /**
   * The same URL as `url`.
   */
  uploadUrl: string;
  method: "PUT";
  /**
   * Headers to send with the content.
   */
  headers: {
    [k: string]: string;
  };
  /**
   * Time until which `url` is valid.
   */
  expiresAt: string;
}
/**
 * The path that takes the content as a form. There is no upload to complete or abort.
 */
export interface MultipartUpload {
  transport: "multipart";
  /**
   * Maximum size of a file in bytes.
   */
  maxFileSizeBytes: number;
  /**
   * Path of the operation, without an origin.
   */
  url: string;
}
/**
 * One page of versions.
 */
export interface AutomationVersionList {
  /**
   * Entries of the page.
   */
  data: AutomationVersion[];
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
 * A version of an automation.
 */
export interface AutomationVersion {
  /**
   * ID of the version.
   */
  id: string;
  /**
   * ID of the automation.
   */
  automationId: string;
  /**
   * Label of the version.
   */
  version: string | null;
  /**
   * Branch or tag of an agent.
   */
  sourceRef: string | null;
  /**
   * True for the version that runs use by default.
   */
  isCurrent: boolean;
  /**
   * Time of creation.
   */
  createdAt: string;
}
/**
 * Ways to start an automation.
 */
export interface TriggerSettings {
  /**
   * ID of the automation.
   */
  automationId: string;
  type: AutomationType;
  /**
   * The triggers.
   */
  triggers: {
    /**
     * True if the API can start it.
     */
    api: boolean;
    /**
     * True if an e-mail can start it.
     */
    email: boolean;
    /**
     * True if a person can start it.
     */
    manual: boolean;
    /**
     * True if a schedule can start it.
     */
    cron: boolean;
  };
}
/**
 * The evaluators of an automation.
 */
export interface Evaluators {
  /**
   * ID of the automation.
   */
  automationId: string;
  automationType: AutomationType;
  /**
   * The configuration as it was written.
   */
  yaml: string;
  config: EvaluatorConfig;
}
/**
 * A configuration of evaluators.
 */
export interface EvaluatorConfig {
  /**
   * The evaluators in the order in which they judge.
   */
  evaluators: Evaluator[];
  /**
   * Weighted average score, from 0 to 1, with which a run passes.
   */
  passThreshold: number;
}
/**
 * A rule that judges the output of a run.
 */
export interface Evaluator {
  /**
   * Name, unique in the configuration.
   */
  name: string;
  /**
   * Kind of rule: `exact_match`, `field_match` or `judge`.
   */
  type: string;
  /**
   * Weight of the score in the average.
   */
  weight: number;
  /**
   * Score, from 0 to 1, with which the rule passes.
   */
  passThreshold: number;
  /**
   * Path of the field that `field_match` compares, with dots between its parts.
   */
  path?: string;
  /**
   * What the rule judges.
   */
  description?: string;
}
/**
 * A configuration of evaluators as YAML.
 */
export interface EvaluatorsUpdate {
  /**
   * An object with `evaluators` and an optional `passThreshold` (default 1). Each evaluator has
   * a `name`, a `type` and, depending on it, a `path`; `weight` and `passThreshold` (default 1)
   * are optional.
   */
  yaml: string;
}
/**
 * One page of dataset examples.
 */
export interface DatasetExampleList {
  /**
   * Entries of the page.
   */
  data: DatasetExample[];
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
 * An example of a dataset.
 */
export interface DatasetExample {
  /**
   * ID of the example.
   */
  id: string;
  /**
   * Name, unique in the dataset.
   */
  name: string;
  /**
   * ID of the automation.
   */
  automationId: string;
  automationType: AutomationType;
  /**
   * Input of the runs of this example.
   */
  input: {
    [k: string]: unknown;
  } | null;
  /**
   * Expected output. Any JSON value.
   */
  expected: unknown;
  /**
   * The expected files.
   */
  expectedFiles: {
    /**
     * Path below the expected folder.
     */
    name: string;
  }[];
  /**
   * Information about the example.
   */
  metadata: {
    [k: string]: unknown;
  } | null;
  /**
   * Note about the example.
   */
  annotation: string | null;
  /**
   * Place in the list.
   */
  rowOrder: number | null;
  /**
   * Outputs of steps that are not executed.
   */
  overrides: {
    [k: string]: unknown;
  } | null;
  /**
   * ID of the newest evaluation run of the example.
   */
  latestRunId: string | null;
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Time of the last change. Null without one.
   */
  updatedAt: string | null;
}
/**
 * The members of a dataset example that a caller sets.
 */
export interface DatasetExampleWrite {
  /**
   * Name, unique in the dataset. It is also the name of a folder.
   */
  name?: string | null;
  /**
   * Input of the runs of this example. `{ "$file": "input/<path>" }` names a file of the
   * example.
   */
  input?: {
    [k: string]: unknown;
  } | null;
  /**
   * Expected output. Any JSON value.
   */
  expected?: unknown;
  /**
   * Information about the example.
   */
  metadata?: {
    [k: string]: unknown;
  } | null;
  /**
   * Note about the example.
   */
  annotation?: string | null;
  /**
   * Place in the list.
   */
  rowOrder?: number | null;
  /**
   * Outputs of steps that are not executed.
   */
  overrides?: {
    [k: string]: unknown;
  } | null;
}
/**
 * A new evaluation run of a dataset example.
 */
export interface ExampleRun {
  /**
   * ID of the run.
   */
  id: string;
  type: AutomationType;
  /**
   * ID of the experiment batch. Null for a single run.
   */
  batchId: string | null;
  /**
   * True if the run has ended.
   */
  finished: boolean;
}
/**
 * Files of a dataset example.
 */
export interface ExampleFileList {
  /**
   * Paths of the files.
   */
  files: string[];
}
/**
 * Parts of a multipart upload of one or more files.
 */
export interface ExampleFilesForm {
  /**
   * Content of a file. Repeat the part for more files. The file name of a part is the path of
   * its file.
   */
  file: string[];
}
/**
 * The files that were stored.
 */
export interface ExampleFilesUploaded {
  /**
   * Paths of the files.
   */
  uploaded: string[];
}
/**
 * Parts of a multipart upload of a dataset.
 */
export interface DatasetImportForm {
  /**
   * The ZIP archive.
   */
  file: string;
  /**
   * `append` (default) adds examples and skips those whose name is taken. `replace` first
   * deletes the dataset.
   */
  mode?: "append" | "replace";
}
/**
 * What an import changed.
 */
export interface DatasetImport {
  /**
   * `append` or `replace`.
   */
  mode: string;
  /**
   * Number of new examples.
   */
  created: number;
  /**
   * Number of new examples with an expected output or file.
   */
  expectedSet: number;
  /**
   * Number of examples whose name was taken. Only with `append`.
   */
  skipped?: number;
  /**
   * A warning for each skipped example. Only with `append`.
   */
  issues?: Issue[];
  /**
   * Number of deleted examples. Only with `replace`.
   */
  deleted?: number;
  /**
   * Number of deleted files. Only with `replace`.
   */
  filesDeleted?: number;
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
  } | null;
  /**
   * Expected output at the start of the review. Any JSON value.
   */
  snapshotExpectedJson?: unknown;
  snapshotManifest?: SnapshotManifest | null;
  /**
   * `pending` until a reviewer decides.
   */
  status?: string | null;
  /**
   * Current expected output. Any JSON value.
   */
  currentExpectedJson?: unknown;
  /**
   * Decisions of the reviewer by field.
   */
  fieldDecisions?: {
    [k: string]: unknown;
  } | null;
  /**
   * True if the input of the example has changed since the start of the review.
   */
  inputDrifted?: boolean | null;
  /**
   * User who made the last change.
   */
  updatedBy?: string | null;
  /**
   * Time of the last change.
   */
  updatedAt?: string | null;
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
  itemId?: string | null;
  /**
   * ID of the user who caused the event.
   */
  actorUserId?: string | null;
  /**
   * The recorded action, for example `created`.
   */
  action?: string | null;
  /**
   * The recorded changes. Any JSON value.
   */
  diffSummary?: unknown;
  /**
   * Time of the event.
   */
  createdAt?: string | null;
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
 * The review of a run, or null.
 */
export interface RunReviewOrNull {
  review: RunReview | null;
}
/**
 * The review of a run.
 */
export interface WrittenRunReview {
  review: RunReview;
}
/**
 * The review to write.
 */
export interface RunReviewWrite {
  /**
   * Judgment of the output. Default: null, a note without a judgment.
   */
  verdict?: "correct" | "incorrect" | null;
  /**
   * Status of the review. Default: `closed` for the verdict `correct`, else `open`.
   */
  status?: "open" | "closed" | "wont_fix";
  /**
   * Note of the reviewer. Default: empty.
   */
  note?: string | null;
  /**
   * The correct output, any JSON value. Null clears it. Default: unchanged.
   */
  correctedOutput?: unknown;
  /**
   * All corrections of the output. Default: unchanged.
   */
  corrections?: ReviewCorrectionWrite[];
}
/**
 * One correction to write.
 */
export interface ReviewCorrectionWrite {
  /**
   * ID of an earlier correction, which keeps its `createdAt`. Default: a new ID.
   */
  id?: string;
  /**
   * What is corrected.
   */
  kind: "field" | "file";
  /**
   * JSON Pointer of a field, or path of a file.
   */
  path: string;
  /**
   * Display name. Default: the path.
   */
  label?: string | null;
  /**
   * Note of the reviewer. Default: empty.
   */
  note?: string | null;
  /**
   * The value in the output of the run. Default: null.
   */
  originalValue?: unknown;
  /**
   * The correct value. Default: null.
   */
  correctedValue?: unknown;
  /**
   * Path of the corrected file.
   */
  correctedArtifactPath?: string | null;
}
/**
 * The corrected files of a run, ordered by name.
 */
export interface CorrectedFileList {
  /**
   * The corrected files.
   */
  files: CorrectedFile[];
  /**
   * The same list as `files`.
   */
  data: CorrectedFile[];
}
/**
 * A corrected file.
 */
export interface CorrectedFile {
  /**
   * Name of the file, or its path separated by slashes.
   */
  name: string;
  /**
   * Media type of the content.
   */
  contentType: string;
  /**
   * Size in bytes.
   */
  size: number;
}
/**
 * Parts of a form with a corrected file.
 */
export interface CorrectedFileForm {
  /**
   * Content of the file.
   */
  file: string;
  /**
   * Name of the corrected file. Default: the file name of the part `file`.
   */
  name?: string;
}
/**
 * The example to make of a run.
 */
export interface RunPromotion {
  /**
   * Name of the example. Default: the ID of the run.
   */
  name?: string;
}
/**
 * The dataset example that was made of a run.
 */
export interface PromotedRun {
  /**
   * ID of the automation.
   */
  automationId: string;
  automationType: AutomationType;
  /**
   * ID of the dataset example.
   */
  exampleId: string;
  /**
   * Name of the dataset example.
   */
  name: string | null;
}
/**
 * The name of a corrected file.
 */
export interface CorrectedFileName {
  /**
   * Name of the file, or its path separated by slashes.
   */
  name: string;
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
  path?: string[] | null;
  /**
   * For example `variable`.
   */
  kind?: string | null;
  /**
   * For example `string`.
   */
  type?: string | null;
  /**
   * True if the value is required.
   */
  required?: boolean | null;
  /**
   * Description of the placeholder.
   */
  description?: string | null;
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
