// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

/**
 * Type of an automation.
 */
export type AutomationType = "workflow" | "agent";
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
