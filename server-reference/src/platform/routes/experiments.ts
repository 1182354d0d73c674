import { Readable } from 'node:stream';

import type {
  ExampleRun,
  ExperimentDetail,
  ExperimentList,
  ExperimentReference,
  ExperimentStart,
  ExperimentStarted,
} from '@hookproof/spec';

import { followExperiment } from '../experiments/follow-experiment.ts';
import { startExample, startExperiment } from '../experiments/start-experiment.ts';
import { contentDisposition } from '../files/content-disposition.ts';
import { Download } from '../http/response.ts';
import { findAutomation, findExperiment, findExperimentOf } from '../resources/find.ts';
import { cutPage } from '../resources/lists.ts';
import type { Paging } from '../resources/lists.ts';
import {
  presentExperiment,
  presentExperimentDetail,
  runsOf,
} from '../resources/present-experiment.ts';
import { readTime } from '../resources/read-time.ts';
import { cancelRun } from '../runs/cancel-run.ts';
import { commitRunChanges } from '../runs/change-run.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { recordsOf } from '../state/table.ts';
import { refuseFull } from '../store/room.ts';
import { findBoth } from './examples.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

/** `GET /v1/experiments/{experimentId}`: the automation of an experiment. */
export function getExperiment({ store }: Services): Handler {
  return async function handle(request): Promise<ExperimentReference> {
    const { id, automationId } = findExperiment(store.state, request);
    return { id, automationId };
  };
}

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
    const experiments = recordsOf(state.experimentRows.of(id), state.experiments).filter(
      ({ createdAt }) =>
        (from === undefined || createdAt >= from) && (to === undefined || createdAt <= to),
    );
    const { entries, total, limit, offset } = cutPage(experiments, query);
    return { data: entries.map((one) => presentExperiment(state, one)), total, limit, offset };
  };
}

type StartRequest = ApiRequest<unknown, ExperimentStart>;

/** `POST …/experiments`: starts an evaluation run of each chosen example. */
export function createExperiment(services: Services): Handler<unknown, ExperimentStart> {
  return async function handle({ key, path, body }: StartRequest): Promise<ExperimentStarted> {
    refuseFull(services.store.state);
    const automation = findAutomation(services.store.state, key.tenantId, path['id'] ?? '');
    return startExperiment(services, { automation, key }, body);
  };
}

/** `POST …/experiments/stream`: starts an experiment and follows it, a line of JSON for each step. */
export function streamExperiment(services: Services): Handler<unknown, ExperimentStart> {
  return async function handle({ key, path, body, outgoing }: StartRequest): Promise<Download> {
    refuseFull(services.store.state);
    const automation = findAutomation(services.store.state, key.tenantId, path['id'] ?? '');
    const started = await startExperiment(services, { automation, key }, body);
    return new Download({
      content: Readable.from(followExperiment(services, started, outgoing)),
      headers: {
        'Content-Type': 'application/x-ndjson',
        'Content-Disposition': contentDisposition(`${started.id}.ndjson`),
        'X-Content-Type-Options': 'nosniff',
      },
    });
  };
}

/** `POST …/examples/{exampleId}/run`: starts an evaluation run of one example. */
export function runDatasetExample(services: Services): Handler {
  return async function handle(request): Promise<ExampleRun> {
    refuseFull(services.store.state);
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
    return commitRunChanges(services, (state) => {
      const experiment = findExperimentOf(state, request);
      const changes = runsOf(state, experiment).map((run) =>
        cancelRun(state, services.clock.now(), run),
      );
      return { changes, result: presentExperimentDetail(state, experiment) };
    });
  };
}
