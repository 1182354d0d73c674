import type { ExperimentReference } from '@hookproof/spec';

import { notFound } from '../../errors.ts';
import type { ExperimentRecord } from '../../store/datasets.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import type { Handler, Services, TenantRequest } from '../services.ts';

/** `GET /v1/experiments/{experimentId}`: the automation of an experiment. */
export function getExperiment({ store }: Services): Handler {
  return async function handle(request): Promise<ExperimentReference> {
    const { id, automationId } = findExperiment(store.state, request);
    return { id, automationId };
  };
}

/** Returns the experiment that the path names, if it belongs to the tenant; else 404. */
export function findExperiment(
  state: ReadonlyState,
  { key, path }: TenantRequest,
): DeepReadonly<ExperimentRecord> {
  const experiment = state.experiments.get(path['experimentId'] ?? '');
  if (experiment === undefined || experiment.tenantId !== key.tenantId) {
    throw notFound('experimentId', 'no experiment has this id');
  }
  return experiment;
}
