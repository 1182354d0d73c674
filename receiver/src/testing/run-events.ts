import { API_VERSION, EVENT_ID_PREFIX } from '@hookproof/spec';
import type {
  RunCreatedEvent,
  RunSnapshot,
  RunStatus,
  RunStatusChangedEvent,
} from '@hookproof/spec';

const CREATED_AT = '2026-07-01T12:00:00.000Z';

/** What a built event should have instead of the defaults. */
export interface RunEventOverrides {
  /** Default: made from the run id and the statuses, so that building twice gives the same event. */
  readonly id?: string;
  /** Default: `2026-07-01`. */
  readonly apiVersion?: string;
  /** ISO 8601. Default: 2026-07-01 at noon UTC. */
  readonly createdAt?: string;
  /** Default: false. */
  readonly test?: boolean;
  /** Fields of `data.run`. Default: the workflow run `run_1` of `wf_1`, triggered by `api`. */
  readonly run?: Partial<RunSnapshot>;
}

export interface StatusChangeOverrides extends RunEventOverrides {
  /** Default: `pending`. */
  readonly previousStatus?: RunStatus;
  /** Also the status of the run. Default: `running`. */
  readonly currentStatus?: RunStatus;
}

/** A `run.created` event. The run is `pending` unless `run.status` says otherwise. */
export function runCreatedEvent(overrides: RunEventOverrides = {}): RunCreatedEvent {
  const run = runSnapshot(overrides.run);
  return {
    ...envelope(overrides, `${run.id}_created`),
    type: 'run.created',
    data: { run },
  };
}

/** A `run.status_changed` event. */
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
    id: 'run_1',
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
