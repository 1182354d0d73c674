import type { Automation, AutomationList, AutomationMove, AutomationType } from '@hookproof/spec';

import { isoTime } from '../clock/clock.ts';
import { createFolders, findFolder, readFolderPath } from '../automations/folders.ts';
import { ApiError, badRequest, issue, notFound, ROOT } from '../http/api-error.ts';
import { findAutomation } from '../resources/find.ts';
import { cutPage } from '../resources/lists.ts';
import type { Paging } from '../resources/lists.ts';
import { presentAutomation } from '../resources/present.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { AutomationId, FolderId, TenantId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { folderKey } from '../state/state.ts';
import type { ReadonlyState } from '../state/state.ts';
import { recordsOf } from '../state/table.ts';
import { cacheUntilCommit } from '../store/cache-until-commit.ts';
import { refuseFull } from '../store/room.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

interface AutomationsQuery extends Paging {
  readonly search?: string;
  readonly type?: AutomationType;
  readonly folderId?: string;
}

/** `GET /v1/automations`: the workflows and agents of the tenant, newest first. */
export function listAutomations({ store }: Services): Handler<AutomationsQuery> {
  const cached = cacheUntilCommit<readonly AutomationId[]>(store);
  return async function handle({ key, query }): Promise<AutomationList> {
    const { state } = store;
    const { search, type, folderId } = query;
    if (folderId !== undefined) refuseUnknownFolder(state, key.tenantId, folderId);
    const all = state.listed.automations.of(key.tenantId);
    const ids =
      search === undefined && type === undefined && folderId === undefined
        ? all
        : cached(JSON.stringify([key.tenantId, search, type, folderId]), () =>
            recordsOf(all, state.automations)
              .filter((automation) => isSelected(automation, query))
              .map(({ id }) => id),
          );
    const { entries, total, limit, offset } = cutPage(ids, query);
    const data = recordsOf(entries, state.automations).map((one) => presentAutomation(state, one));
    return { data, total, limit, offset };
  };
}

function refuseUnknownFolder(state: ReadonlyState, tenantId: TenantId, folderId: string): void {
  if (state.folders.get(folderId)?.tenantId === tenantId) return;
  throw notFound('folderId', 'no folder has this id');
}

function isSelected(
  automation: DeepReadonly<AutomationRecord>,
  { search, type, folderId }: AutomationsQuery,
): boolean {
  if (type !== undefined && automation.type !== type) return false;
  if (folderId !== undefined && automation.folderId !== folderId) return false;
  return search === undefined || matches(automation, search);
}

/** Ignores case. */
function matches(
  { slug, name, description }: DeepReadonly<AutomationRecord>,
  search: string,
): boolean {
  const lowerCase = search.toLowerCase();
  return [slug, name, description].some((text) => text.toLowerCase().includes(lowerCase));
}

/** `GET /v1/automations/{id}`: a workflow or an agent, by id or alias. */
export function getAutomation({ store }: Services): Handler {
  return async function handle({ key, path }): Promise<Automation> {
    const { state } = store;
    return presentAutomation(state, findAutomation(state, key.tenantId, path['id'] ?? ''));
  };
}

/** The folder in the body: the names from the root, or an id (null for the root). */
type Place = { readonly names: readonly string[] } | { readonly folderId: string | null };

/** The target of a move. The folders `missing` are created below `folderId`. */
interface Target {
  /** The body field that names the folder. */
  readonly field: 'folderId' | 'folderPath';
  readonly folderId: FolderId | null;
  readonly missing: readonly string[];
}

/** `PATCH /v1/automations/{id}`: moves a workflow to another folder. */
export function moveAutomation({ store, clock }: Services): Handler<unknown, AutomationMove> {
  return async function handle({
    key,
    path,
    body,
  }: ApiRequest<unknown, AutomationMove>): Promise<Automation> {
    refuseFull(store.state);
    const place = readPlace(body);
    return store.commit((state) => {
      const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
      refuseAgent(automation);
      const target = findTarget(state, key.tenantId, place);
      refuseTakenName(state, automation, target);
      const folderId = createFolders(state, key.tenantId, target.folderId, target.missing);
      const moved = state.automations.edit(automation.id);
      moved.folderId = folderId;
      moved.updatedAt = isoTime(clock.now());
      return presentAutomation(state, moved);
    });
  };
}

function refuseAgent(automation: DeepReadonly<AutomationRecord>): void {
  if (automation.type !== 'agent') return;
  throw badRequest(
    'agent_not_movable',
    'id',
    'must be the id of a workflow, because agents have no folders',
    'GET /v1/automations?type=workflow lists the workflows.',
  );
}

/** `folderPath` takes precedence, but a `folderId` beside it must still be well-formed. */
function readPlace({ folderId, folderPath }: AutomationMove): Place {
  if (folderId === undefined && folderPath === undefined) {
    throw badRequest(
      'invalid_value',
      ROOT,
      'the body must have folderId or folderPath',
      'Send folderId (null for the root) or folderPath (empty for the root).',
    );
  }
  if (typeof folderId === 'string') refuseMalformedId(folderId);
  if (folderPath !== undefined) {
    return { names: readFolderPath(folderPath) };
  }
  return { folderId: folderId ?? null };
}

function findTarget(state: ReadonlyState, tenantId: TenantId, place: Place): Target {
  if ('names' in place) {
    return { field: 'folderPath', ...findFolder(state, tenantId, place.names) };
  }
  const { folderId } = place;
  if (folderId === null) return { field: 'folderId', folderId, missing: [] };
  const folder = state.folders.get(folderId);
  if (folder?.tenantId !== tenantId) throw notFound('folderId', 'no folder has this id');
  return { field: 'folderId', folderId: folder.id, missing: [] };
}

function refuseMalformedId(folderId: string): void {
  if (/^folder_[A-Za-z0-9]+$/.test(folderId)) return;
  throw badRequest(
    'invalid_value',
    'folderId',
    'must be a folder id or null',
    'A folder id starts with folder_; null is the root.',
  );
}

function refuseTakenName(
  state: ReadonlyState,
  { id, tenantId, name }: DeepReadonly<AutomationRecord>,
  target: Target,
): void {
  if (target.missing.length > 0) return;
  const namesakes = state.grouped.workflowsByFolder.of(folderKey(tenantId, target.folderId, name));
  const owner = [...namesakes].find((other) => other !== id);
  if (owner === undefined) return;
  throw new ApiError(
    409,
    [
      issue(
        'workflow_name_conflict',
        target.field,
        'the folder already has a workflow with this name',
      ),
    ],
    { hint: 'Rename or move the other workflow first.', conflictingWorkflowId: owner },
  );
}
