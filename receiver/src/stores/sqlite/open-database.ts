import { setTimeout } from 'node:timers/promises';

import { StoreError } from '../store-error.ts';
import type { Database, OpenDatabase } from './driver.ts';
import { isLocked } from './failures.ts';
import type { Moment } from './moment.ts';
import { formatOf, upgrade } from './format.ts';

const MAX_LOCK_MILLISECONDS = 5_000;
const RETRY_MILLISECONDS = 1;
const MAX_AHEAD_MILLISECONDS = 60_000;

/**
 * Opens the file for durable writes. It throws while another process changes the file as a whole.
 *
 * @throws {StoreError} `store_schema_mismatch`.
 */
export function openDatabase(
  open: OpenDatabase,
  file: string,
  at: Moment,
  steps?: readonly string[],
): Database {
  const database = open(file);
  try {
    prepare(database, file, at, steps);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Repeats an action each millisecond while another process locks the file, up to five seconds. The
 * waiting of SQLite itself pauses so long that a busy neighbour starves this process, and it does
 * not wait at all when two processes change the journal mode of a new file.
 */
export async function whenFree(action: () => void): Promise<void> {
  const end = performance.now() + MAX_LOCK_MILLISECONDS;
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= end) throw error;
    }
    await setTimeout(RETRY_MILLISECONDS);
  }
}

/**
 * With `secure_delete` deleted content is overwritten inside pages that stay in use. Free pages and
 * the log keep it until `Upkeep` gives them back. A checkpoint of 8,000 pages is rare enough for
 * the log to be written in one place for long, and bounds it to 32 MB.
 */
function prepare(
  database: Database,
  file: string,
  at: Moment,
  steps: readonly string[] | undefined,
): void {
  checkFormat(database, file, steps);
  database.exec(`
    PRAGMA busy_timeout = 0;
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA secure_delete = FAST;
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA cache_size = -32768;
    PRAGMA wal_autocheckpoint = 8000;
  `);
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
  if (mode !== 'wal') {
    throw new StoreError(
      'store_unavailable',
      `SQLite file ${file} must be on a local disk, got journal mode ${String(mode)} in place of wal.`,
    );
  }
  database.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
  try {
    upgrade(database, file, steps);
    voidOldTimes(database, at);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** One transaction, because another process may create the tables between two queries. */
function checkFormat(database: Database, file: string, steps: readonly string[] | undefined): void {
  database.exec('BEGIN');
  try {
    formatOf(database, file, steps);
  } finally {
    database.exec('ROLLBACK');
  }
}

/**
 * A time that was set far in the future comes from before a restart of the machine, whose monotonic
 * clock began again. No process holds a lease from then. Times up to a minute ahead are of other
 * processes, which read the clock after the call of `open()`.
 */
function voidOldTimes(database: Database, { monotonic }: Moment): void {
  const isOld = `stamp > ?1 + ${MAX_AHEAD_MILLISECONDS}`;
  database
    .prepare(
      `UPDATE hookproof_events SET crashes = crashes + 1, retry_at = ?1, failed_at = ?1
       WHERE state = 'open' AND seq IN (
         SELECT begun FROM hookproof_jobs WHERE ${isOld} AND holder IS NOT NULL AND begun IS NOT NULL)`,
    )
    .run(monotonic);
  database
    .prepare(
      `UPDATE hookproof_jobs
       SET due = ?1, holder = NULL, begun = NULL, until = NULL, stamp = ?1
       WHERE ${isOld} AND (due IS NOT NULL OR holder IS NOT NULL)`,
    )
    .run(monotonic);
}
