import { statSync } from 'node:fs';

import { StoreError } from '../store-error.ts';
import type { Database } from './driver.ts';

const CHECK_MILLISECONDS = 1_000;
const QUIET_MILLISECONDS = 250;
const MAX_FREED_PAGES = 25_000;

/** Keeps the file small and erased, and notices when it is gone. */
export interface Upkeep {
  /** @throws {StoreError} `store_unavailable` when the file was removed or replaced. */
  checkFile(): void;
  /** Tidies up when nothing was written for a quarter of a second. */
  tidyLater(): void;
  tidy(): void;
}

export function openUpkeep(database: Database, file: string): Upkeep {
  const opened = identityOf(file);
  let checkedAt = performance.now();
  let timer: NodeJS.Timeout | null = null;
  const tidy = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    try {
      eraseDeleted(database);
    } catch {
      // Another process uses the file and will do it, or the next operation meets the same failure.
    }
  };

  return {
    checkFile() {
      if (performance.now() - checkedAt < CHECK_MILLISECONDS) return;
      checkedAt = performance.now();
      if (identityOf(file) === opened) return;
      throw new StoreError(
        'store_unavailable',
        `SQLite file ${file} must stay in its place, got another file or none. Its events that were ` +
          'not handled are lost with it. The store continues with the file that is there, or a new one.',
      );
    },
    tidyLater() {
      if (timer === null) timer = setTimeout(tidy, QUIET_MILLISECONDS).unref();
      else timer.refresh();
    },
    tidy,
  };
}

/** Gives free pages back to the file system, moves the log into the file and empties it. */
function eraseDeleted(database: Database): void {
  database.exec(`PRAGMA incremental_vacuum(${MAX_FREED_PAGES})`);
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
}

function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev}:${found.ino}`;
}
