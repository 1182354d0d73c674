import type { Logger } from '../logger.ts';
import type { StoredState } from '../state/state.ts';
import type { Blobs } from './blobs.ts';
import { createMemoryStore } from './group-commit.ts';
import { createMemoryBlobs } from './memory-blobs.ts';
import type { Store } from './store.ts';

/** `memory` loses everything when the process ends; `folder` stores it in a folder. */
export type StoragePlace =
  { readonly kind: 'memory' } | { readonly kind: 'folder'; readonly path: string };

export interface Storage {
  readonly store: Store;
  readonly blobs: Blobs;
}

/**
 * Opens the store and the blobs of a place.
 *
 * @param initial - the state for a place without one
 * @throws {StoreError} when the folder is unusable
 */
export async function openStorage(
  place: StoragePlace,
  initial: StoredState,
  logger: Logger,
): Promise<Storage> {
  if (place.kind === 'memory') {
    return { store: createMemoryStore(initial), blobs: createMemoryBlobs() };
  }
  // A server in memory starts without these files.
  const { openFolderStore } = await import('./folder-store.ts');
  const { openFolderBlobs } = await import('./folder-blobs.ts');
  const store = await openFolderStore(place.path, initial, logger);
  try {
    return { store, blobs: await openFolderBlobs(place.path) };
  } catch (error) {
    await store.close();
    throw error;
  }
}
