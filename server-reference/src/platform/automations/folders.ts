import { badRequest } from '../http/api-error.ts';
import type { ApiError } from '../http/api-error.ts';
import type { FolderRecord } from '../state/automations.ts';
import type { FolderId, TenantId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import { find } from '../store/records.ts';
import { nextId } from '../store/seed.ts';

/** The slash-separated path of a folder from the tenant root; null for the root itself. */
export function folderPathOf(state: ReadonlyState, folderId: FolderId | null): string | null {
  const names: string[] = [];
  let folder = folderId === null ? undefined : find(state.folders, folderId);
  while (folder !== undefined) {
    names.unshift(folder.name);
    folder = folder.parentId === null ? undefined : find(state.folders, folder.parentId);
  }
  return names.length === 0 ? null : names.join('/');
}

/** How many folders may lie in each other. */
const MAX_FOLDER_DEPTH = 32;
/** How many characters the name of a folder may have. */
const MAX_NAME_LENGTH = 255;

/**
 * The folder names of a path. Slashes at the ends and doubled ones count for nothing, so that the empty
 * path and `/` are the root.
 *
 * @throws {ApiError} 400 for a path or a name that is too long, for a name of blanks alone, and for `.`
 * and `..`, which would mean elsewhere
 */
export function readFolderPath(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  if (names.some((name) => name.trim() === '' || name === '.' || name === '..')) {
    throw refusedPath('a folder name is blank, or is . or ..');
  }
  if (names.length > MAX_FOLDER_DEPTH || names.some((name) => name.length > MAX_NAME_LENGTH)) {
    throw refusedPath(
      `folders lie at most ${MAX_FOLDER_DEPTH} deep, with names of at most ${MAX_NAME_LENGTH} characters`,
    );
  }
  return names;
}

function refusedPath(message: string): ApiError {
  return badRequest(
    'invalid_value',
    'folderPath',
    message,
    'Write the names of folders with slashes between them, such as Finance/Invoices.',
  );
}

/** The folder at a path as far as it exists, and the names below it that do not. */
export function findFolder(
  state: ReadonlyState,
  tenantId: TenantId,
  names: readonly string[],
): { folderId: FolderId | null; missing: readonly string[] } {
  let folderId: FolderId | null = null;
  for (const [depth, name] of names.entries()) {
    const child = childOf(state, tenantId, folderId, name);
    if (child === undefined) return { folderId, missing: names.slice(depth) };
    folderId = child.id;
  }
  return { folderId, missing: [] };
}

/** Creates folders, each inside the one before; returns the id of the last. */
export function createFolders(
  state: State,
  tenantId: TenantId,
  parentId: FolderId | null,
  names: readonly string[],
): FolderId | null {
  let folderId = parentId;
  for (const name of names) {
    const folder: FolderRecord = {
      id: nextId(state, 'folder_'),
      tenantId,
      parentId: folderId,
      name,
    };
    state.folders[folder.id] = folder;
    folderId = folder.id;
  }
  return folderId;
}

function childOf(
  state: ReadonlyState,
  tenantId: TenantId,
  parentId: FolderId | null,
  name: string,
): DeepReadonly<FolderRecord> | undefined {
  return Object.values(state.folders).find(
    (folder) =>
      folder.tenantId === tenantId && folder.parentId === parentId && folder.name === name,
  );
}
