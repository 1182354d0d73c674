import type { RunUsage, RunView } from '@hookproof/spec';

import { notFound } from '../../errors.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { ReadonlyState } from '../../store/state.ts';
import type { Handler, Services, TenantRequest } from '../services.ts';
import { presentRunView, presentUsage, readExpand } from './run-view.ts';

/**
 * Returns the tenant's run with the id in the path, of any origin.
 *
 * @throws {ApiError} `not_found`
 */
export function findRun(
  state: Pick<ReadonlyState, 'runs'>,
  { key, path }: TenantRequest,
): DeepReadonly<RunRecord> {
  const run = state.runs.get(path['id'] ?? '');
  if (run === undefined || run.tenantId !== key.tenantId) {
    throw notFound('id', 'no run has this id');
  }
  return run;
}

interface RunQuery {
  /** Words, separated by commas. */
  readonly expand?: string;
}

/** `GET /v1/runs/{id}` and `/api/v1/runs/{id}`: a run with its full output, of any origin. */
export function getRun({ store, clock }: Services): Handler<RunQuery> {
  return async function handle({ query, ...request }): Promise<DeepReadonly<RunView>> {
    const run = findRun(store.state, request);
    return presentRunView(store.state, run, clock.now(), readExpand(query.expand));
  };
}

/** `GET /v1/runs/{id}/usage`: the usage of a run so far. */
export function getRunUsage({ store, clock }: Services): Handler {
  return async function handle(request): Promise<{ usage: RunUsage }> {
    return { usage: presentUsage(findRun(store.state, request), clock.now()) };
  };
}
