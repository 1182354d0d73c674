import type {
  Experiment,
  ExperimentDetail,
  ExperimentRun,
  ExperimentStatus,
} from '../../generated/companions.ts';
import { findAutomation } from '../../api/automations/automation.ts';
import { findExperiment } from '../../api/experiments/experiment.ts';
import { newestFirst } from '../../api/paging.ts';
import type { TenantRequest } from '../../api/services.ts';
import { notFound } from '../../errors.ts';
import type { ExperimentRecord } from '../../store/datasets.ts';
import type { AutomationId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { ReadonlyState } from '../../store/state.ts';

/** Returns an experiment as lists show it. */
export function presentExperiment(
  { automations }: Pick<ReadonlyState, 'automations'>,
  experiment: DeepReadonly<ExperimentRecord>,
): Experiment {
  const { automationId, scores } = experiment;
  const average = scores.count === 0 ? null : scores.sum / scores.count;
  return {
    id: experiment.id,
    automationId,
    automationType: automations.get(automationId)?.type ?? 'workflow',
    status: statusOf(experiment),
    runCount: experiment.runCount,
    completedCount: experiment.completedCount,
    passedCount: experiment.passedCount,
    failedCount: experiment.failedCount,
    avgScore: average === null ? null : Math.round(average * 10_000) / 10_000,
    createdAt: experiment.createdAt,
    completedAt: experiment.completedAt,
    version: experiment.version,
  };
}

function statusOf({ startedAt, completedAt }: DeepReadonly<ExperimentRecord>): ExperimentStatus {
  if (completedAt !== null) return 'completed';
  return startedAt === null ? 'queued' : 'running';
}

/** Returns an experiment with its runs and their results. */
export function presentExperimentDetail(
  state: ReadonlyState,
  experiment: DeepReadonly<ExperimentRecord>,
): DeepReadonly<ExperimentDetail> {
  const runs = runsOf(state, experiment);
  return {
    ...presentExperiment(state, experiment),
    runs: runs.map(presentExperimentRun),
    resultsByRun: Object.fromEntries(runs.map(({ id, scores = [] }) => [id, scores])),
  };
}

/** Returns the experiments of an automation, newest first. */
export function experimentsOf(
  { experiments }: ReadonlyState,
  automationId: AutomationId,
): DeepReadonly<ExperimentRecord>[] {
  return newestFirst(experiments.filter((one) => one.automationId === automationId));
}

/** Returns the runs of an experiment, in the order of their examples. */
export function runsOf(
  { runs }: ReadonlyState,
  { id }: DeepReadonly<ExperimentRecord>,
): DeepReadonly<RunRecord>[] {
  return runs.filter(({ evaluation }) => evaluation?.experimentId === id);
}

/** Returns a run as its experiment shows it. */
export function presentExperimentRun(run: DeepReadonly<RunRecord>): ExperimentRun {
  return {
    id: run.id,
    status: run.status,
    exampleId: run.evaluation?.exampleId ?? null,
    exampleName: run.evaluation?.exampleName ?? null,
    createdAt: run.createdAt,
    completedAt: run.completedAt,
  };
}

/** Returns the experiment that the path names, if it belongs to the automation in the path; else 404. */
export function findExperimentOf(
  state: ReadonlyState,
  request: TenantRequest,
): DeepReadonly<ExperimentRecord> {
  const automation = findAutomation(state, request.key.tenantId, request.path['id'] ?? '');
  const experiment = findExperiment(state, request);
  if (experiment.automationId !== automation.id) {
    throw notFound('experimentId', 'no experiment has this id');
  }
  return experiment;
}
