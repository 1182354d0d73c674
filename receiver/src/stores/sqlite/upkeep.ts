import { statSync } from 'node:fs';

import { number } from '../rows.ts';
import { StoreError } from '../store-error.ts';
import type { Database } from './driver.ts';
import type { ExitGate } from './exit-gate.ts';

const QUIET_MILLISECONDS = 250;
/** 8 MB, so that a delivery in the middle waits for some milliseconds only. */
const FREED_PAGES = 2_000;

/** Keeps the file small and erased, and notices when it is gone. */
export interface Upkeep {
  /**
   * Call it after each write: what was written to a file that has no name any more is lost.
   *
   * @throws {StoreError} `store_unavailable` when the file was removed or replaced.
   */
  checkFile(): void;
  /**
   * Call it after each turn: erases what was deleted when nothing was written for a quarter of a
   * second.
   */
  tidyLater(): void;
  /** Erases it now. */
  tidy(): void;
}

export function openUpkeep(database: Database, file: string, gate: ExitGate): Upkeep {
  const opened = identityOf(file);
  const changes = database.prepare('SELECT total_changes() AS count');
  let seenChanges = -1;
  let timer: NodeJS.Timeout | null = null;
  const tidyLater = (): void => {
    const count = number(changes.get() ?? {}, 'count');
    if (count === seenChanges) return;
    seenChanges = count;
    waitForQuiet();
  };
  const waitForQuiet = (): void => {
    if (timer === null) timer = setTimeout(tidySome, QUIET_MILLISECONDS).unref();
    else timer.refresh();
  };
  const tidySome = (): void => {
    timer = null;
    gate.whileOpen(() => {
      if (eraseSome(database)) waitForQuiet();
    });
  };

  return {
    checkFile() {
      if (identityOf(file) === opened) return;
      throw new StoreError(
        'store_unavailable',
        `SQLite file ${file} must stay in its place, got another file or none. Its events that were ` +
          'not handled are lost with it. The store continues with the file that is there, or a new one.',
      );
    },
    tidyLater,
    tidy() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      while (eraseSome(database)) continue;
    },
  };
}

/**
 * Gives some free pages back to the file system, moves the log into the file and empties it.
 * Returns true when another call has more to give back.
 */
function eraseSome(database: Database): boolean {
  try {
    const before = freePages(database);
    database.exec(`PRAGMA incremental_vacuum(${FREED_PAGES})`);
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    const after = freePages(database);
    return after > 0 && after < before;
  } catch {
    // Another process uses the file and will do it, or the next operation meets the same failure.
    return false;
  }
}

function freePages(database: Database): number {
  return number(database.prepare('PRAGMA freelist_count').get() ?? {}, 'freelist_count');
}

function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev}:${found.ino}`;
}
