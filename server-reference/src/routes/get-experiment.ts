import type { ExperimentReference } from '@hookproof/spec';

import { notFound } from '../app/api-error.ts';
import type { Handler, Services } from '../app/handler.ts';
import { find } from '../store/find.ts';

/** `GET /v1/experiments/{experimentId}`: which automation a batch of evaluation runs belongs to. */
export function getExperiment({ store }: Services): Handler {
  return async function handle({ key, path }): Promise<ExperimentReference> {
    const experiment = find(store.state.experiments, path['experimentId'] ?? '');
    if (experiment === undefined || experiment.tenantId !== key.tenantId) {
      throw notFound('experimentId', 'no experiment has this id');
    }
    return { id: experiment.id, automationId: experiment.automationId };
  };
}
