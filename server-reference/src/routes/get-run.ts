import type { RunSnapshot } from '@hookproof/spec';

import type { Handler, Services } from '../app/handler.ts';
import { runSnapshot } from '../runs/run-snapshot.ts';
import { findRun } from './find-run.ts';

/** `GET /v1/runs/{id}` and `/api/v1/runs/{id}`: a run with its full output, of any origin. */
export function getRun({ store }: Services): Handler {
  return async function handle(request): Promise<RunSnapshot> {
    return runSnapshot(findRun(store.state, request));
  };
}
