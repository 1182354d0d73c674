import type { RunSnapshot } from '@hookproof/spec';

import { notFound } from '../app/api-error.ts';
import type { Handler, Services } from '../app/handler.ts';
import { runSnapshot } from '../runs/run-snapshot.ts';
import { find } from '../store/find.ts';

/** `GET /v1/runs/{id}` and `/api/v1/runs/{id}`: a run with its full output, of any origin. */
export function getRun({ store }: Services): Handler {
  return async function handle({ key, path }): Promise<RunSnapshot> {
    const run = find(store.state.runs, path['id'] ?? '');
    if (run === undefined || run.tenantId !== key.tenantId)
      throw notFound('id', 'no run has this id');
    return runSnapshot(run);
  };
}
