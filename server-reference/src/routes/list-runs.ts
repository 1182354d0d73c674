import { RUN_STATUSES } from '@hookproof/spec';
import type { RunList, RunSnapshot, RunStatus } from '@hookproof/spec';

import type { Handler, Services } from '../app/handler.ts';
import { runSnapshot } from '../runs/run-snapshot.ts';
import type { RunRecord } from '../state/run.ts';
import { find } from '../store/find.ts';
import { recordsOf } from '../store/records-of.ts';
import { untilNextCommit } from '../store/until-next-commit.ts';
import { findAutomation } from './find-automation.ts';
import { cutPage } from './page.ts';
import type { Paging } from './page.ts';
import { readWords } from './read-words.ts';

interface RunsQuery extends Paging {
  /** Statuses, separated by commas. */
  readonly status?: string;
  /** Or an alias. */
  readonly automationId?: string;
}

/** What is kept of a list of runs; null: all. */
interface Wanted {
  readonly statuses: ReadonlySet<RunStatus> | null;
  readonly automationId: string | null;
}

/** `GET /v1/runs`: the runs of the tenant, of every origin, newest first and without their outputs. */
export function listRuns({ store }: Services): Handler<RunsQuery> {
  const remembered = untilNextCommit<readonly string[]>(store);
  return async function handle({ key: { tenantId }, query }): Promise<RunList> {
    const { state } = store;
    const wanted: Wanted = {
      statuses: readWords(query.status, 'status', 'run status', RUN_STATUSES),
      automationId:
        query.automationId === undefined
          ? null
          : findAutomation(state, tenantId, query.automationId, 'automationId').id,
    };
    const all = find(state.listed.runs, tenantId) ?? [];
    const ids =
      wanted.statuses === null && wanted.automationId === null
        ? all
        : remembered(memoryKey(tenantId, wanted), () =>
            recordsOf(all, state.runs)
              .filter((run) => isWanted(run, wanted))
              .map(({ id }) => id),
          );
    const { entries, total, limit, offset } = cutPage(ids, query);
    return { data: recordsOf(entries, state.runs).map(withoutOutput), total, limit, offset };
  };
}

function memoryKey(tenantId: string, { statuses, automationId }: Wanted): string {
  return JSON.stringify([tenantId, [...(statuses ?? [])], automationId]);
}

function isWanted(run: RunRecord, { statuses, automationId }: Wanted): boolean {
  if (statuses !== null && !statuses.has(run.status)) return false;
  return automationId === null || run.automationId === automationId;
}

function withoutOutput(run: RunRecord): RunSnapshot {
  const { output: _output, ...fields } = runSnapshot(run);
  return fields;
}
