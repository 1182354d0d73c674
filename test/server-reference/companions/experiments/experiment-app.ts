import { virtualClock } from '@hookproof/server-reference';
import type { VirtualClock } from '@hookproof/server-reference';
import { expect } from 'vitest';

import type { ApiResponse } from '../../contract-client.ts';
import { START } from '../../lab/control/control-client.ts';
import { openApp } from '../../open-app.ts';
import type { OpenApp, OpenAppOptions } from '../../open-app.ts';
import { datasetOf } from '../../api/datasets/dataset-app.ts';
import type { Dataset } from '../../api/datasets/dataset-app.ts';

export const MINUTE = 60_000;

/** Two evaluators. */
export const YAML = `
passThreshold: 0.6
evaluators:
  - { type: exact_match, weight: 3 }
  - { type: field_match, path: carrier, name: carrier, description: The first line. }
`;

type Body = ApiResponse['body'];

/** An app on a virtual clock, and the experiments of its dataset. */
interface ExperimentApp {
  readonly app: OpenApp;
  readonly clock: VirtualClock;
  readonly dataset: Dataset;
  readonly examples: readonly { readonly id: string; readonly name: string }[];
  /** Starts an experiment. */
  readonly start: (body?: object) => Promise<Body>;
  /** Returns an experiment after its end. */
  readonly finished: (body?: object) => Promise<Body>;
}

/** Opens an app whose dataset has evaluators. */
export async function openExperiments(
  options: Pick<OpenAppOptions, 'arrange'> = {},
): Promise<ExperimentApp> {
  const clock = virtualClock({ now: START });
  const app = await openApp({ ...options, clock });
  const dataset = datasetOf(app);
  const { get, post, put } = dataset;
  await put('/evaluators', { yaml: YAML });
  const start: ExperimentApp['start'] = async (body = {}) => {
    const { status, body: started } = await post('/experiments', body);
    expect(status).toBe(202);
    return started;
  };
  return {
    app,
    clock,
    dataset,
    examples: (await get('/examples?limit=100')).body.data,
    start,
    async finished(body) {
      const { id } = await start(body);
      await clock.advance(10 * MINUTE);
      return (await get(`/experiments/${id}`)).body;
    },
  };
}
