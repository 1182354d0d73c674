import { access, constants, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { Low, Memory } from 'lowdb';

import { Blobs } from './blobs.ts';
import { DataFile } from './data-file.ts';
import { lockFolder } from './folder-lock.ts';
import { LowStore } from './low-store.ts';
import type { State } from './state.ts';
import { reasonOf, StoreError } from './store.ts';
import type { Store } from './store.ts';

/** `memory` loses everything when the process ends; `folder` stores it in a folder. */
type StoragePlace =
  | { readonly kind: 'memory' }
  | { readonly kind: 'folder'; readonly path: string };

interface Storage {
  readonly store: Store;
  readonly blobs: Blobs;
}

/**
 * Opens the store and the blobs of a place. A folder is created if it is missing, and locked.
 *
 * @param initial - the state for a place without one
 * @param shipped - the paths of files of this package, by their hash, which memory reads there
 * @throws {StoreError} `store_locked`, `store_corrupt`, `store_unsupported_format` or `store_unusable_folder`. In each
 * case the state in the folder has not changed
 */
export async function openStorage(
  place: StoragePlace,
  initial: State,
  shipped: ReadonlyMap<string, string> = new Map(),
): Promise<Storage> {
  if (place.kind === 'memory') {
    const blobs = await Blobs.openTemporary(shipped);
    const low = new Low(new Memory<State>(), initial);
    return { store: new LowStore(low, () => blobs.close()), blobs };
  }
  try {
    const folder = await openFolder(place.path);
    const lock = await lockFolder(folder);
    try {
      const low = new Low(new DataFile(join(folder, 'data.json'), initial, lock), initial);
      await low.read();
      const blobs = await Blobs.open(folder);
      return { store: new LowStore(low, () => lock.release()), blobs };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (cause) {
    throw cause instanceof StoreError ? cause : unusable(place.path, cause);
  }
}

async function openFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  return realpath(path);
}

function unusable(path: string, cause: unknown): StoreError {
  return new StoreError(
    'store_unusable_folder',
    `The data folder ${path} is unusable (${reasonOf(cause)}). Use a folder that this user may write to, or a path where one can be created.`,
    { cause },
  );
}
