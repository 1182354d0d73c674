import type { IncomingMessage } from 'node:http';

import type { RunAccepted } from '../../generated/companions.ts';
import { beginRuns } from './begin-runs.ts';
import type { RunOrder } from './begin-runs.ts';
import { presentSource } from '../../api/runs/present-run.ts';
import { presentRunView } from '../../api/runs/run-view.ts';
import type { ApiRequest, Services } from '../../api/services.ts';
import { refusal } from '../../errors.ts';
import { runWithoutOutput } from '../../events/run-snapshot.ts';
import { JsonResponse } from '../../http/response.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { RunId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { ReadonlyState, State } from '../../store/state.ts';

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
 * @throws {ApiError} `implementation_missing` or `api_trigger_disabled`
 */
export function refuseUnstartable(
  { implementationAvailable, triggers }: DeepReadonly<AutomationRecord>,
  field: string,
): void {
  if (!implementationAvailable) {
    throw refusal('implementation_missing', field, 'the automation has no implementation', {
      hint: 'GET /v1/automations shows which automations have one (implementationAvailable).',
    });
  }
  if (triggers.api !== true) {
    throw refusal('api_trigger_disabled', field, 'the automation cannot be started over the API', {
      hint: 'GET /v1/automations shows which automations can (triggers.api).',
    });
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
): Promise<JsonResponse> {
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
  if (seconds === 0) return new JsonResponse(201, first.accepted);
  const started = store.state.runs.get(first.id);
  if (started !== undefined && !isTerminal(started.status)) {
    await runWaits.wait(first.id, seconds * 1000, outgoing);
  }
  const run = store.state.runs.get(first.id);
  if (run === undefined) return new JsonResponse(202, first.accepted);
  return isTerminal(run.status)
    ? new JsonResponse(200, presentRunView(store.state, run, clock.now()))
    : new JsonResponse(202, presentAccepted(store.state, run));
}

function presentAccepted(state: ReadonlyState, run: DeepReadonly<RunRecord>): RunAccepted {
  return { ...runWithoutOutput(run), finished: false, source: presentSource(state, run) };
}
