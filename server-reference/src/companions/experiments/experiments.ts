import { Readable } from 'node:stream';

import type {
  ExampleRun,
  ExperimentDetail,
  ExperimentList,
  ExperimentStart,
  ExperimentStarted,
} from '../../generated/companions.ts';
import { findAutomation } from '../../api/automations/automation.ts';
import { findBoth } from '../../api/datasets/examples.ts';
import { cutPage } from '../../api/paging.ts';
import type { Paging } from '../../api/paging.ts';
import type { ApiRequest, Handler, Services } from '../../api/services.ts';
import { commitRunChanges } from '../../events/run-change.ts';
import { Download } from '../../http/response.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { State } from '../../store/state.ts';
import { requestCancellation } from '../runs/cancel-run.ts';
import { readTime } from '../runs/read-time.ts';
import { followExperiment } from './follow-experiment.ts';
import {
  experimentsOf,
  findExperimentOf,
  presentExperiment,
  presentExperimentDetail,
  runsOf,
} from './present-experiment.ts';
import { startExample, startExperiment } from './start-experiment.ts';

interface ExperimentsQuery extends Paging {
  readonly fromDate?: string;
  readonly toDate?: string;
}

/** `GET …/experiments`: the experiments of an automation, newest first. */
export function listExperiments({ store: { state }, clock }: Services): Handler<ExperimentsQuery> {
  return async function handle({ key, path, query }): Promise<ExperimentList> {
    const { id } = findAutomation(state, key.tenantId, path['id'] ?? '');
    const bound = (name: 'fromDate' | 'toDate'): string | undefined =>
      query[name] === undefined ? undefined : readTime(query[name], name, clock.now());
    const [from, to] = [bound('fromDate'), bound('toDate')];
    const experiments = experimentsOf(state, id).filter(
      ({ createdAt }) =>
        (from === undefined || createdAt >= from) && (to === undefined || createdAt <= to),
    );
    const { entries, total, limit, offset } = cutPage(experiments, query);
    return {
      data: entries.map((experiment) => presentExperiment(state, experiment)),
      total,
      limit,
      offset,
    };
  };
}

type StartRequest = ApiRequest<unknown, ExperimentStart>;

/** `POST …/experiments`: starts an evaluation run of each chosen example. */
export function createExperiment(services: Services): Handler<unknown, ExperimentStart> {
  return async function handle({ key, path, body }: StartRequest): Promise<ExperimentStarted> {
    const automation = findAutomation(services.store.state, key.tenantId, path['id'] ?? '');
    return startExperiment(services, { automation, key }, body);
  };
}

/** `POST …/experiments/stream`: starts an experiment and follows it, a line of JSON for each step. */
export function streamExperiment(services: Services): Handler<unknown, ExperimentStart> {
  return async function handle({ key, path, body, outgoing }: StartRequest): Promise<Download> {
    const automation = findAutomation(services.store.state, key.tenantId, path['id'] ?? '');
    const started = await startExperiment(services, { automation, key }, body);
    return new Download({
      content: Readable.from(followExperiment(services, started, outgoing)),
      filename: `${started.id}.ndjson`,
      contentType: 'application/x-ndjson',
    });
  };
}

/** `POST …/examples/{exampleId}/run`: starts an evaluation run of one example. */
export function runDatasetExample(services: Services): Handler {
  return async function handle(request): Promise<ExampleRun> {
    const { automation, example } = findBoth(services.store.state, request);
    const id = await startExample(services, { automation, key: request.key }, example);
    return { id, type: automation.type, batchId: null, finished: false };
  };
}

/** `GET …/experiments/{experimentId}`: an experiment with its runs and results. */
export function getExperimentDetail({ store: { state } }: Services): Handler {
  return async function handle(request): Promise<DeepReadonly<ExperimentDetail>> {
    return presentExperimentDetail(state, findExperimentOf(state, request));
  };
}

/** `POST …/experiments/{experimentId}/cancel`: cancels the runs that have not ended. */
export function cancelExperiment(services: Services): Handler {
  return async function handle(request): Promise<DeepReadonly<ExperimentDetail>> {
    const cancel = (state: State) => {
      const experiment = findExperimentOf(state, request);
      const changes = runsOf(state, experiment).map((run) =>
        requestCancellation(state, services.clock.now(), run),
      );
      return { changes, result: presentExperimentDetail(state, experiment) };
    };
    return commitRunChanges(services, cancel);
  };
}
