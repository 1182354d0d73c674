import { API_VERSION, EVENT_ID_PREFIX } from '../generated/constants.ts';
import type {
  RunCreatedEvent,
  RunSnapshot,
  RunStatus,
  RunStatusChangedEvent,
} from '../generated/run-events.ts';

/** The default time of a built event. */
export const CREATED_AT: string = '2026-07-01T12:00:00.000Z';

/** Fields of a built event that replace the defaults. */
export interface RunEventOverrides {
  /**
   * Default: derived from the run id and the statuses, so that the same call builds the same event.
   */
  readonly id?: string;
  /** Default: `2026-07-01`. */
  readonly apiVersion?: string;
  /** ISO 8601. Default: 2026-07-01 at noon UTC. */
  readonly createdAt?: string;
  /** Default: false. */
  readonly test?: boolean;
  /** Fields of `data.run`. Default: the workflow run `exec_1` of `wf_1`, triggered by `api`. */
  readonly run?: Partial<RunSnapshot>;
}

export interface StatusChangeOverrides extends RunEventOverrides {
  /** Default: `pending`. */
  readonly previousStatus?: RunStatus;
  /** Also the status of the run. Default: `running`. */
  readonly currentStatus?: RunStatus;
}

// Requirements: webhook-event.created.no-previous-or-current.
/**
 * Builds a `run.created` event. The run is `pending` unless `run.status` has another value.
 *
 * @example
 * ```ts
 * import { runCreatedEvent } from '@hookproof/receiver/testing';
 *
 * const event = runCreatedEvent({ run: { id: 'exec_7', automationId: 'wf_reports' } });
 * console.log(event.id, event.data.run.status); // whev_exec_7_created pending
 * ```
 */
export function runCreatedEvent(overrides: RunEventOverrides = {}): RunCreatedEvent {
  const run = runSnapshot(overrides.run);
  return {
    ...envelope(overrides, `${run.id}_created`),
    type: 'run.created',
    data: { run },
  };
}

// Requirements: webhook-event.status-changed.current-equals-run.
/**
 * Builds a `run.status_changed` event, by default from `pending` to `running`.
 *
 * @example
 * ```ts
 * import { runStatusChangedEvent } from '@hookproof/receiver/testing';
 *
 * const event = runStatusChangedEvent({ previousStatus: 'running', currentStatus: 'failed' });
 * console.log(event.data.run.status); // failed
 * ```
 */
export function runStatusChangedEvent(
  overrides: StatusChangeOverrides = {},
): RunStatusChangedEvent {
  const { previousStatus = 'pending', currentStatus = 'running' } = overrides;
  const run = runSnapshot({ ...overrides.run, status: currentStatus });
  return {
    ...envelope(overrides, `${run.id}_${previousStatus}_${currentStatus}`),
    type: 'run.status_changed',
    data: { run, previousStatus, currentStatus },
  };
}

function envelope(overrides: RunEventOverrides, name: string) {
  return {
    id: overrides.id ?? EVENT_ID_PREFIX + name,
    apiVersion: overrides.apiVersion ?? API_VERSION,
    createdAt: overrides.createdAt ?? CREATED_AT,
    test: overrides.test ?? false,
  };
}

function runSnapshot(overrides: Partial<RunSnapshot> = {}): RunSnapshot {
  return {
    id: 'exec_1',
    automationId: 'wf_1',
    type: 'workflow',
    status: 'pending',
    triggerType: 'api',
    createdAt: CREATED_AT,
    startedAt: null,
    completedAt: null,
    ...overrides,
  };
}
