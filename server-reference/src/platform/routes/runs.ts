import { RUN_STATUSES } from '@hookproof/spec';
import type { RunList, RunSnapshot, RunStatus, RunUsage } from '@hookproof/spec';

import { findAutomation, findRun } from '../resources/find.ts';
import { cutPage, readWords } from '../resources/lists.ts';
import type { Paging } from '../resources/lists.ts';
import { runSnapshot } from '../resources/present.ts';
import { commitRunChange, moveRun, refuseTransition } from '../runs/change-run.ts';
import type { AutomationId, RunId, TenantId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord } from '../state/runs.ts';
import { find, recordsOf, cacheUntilCommit } from '../store/records.ts';
import type { Handler, Services } from './services.ts';

interface RunsQuery extends Paging {
  /** Statuses, separated by commas. */
  readonly status?: string;
  /** An id or alias. */
  readonly automationId?: string;
}

/** The filter of the list of runs. Null selects all. */
interface RunFilter {
  readonly statuses: ReadonlySet<RunStatus> | null;
  readonly automationId: AutomationId | null;
}

/** `GET /v1/runs`: the runs of the tenant, of every origin, newest first and without their outputs. */
export function listRuns({ store }: Services): Handler<RunsQuery> {
  const cached = cacheUntilCommit<readonly RunId[]>(store);
  return async function handle({ key: { tenantId }, query }): Promise<RunList> {
    const { state } = store;
    const filter: RunFilter = {
      statuses: readWords(query.status, 'status', 'run status', RUN_STATUSES),
      automationId:
        query.automationId === undefined
          ? null
          : findAutomation(state, tenantId, query.automationId, 'automationId').id,
    };
    const all = find(state.listed.runs, tenantId) ?? [];
    const ids =
      filter.statuses === null && filter.automationId === null
        ? all
        : cached(cacheKey(tenantId, filter), () =>
            recordsOf(all, state.runs)
              .filter((run) => isSelected(run, filter))
              .map(({ id }) => id),
          );
    const { entries, total, limit, offset } = cutPage(ids, query);
    return { data: recordsOf(entries, state.runs).map(withoutOutput), total, limit, offset };
  };
}

function cacheKey(tenantId: TenantId, { statuses, automationId }: RunFilter): string {
  return JSON.stringify([tenantId, [...(statuses ?? [])], automationId]);
}

function isSelected(run: DeepReadonly<RunRecord>, { statuses, automationId }: RunFilter): boolean {
  if (statuses !== null && !statuses.has(run.status)) return false;
  return automationId === null || run.automationId === automationId;
}

function withoutOutput(run: DeepReadonly<RunRecord>): RunSnapshot {
  const { output: _output, ...fields } = runSnapshot(run);
  return fields;
}

/** `GET /v1/runs/{id}` and `/api/v1/runs/{id}`: a run with its full output, of any origin. */
export function getRun({ store }: Services): Handler {
  return async function handle(request): Promise<RunSnapshot> {
    return runSnapshot(findRun(store.state, request));
  };
}

/** `GET /v1/runs/{id}/usage`: the usage of a run so far. */
export function getRunUsage({ store, clock }: Services): Handler {
  return async function handle(request): Promise<{ usage: RunUsage }> {
    const run = findRun(store.state, request);
    return { usage: { ...run.usage, durationMs: durationOf(run, clock.now()) } };
  };
}

/** Returns the milliseconds from start to end, or to now. 0 for a run that has not started. */
function durationOf({ startedAt, completedAt }: DeepReadonly<RunRecord>, now: number): number {
  if (startedAt === null) return 0;
  const end = completedAt === null ? now : Date.parse(completedAt);
  return Math.max(0, end - Date.parse(startedAt));
}

/** `POST /v1/runs/{id}/cancel`: cancels a run that is not terminal. */
export function cancelRun(services: Services): Handler {
  return async function handle(request): Promise<RunSnapshot> {
    return commitRunChange(services, (state) => {
      const run = findRun(state, request);
      return moveRun(state, services.clock.now(), run, { status: 'cancelled' });
    }).catch(refuseTransition('id', 'GET /v1/runs/{id} shows the status of the run.'));
  };
}
