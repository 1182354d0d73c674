import type { Automation, AutomationMove } from '@hookproof/spec';

import { isoTime } from '../../clock/clock.ts';
import { ROOT, invalidValue, notFound, refusal } from '../../errors.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { FolderId, TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState } from '../../store/state.ts';
import type { ApiRequest, Handler, Services } from '../services.ts';
import { findAutomation, presentAutomation } from './automation.ts';
import { createFolders, findFolder, readFolderPath } from './folders.ts';

/** The folder in the body: the names from the root, or an id (null for the root). */
type RequestedFolder = { readonly names: readonly string[] } | { readonly folderId: string | null };

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
    const folder = readFolder(body);
    return store.commit((state) => {
      const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
      refuseAgent(automation);
      const target = findTarget(state, key.tenantId, folder);
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
  throw refusal(
    'agent_not_movable',
    'id',
    'must be the id of a workflow, because agents have no folders',
    { hint: 'GET /v1/automations?type=workflow lists the workflows.' },
  );
}

/** `folderPath` takes precedence, but a `folderId` beside it must still be well-formed. */
function readFolder({ folderId, folderPath }: AutomationMove): RequestedFolder {
  if (folderId === undefined && folderPath === undefined) {
    throw invalidValue(
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

function findTarget(state: ReadonlyState, tenantId: TenantId, requested: RequestedFolder): Target {
  if ('names' in requested) {
    return { field: 'folderPath', ...findFolder(state, tenantId, requested.names) };
  }
  const { folderId } = requested;
  if (folderId === null) return { field: 'folderId', folderId, missing: [] };
  const folder = state.folders.get(folderId);
  if (folder?.tenantId !== tenantId) throw notFound('folderId', 'no folder has this id');
  return { field: 'folderId', folderId: folder.id, missing: [] };
}

function refuseMalformedId(folderId: string): void {
  if (/^folder_[A-Za-z0-9]+$/.test(folderId)) return;
  throw invalidValue(
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
  const owner = state.automations.find(
    (other) =>
      other.id !== id &&
      other.type === 'workflow' &&
      other.tenantId === tenantId &&
      other.folderId === target.folderId &&
      other.name === name,
  );
  if (owner === undefined) return;
  throw refusal(
    'workflow_name_conflict',
    target.field,
    'the folder already has a workflow with this name',
    { hint: 'Rename or move the other workflow first.', conflictingWorkflowId: owner.id },
  );
}
