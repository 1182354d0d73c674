import { access, constants, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Low, Memory } from 'lowdb';

import type { Blobs } from './blobs.ts';
import { DataFile, unsupported } from './data-file.ts';
import { openFolderBlobs } from './folder-blobs.ts';
import { lockFolder } from './folder-lock.ts';
import type { FolderLock } from './folder-lock.ts';
import { LowStore } from './low-store.ts';
import { createMemoryBlobs } from './memory-blobs.ts';
import type { StoredState } from './state.ts';
import { reasonOf, StoreError } from './store.ts';
import type { Store } from './store.ts';

/** `memory` loses everything when the process ends; `folder` stores it in a folder. */
type StoragePlace =
  { readonly kind: 'memory' } | { readonly kind: 'folder'; readonly path: string };

interface Storage {
  readonly store: Store;
  readonly blobs: Blobs;
}

/**
 * Opens the store and the blobs of a place.
 *
 * @param initial - the state for a place without one
 * @throws {StoreError} when the folder is unusable
 */
export async function openStorage(place: StoragePlace, initial: StoredState): Promise<Storage> {
  if (place.kind === 'memory') {
    return { store: createMemoryStore(initial), blobs: createMemoryBlobs() };
  }
  const { store, lock } = await openFolderStore(place.path, initial);
  try {
    return { store, blobs: await openFolderBlobs(place.path, lock) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Creates a store in memory. Its state is lost when the process ends. */
export function createMemoryStore(initial: StoredState): Store {
  return new LowStore(new Low(new Memory<StoredState>(), initial), async () => {});
}

/**
 * Locks a folder, opens the store in it and reads its state. Creates the folder if it is missing.
 *
 * @param initial - the state for a folder without one
 * @throws {StoreError} `store_locked`, `store_corrupt`, `store_unsupported_format` or `store_unusable_folder`. In each
 * case nothing in the folder has changed
 */
export async function openFolderStore(
  path: string,
  initial: StoredState,
): Promise<{ readonly store: Store; readonly lock: FolderLock }> {
  try {
    const folder = await openFolder(path);
    await refuseOtherFormats(folder);
    const lock = await lockFolder(folder);
    try {
      const low = new Low(new DataFile(join(folder, 'data.json'), initial, lock), initial);
      await low.read();
      return { store: new LowStore(low, () => lock.release()), lock };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (cause) {
    throw cause instanceof StoreError ? cause : unusable(path, cause);
  }
}

async function openFolder(path: string): Promise<string> {
  await makeFolder(path);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  return realpath(path);
}

/**
 * Creates a folder and those above it. One after another, because `mkdir` with `recursive` never returns for a folder
 * in `/proc`.
 */
async function makeFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found !== null) {
    if (found.isDirectory()) return;
    throw new StoreError(
      'store_unusable_folder',
      `The data folder must be a folder, got the file ${path}. Use the path of a folder, which is created if it is missing.`,
    );
  }
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  await mkdir(path).catch((error: unknown) => {
    // Another server may have been faster.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}

/** The files of the formats before 9, of which no version was released. */
const OTHER_FILES = /^state(-\d+)?\.(json|snapshot|journal)$/;

async function refuseOtherFormats(folder: string): Promise<void> {
  const other = (await readdir(folder)).find((name) => OTHER_FILES.test(name));
  if (other !== undefined) throw unsupported(folder, `the file ${other}`);
}

function unusable(path: string, cause: unknown): StoreError {
  return new StoreError(
    'store_unusable_folder',
    `The data folder ${path} is unusable (${reasonOf(cause)}). Use a folder that this user may write to.`,
    { cause },
  );
}
