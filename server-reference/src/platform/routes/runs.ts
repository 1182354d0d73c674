import type {
  RunEventList,
  RunScoreList,
  RunStepList,
  RunTrace,
  RunUsage,
  RunView,
} from '@hookproof/spec';

import { findRun } from '../resources/find.ts';
import { presentRunView, presentUsage, readExpand } from '../resources/run-view.ts';
import { runSteps } from '../resources/run-steps.ts';
import { runEvents, runTrace } from '../resources/run-trace.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { Handler, Services } from './services.ts';

interface RunQuery {
  /** Words, separated by commas. */
  readonly expand?: string;
}

/** `GET /v1/runs/{id}` and `/api/v1/runs/{id}`: a run with its full output, of any origin. */
export function getRun({ store, clock }: Services): Handler<RunQuery> {
  return async function handle({ query, ...request }): Promise<DeepReadonly<RunView>> {
    const run = findRun(store.state, request);
    return presentRunView(store.state, run, clock.now(), readExpand(query.expand));
  };
}

/** `GET /v1/runs/{id}/usage`: the usage of a run so far. */
export function getRunUsage({ store, clock }: Services): Handler {
  return async function handle(request): Promise<{ usage: RunUsage }> {
    return { usage: presentUsage(findRun(store.state, request), clock.now()) };
  };
}

/** `GET /v1/runs/{id}/steps`: the steps of a workflow, or the turns of an agent. */
export function listRunSteps({ store, clock }: Services): Handler {
  return async function handle(request): Promise<RunStepList> {
    return { steps: runSteps(findRun(store.state, request), clock.now()) };
  };
}

/** `GET /v1/runs/{id}/events`: the changes of a run, oldest first. */
export function listRunEvents({ store }: Services): Handler {
  return async function handle(request): Promise<RunEventList> {
    return { events: runEvents(findRun(store.state, request)) };
  };
}

/** `GET /v1/runs/{id}/trace`: the phases and steps of a run, ordered by time. */
export function getRunTrace({ store, clock }: Services): Handler {
  return async function handle(request): Promise<RunTrace> {
    return { events: runTrace(findRun(store.state, request), clock.now()) };
  };
}

/** `GET /v1/runs/{id}/scores`: the results of the evaluators. Empty unless an evaluation run has ended. */
export function listRunScores({ store }: Services): Handler {
  return async function handle(request): Promise<DeepReadonly<RunScoreList>> {
    return { scores: findRun(store.state, request).scores ?? [] };
  };
}
