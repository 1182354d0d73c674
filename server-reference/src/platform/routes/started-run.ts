import type { IncomingMessage } from 'node:http';

import type { RunAccepted } from '@hookproof/spec';

import { ApiError, issue } from '../http/api-error.ts';
import { JsonReply } from '../http/response.ts';
import { runWithoutOutput } from '../resources/present.ts';
import { presentSource } from '../resources/present-run.ts';
import { presentRunView } from '../resources/run-view.ts';
import { beginRuns } from '../runs/begin-runs.ts';
import type { RunOrder } from '../runs/begin-runs.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { RunId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { isTerminal } from '../state/run-transitions.ts';
import type { RunRecord } from '../state/runs.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import type { ApiRequest, Services } from './services.ts';

/** The query parameters of every operation that starts a run. */
export interface StartQuery {
  /** A label, version id or git ref. */
  readonly version?: string;
  /** Seconds. */
  readonly wait_for_completion?: number;
}

/** The type of a run that is started over the API, unless a header names another. */
const TRIGGER_TYPES = ['api', 'cli'] as const;
const TRIGGER_HEADER = /^x-[a-z0-9]+-trigger$/;

/** Returns the trigger type of the run that a request starts. */
export function readTriggerType({ headers }: IncomingMessage): string {
  const names = Object.keys(headers).filter((name) => TRIGGER_HEADER.test(name));
  return TRIGGER_TYPES.find((type) => names.some((name) => headers[name] === type)) ?? 'api';
}

/**
 * Refuses an automation that the API cannot start.
 *
 * @throws {ApiError} 403 or 409
 */
export function refuseUnstartable(
  { implementationAvailable, triggers }: DeepReadonly<AutomationRecord>,
  field: string,
): void {
  if (!implementationAvailable) {
    throw new ApiError(
      409,
      [issue('implementation_missing', field, 'the automation has no implementation')],
      { hint: 'GET /v1/automations shows which automations have one (implementationAvailable).' },
    );
  }
  if (triggers.api !== true) {
    throw new ApiError(
      403,
      [issue('api_trigger_disabled', field, 'the automation cannot be started over the API')],
      { hint: 'GET /v1/automations shows which automations can (triggers.api).' },
    );
  }
}

/**
 * Begins a run and returns the response. Waits for its end as long as the query says: 200 with the view of a run
 * that has ended, 202 for one that has not, and 201 without a wait. A run that is deleted meanwhile is shown as it
 * began.
 *
 * @param before - called in the commit before anything has changed; refuse there what must be refused
 * @param after - called in the same commit with the run
 */
export async function beginAndRespond(
  services: Services,
  { query, outgoing }: Pick<ApiRequest<StartQuery>, 'query' | 'outgoing'>,
  order: RunOrder,
  before: (state: State) => void,
  after: (state: State, run: DeepReadonly<RunRecord>) => void = () => {},
): Promise<JsonReply> {
  const { store, clock, runWaits } = services;
  const begun: { id: RunId; accepted: RunAccepted }[] = [];
  await beginRuns(services, [order], before, (state, runs) => {
    for (const run of runs) {
      after(state, run);
      begun.push({ id: run.id, accepted: presentAccepted(state, run) });
    }
  });
  const [first] = begun;
  if (first === undefined) throw new Error('The run was not created.');
  const seconds = query.wait_for_completion ?? 0;
  if (seconds === 0) return new JsonReply(201, first.accepted);
  const started = store.state.runs.get(first.id);
  if (started !== undefined && !isTerminal(started.status)) {
    await runWaits.wait(first.id, seconds * 1000, outgoing);
  }
  const run = store.state.runs.get(first.id);
  if (run === undefined) return new JsonReply(202, first.accepted);
  return isTerminal(run.status)
    ? new JsonReply(200, presentRunView(store.state, run, clock.now()))
    : new JsonReply(202, presentAccepted(store.state, run));
}

function presentAccepted(state: ReadonlyState, run: DeepReadonly<RunRecord>): RunAccepted {
  return { ...runWithoutOutput(run), finished: false, source: presentSource(state, run) };
}
