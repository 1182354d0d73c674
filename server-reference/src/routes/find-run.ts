import { notFound } from '../app/api-error.ts';
import type { ApiRequest } from '../app/handler.ts';
import type { RunRecord } from '../state/run.ts';
import { find } from '../store/find.ts';
import type { State } from '../store/state.ts';

/** The run that the path names, of any origin, if it is the tenant's; else 404. */
export function findRun(state: State, { key, path }: Pick<ApiRequest, 'key' | 'path'>): RunRecord {
  const run = find(state.runs, path['id'] ?? '');
  if (run === undefined || run.tenantId !== key.tenantId) {
    throw notFound('id', 'no run has this id');
  }
  return run;
}
