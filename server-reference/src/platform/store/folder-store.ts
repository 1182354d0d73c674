import { access, constants, mkdir, realpath } from 'node:fs/promises';

import { Low } from 'lowdb';

import type { Logger } from '../logger.ts';
import type { StoredState } from '../state/state.ts';
import { lockFolder } from './folder-lock.ts';
import { groupCommitStore } from './group-commit.ts';
import { Journal } from './journal.ts';
import { openFolder } from './open-folder.ts';
import { StoreError } from './store.ts';
import type { Store } from './store.ts';

/**
 * Opens the store in a folder and reads its state. Creates the folder if it is missing.
 *
 * @param initial - the state for a folder without one
 * @throws {StoreError} `store_locked`, `store_corrupt`, `store_unsupported_format` or
 * `store_unusable_folder`. In each case nothing in the folder has changed
 */
export async function openFolderStore(
  path: string,
  initial: StoredState,
  logger: Logger,
): Promise<Store> {
  const folder = await makeFolder(path);
  const lock = await lockFolder(folder);
  try {
    const journal = new Journal(await openFolder(folder, initial, logger), lock, logger);
    const low = new Low<StoredState>(journal, initial);
    await low.read();
    return groupCommitStore(low, {
      undo: () => journal.undo(),
      release: async () => {
        await journal.close();
        await lock.release();
      },
    });
  } catch (error) {
    await lock.release();
    throw error instanceof StoreError ? error : unusable(path, error);
  }
}

async function makeFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (cause) {
    throw unusable(path, cause);
  }
}

function unusable(path: string, cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(
    'store_unusable_folder',
    `The data folder ${path} is unusable (${why}). Use a folder that this user may write to.`,
    { cause },
  );
}
