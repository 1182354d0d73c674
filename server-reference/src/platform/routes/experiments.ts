import type { ExperimentReference } from '@hookproof/spec';

import { findExperiment } from '../resources/find.ts';
import type { Handler, Services } from './services.ts';

/** `GET /v1/experiments/{experimentId}`: the automation of an experiment. */
export function getExperiment({ store }: Services): Handler {
  return async function handle(request): Promise<ExperimentReference> {
    const { id, automationId } = findExperiment(store.state, request);
    return { id, automationId };
  };
}
