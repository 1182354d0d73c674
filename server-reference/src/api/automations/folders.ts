import { invalidValue } from '../../errors.ts';
import type { ApiError } from '../../errors.ts';
import type { FolderRecord } from '../../store/automations.ts';
import type { FolderId, TenantId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { nextId } from '../../store/seed.ts';
import type { ReadonlyState, State } from '../../store/state.ts';

/** Returns the slash-separated path of a folder, or null for the root of the tenant. */
export function folderPathOf(state: ReadonlyState, folderId: FolderId | null): string | null {
  const names: string[] = [];
  let folder = folderId === null ? undefined : state.folders.get(folderId);
  while (folder !== undefined) {
    names.unshift(folder.name);
    folder = folder.parentId === null ? undefined : state.folders.get(folder.parentId);
  }
  return names.length === 0 ? null : names.join('/');
}

/** The maximum nesting of folders. */
const MAX_FOLDER_DEPTH = 32;
/** The maximum length of a folder name. */
const MAX_NAME_LENGTH = 255;

/**
 * Returns the folder names of a path. Leading, trailing and repeated slashes are ignored, so the empty path
 * and `/` are the root.
 *
 * @throws {ApiError} `invalid_value` for a path or name that is too long, for a name that is blank, `.` or `..`,
 * and for a path that is not in Unicode's form NFC, because two folders could look alike
 */
export function readFolderPath(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  if (names.some((name) => name.trim() === '' || name === '.' || name === '..')) {
    throw refusedPath('must not contain a folder name that is blank, . or ..');
  }
  if (names.length > MAX_FOLDER_DEPTH || names.some((name) => name.length > MAX_NAME_LENGTH)) {
    throw refusedPath(
      `must have at most ${MAX_FOLDER_DEPTH} folders with names of at most ${MAX_NAME_LENGTH} characters`,
    );
  }
  if (path !== path.normalize('NFC')) {
    const hint = 'Send the composed form, such as é as one character (C3 A9 in UTF-8).';
    throw invalidValue('folderPath', 'must be in Unicode normalisation form NFC', hint);
  }
  return names;
}

function refusedPath(message: string): ApiError {
  return invalidValue(
    'folderPath',
    message,
    'Separate folder names with slashes, such as Finance/Invoices.',
  );
}

/** Returns the deepest existing folder of a path, and the remaining names, which do not exist. */
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

/** Creates nested folders. Returns the id of the innermost. */
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
    state.folders.add(folder);
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
  return state.folders.find(
    (folder) =>
      folder.tenantId === tenantId && folder.parentId === parentId && folder.name === name,
  );
}
