import type { Automation, AutomationMove } from '@hookproof/spec';

import { ApiError, ROOT, badRequest, issue, notFound } from '../app/api-error.ts';
import type { ApiRequest, Handler, Services } from '../app/handler.ts';
import type { AutomationRecord } from '../state/automation.ts';
import { find } from '../store/find.ts';
import type { State } from '../store/state.ts';
import { findAutomation } from './find-automation.ts';
import { createFolders, findFolder, readFolderPath } from './folder-path.ts';
import { presentAutomation } from './present-automation.ts';

/** What the body says: the names of folders from the root, or an id (null for the root). */
type Place = { readonly names: readonly string[] } | { readonly folderId: string | null };

/** Where a workflow is to go; folders that are missing are created below `folderId`. */
interface Target {
  /** The field of the body that said so. */
  readonly field: 'folderId' | 'folderPath';
  readonly folderId: string | null;
  readonly missing: readonly string[];
}

/** `PATCH /v1/automations/{id}`: files a workflow in another folder. */
export function moveAutomation({ store, clock }: Services): Handler<unknown, AutomationMove> {
  return async function handle({
    key,
    path,
    body,
  }: ApiRequest<unknown, AutomationMove>): Promise<Automation> {
    const place = readPlace(body);
    return store.commit((state) => {
      const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
      refuseAgent(automation);
      const target = findTarget(state, key.tenantId, place);
      refuseTakenName(state, automation, target);
      automation.folderId = createFolders(state, key.tenantId, target.folderId, target.missing);
      automation.updatedAt = new Date(clock.now()).toISOString();
      return presentAutomation(state, automation);
    });
  };
}

function refuseAgent(automation: AutomationRecord): void {
  if (automation.type !== 'agent') return;
  throw badRequest(
    'agent_not_movable',
    'id',
    'agents have no folders, so this one cannot be moved',
    'Only workflows can: GET /v1/automations?type=workflow lists them.',
  );
}

/** The path wins, but an id beside it must still be the id of a folder. */
function readPlace({ folderId, folderPath }: AutomationMove): Place {
  if (folderId === undefined && folderPath === undefined) {
    throw badRequest(
      'invalid_value',
      ROOT,
      'the body names no folder',
      'Send folderId (null for the root) or folderPath (empty for the root).',
    );
  }
  if (typeof folderId === 'string') refuseMalformedId(folderId);
  if (folderPath !== undefined) {
    return { names: readFolderPath(folderPath) };
  }
  return { folderId: folderId ?? null };
}

function findTarget(state: State, tenantId: string, place: Place): Target {
  if ('names' in place) {
    return { field: 'folderPath', ...findFolder(state, tenantId, place.names) };
  }
  const { folderId } = place;
  if (folderId !== null && find(state.folders, folderId)?.tenantId !== tenantId) {
    throw notFound('folderId', 'no folder has this id');
  }
  return { field: 'folderId', folderId, missing: [] };
}

function refuseMalformedId(folderId: string): void {
  if (/^folder_[A-Za-z0-9]+$/.test(folderId)) return;
  throw badRequest(
    'invalid_value',
    'folderId',
    'is not a folder id',
    'A folder id begins with folder_; null stands for the root.',
  );
}

function refuseTakenName(state: State, automation: AutomationRecord, target: Target): void {
  if (target.missing.length > 0) return;
  const owner = Object.values(state.automations).find(
    (other) =>
      other.tenantId === automation.tenantId &&
      other.type === 'workflow' &&
      other.folderId === target.folderId &&
      other.name === automation.name &&
      other.id !== automation.id,
  );
  if (owner === undefined) return;
  throw new ApiError(
    409,
    [issue('workflow_name_conflict', target.field, 'another workflow in this folder has the name')],
    { hint: 'Rename or move the other workflow first.', conflictingWorkflowId: owner.id },
  );
}
