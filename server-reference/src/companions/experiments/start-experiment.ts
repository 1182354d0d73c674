import type { ExperimentStart, ExperimentStarted } from '../../generated/companions.ts';
import { examplesOf, inRowOrder } from '../../api/datasets/examples.ts';
import { foldName } from '../../api/files/artifact-path.ts';
import { beginRuns } from '../runs/begin-runs.ts';
import type { BeginServices } from '../runs/begin-runs.ts';
import { isoTime } from '../../clock/clock.ts';
import { notFound, refusal } from '../../errors.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { ExampleRecord } from '../../store/datasets.ts';
import type { ExperimentId, RunId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord, RunVersion } from '../../store/runs.ts';
import { nextId } from '../../store/seed.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import type { ApiKeyRecord } from '../../store/tenants.ts';
import { findVersion } from '../runs/run-target.ts';
import { evaluationOrders } from './evaluation-orders.ts';

/** Who starts an experiment of what. */
interface Starter {
  readonly automation: DeepReadonly<AutomationRecord>;
  readonly key: DeepReadonly<ApiKeyRecord>;
}

/**
 * Starts an evaluation run of each chosen example, all in one commit.
 *
 * @throws {ApiError} `not_found` with the field of an unknown example or version; `implementation_missing`
 */
export async function startExperiment(
  services: BeginServices,
  { automation, key }: Starter,
  { examples: chosen, batchConcurrency = null, sourceRef }: ExperimentStart,
): Promise<ExperimentStarted & { id: ExperimentId; runs: { id: RunId }[] }> {
  const { store, clock } = services;
  const version = findVersion(automation, sourceRef, 'sourceRef');
  refuseMissing(automation);
  const examples = chooseExamples(store.state, automation, chosen);
  const evaluation = { automation, version, key, concurrency: batchConcurrency };
  const orders = evaluationOrders(store.state, evaluation, examples);
  const started: { id?: ExperimentId } = {};
  const runIds = await beginRuns(
    services,
    orders,
    (state) => {
      refuseDeleted(state, automation, examples);
      const id = addExperiment(state, clock.now(), evaluation, orders.length);
      // Before the runs are added: each is added with its experiment.
      for (const { details } of orders) {
        if (details.evaluation !== undefined) details.evaluation.experimentId = id;
      }
      started.id = id;
    },
    recordLatestRuns,
  );
  if (started.id === undefined) throw new Error('The experiment was not created.');
  const runs = runIds.map((id, index) => ({ id, exampleId: examples[index]?.id ?? null }));
  return { id: started.id, runs, total: runs.length };
}

/**
 * Starts an evaluation run of one example outside an experiment.
 *
 * @throws {ApiError} `implementation_missing`
 */
export async function startExample(
  services: BeginServices,
  { automation, key }: Starter,
  example: DeepReadonly<ExampleRecord>,
): Promise<RunId> {
  refuseMissing(automation);
  const version = findVersion(automation, undefined);
  const { state } = services.store;
  const [id] = await beginRuns(
    services,
    evaluationOrders(state, { automation, version, key, concurrency: null }, [example]),
    (draft) => refuseDeleted(draft, automation, [example]),
    recordLatestRuns,
  );
  if (id === undefined) throw new Error('The run was not created.');
  return id;
}

function addExperiment(
  state: State,
  now: number,
  {
    automation,
    version,
  }: { readonly automation: Starter['automation']; readonly version: RunVersion | undefined },
  runCount: number,
): ExperimentId {
  const id = nextId(state, 'exp_');
  const createdAt = isoTime(now);
  state.experiments.add({
    id,
    tenantId: automation.tenantId,
    automationId: automation.id,
    name: id,
    createdAt,
    version: version?.label ?? null,
    startedAt: null,
    completedAt: runCount === 0 ? createdAt : null,
    runCount,
    completedCount: 0,
    passedCount: 0,
    failedCount: 0,
    scores: { sum: 0, count: 0 },
  });
  return id;
}

function recordLatestRuns(state: State, runs: readonly DeepReadonly<RunRecord>[]): void {
  for (const { id, evaluation } of runs) {
    if (evaluation !== undefined) state.examples.edit(evaluation.exampleId).latestRunId = id;
  }
}

/** Each entry is an id or a name. Repeated examples run once. */
function chooseExamples(
  state: ReadonlyState,
  { id: automationId }: DeepReadonly<AutomationRecord>,
  chosen: readonly string[] | undefined,
): DeepReadonly<ExampleRecord>[] {
  const examples = examplesOf(state, automationId);
  if (chosen === undefined) return inRowOrder(examples);
  const named = new Map(examples.map((example) => [foldName(example.name), example]));
  const byId = new Map<string, DeepReadonly<ExampleRecord>>(examples.map((one) => [one.id, one]));
  const found = chosen.map((text, index) => {
    const example = byId.get(text) ?? named.get(foldName(text));
    if (example !== undefined) return example;
    const message = 'the automation has no dataset example with this id or name';
    throw notFound(`examples[${index}]`, message);
  });
  return [...new Set(found)];
}

function refuseMissing({ implementationAvailable }: DeepReadonly<AutomationRecord>): void {
  if (implementationAvailable) return;
  const message = 'the automation has no implementation';
  throw refusal('implementation_missing', 'id', message);
}

/** An example or the whole tenant may be deleted while the outputs are stored. */
function refuseDeleted(
  state: ReadonlyState,
  { id: automationId }: DeepReadonly<AutomationRecord>,
  examples: readonly DeepReadonly<ExampleRecord>[],
): void {
  if (!state.automations.has(automationId)) {
    throw notFound('id', 'the automation was deleted before its runs were created');
  }
  if (examples.every(({ id }) => state.examples.has(id))) return;
  throw notFound('exampleId', 'a dataset example was deleted before its run was created');
}
