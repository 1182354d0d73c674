import type { AutomationList, AutomationType } from '@hookproof/spec';

import { notFound } from '../app/api-error.ts';
import type { Handler, Services } from '../app/handler.ts';
import type { AutomationRecord } from '../state/automation.ts';
import { find } from '../store/find.ts';
import { recordsOf } from '../store/records-of.ts';
import type { State } from '../store/state.ts';
import { untilNextCommit } from '../store/until-next-commit.ts';
import { cutPage } from './page.ts';
import type { Paging } from './page.ts';
import { presentAutomation } from './present-automation.ts';

interface AutomationsQuery extends Paging {
  readonly type?: AutomationType;
  readonly folderId?: string;
}

/** `GET /v1/automations`: the workflows and agents of the tenant, newest first. */
export function listAutomations({ store }: Services): Handler<AutomationsQuery> {
  const remembered = untilNextCommit<readonly string[]>(store);
  return async function handle({ key, query }): Promise<AutomationList> {
    const { state } = store;
    const { type, folderId } = query;
    if (folderId !== undefined) refuseUnknownFolder(state, key.tenantId, folderId);
    const all = find(state.listed.automations, key.tenantId) ?? [];
    const ids =
      type === undefined && folderId === undefined
        ? all
        : remembered(JSON.stringify([key.tenantId, type, folderId]), () =>
            recordsOf(all, state.automations)
              .filter((automation) => isAskedFor(automation, query))
              .map(({ id }) => id),
          );
    const { entries, total, limit, offset } = cutPage(ids, query);
    const data = recordsOf(entries, state.automations).map((one) => presentAutomation(state, one));
    return { data, total, limit, offset };
  };
}

function refuseUnknownFolder(state: State, tenantId: string, folderId: string): void {
  if (find(state.folders, folderId)?.tenantId === tenantId) return;
  throw notFound('folderId', 'no folder has this id');
}

function isAskedFor(automation: AutomationRecord, { type, folderId }: AutomationsQuery): boolean {
  if (type !== undefined && automation.type !== type) return false;
  return folderId === undefined || automation.folderId === folderId;
}
