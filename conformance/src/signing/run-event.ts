import { API_VERSION, EVENT_ID_PREFIX, TERMINAL_RUN_STATUSES } from '@hookproof/spec';
import type { RunStatus } from '@hookproof/spec';

/** An event of the suite, ready for delivery. */
export interface SuiteEvent {
  readonly id: string;
  readonly body: string;
}

/** What an event of the suite says about its run. */
export interface EventFacts {
  /** Unique, letters and digits only: a receiver may refuse other ids. */
  readonly name: string;
  readonly test: boolean;
  readonly status: RunStatus;
  /** The event is `run.status_changed` with a previous status, else `run.created`. */
  readonly previousStatus?: RunStatus;
  /** When the event occurred, and when the run was created and started, in milliseconds since the epoch. */
  readonly at: number;
  readonly runCreatedAt?: number;
  readonly startedAt?: number | null;
  /** Default `workflow`. */
  readonly runType?: 'workflow' | 'agent';
  /** The unique part of the run's id, where several events are about one run. Default: `name`. */
  readonly runName?: string;
  /** More members of `data.run`, such as `output`. */
  readonly run?: object;
  /** More members of the event, and other values of its own. */
  readonly event?: object;
}

/** Builds an event by the tables of the contract. */
export function runEvent(facts: EventFacts): SuiteEvent {
  const { name, test, status, previousStatus, at, runType = 'workflow' } = facts;
  const { runName = name, runCreatedAt = at, startedAt = null } = facts;
  const id = EVENT_ID_PREFIX + name;
  const run = {
    id: `exec_${runName}`,
    automationId: runType === 'agent' ? 'agent_suite' : 'wf_suite',
    type: runType,
    status,
    triggerType: 'api',
    createdAt: iso(runCreatedAt),
    startedAt: startedAt === null ? null : iso(startedAt),
    completedAt: TERMINAL_RUN_STATUSES.includes(status) ? iso(at) : null,
    ...facts.run,
  };
  const change = previousStatus === undefined ? {} : { previousStatus, currentStatus: status };
  const event = {
    id,
    type: previousStatus === undefined ? 'run.created' : 'run.status_changed',
    apiVersion: API_VERSION,
    createdAt: iso(at),
    test,
    data: { run, ...change },
    ...facts.event,
  };
  return { id, body: JSON.stringify(event) };
}

/** A test event about the creation of a run. */
export function testEvent(name: string, at: number): SuiteEvent {
  return runEvent({ name, test: true, status: 'pending', at });
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
