import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import { isLocked } from './driver.ts';
import type { Database, OpenDatabase } from './driver.ts';

const MAX_TRIES = 250;
const PAUSE_MILLISECONDS = 20;

/**
 * Opens the file for durable writes. It retries while the file is locked: when two processes open a
 * new file at once, SQLite refuses the change of journal mode with "database is locked" immediately.
 *
 * @throws {StoreError} `store_unavailable` when the file cannot be opened.
 */
export async function openDatabase(
  open: OpenDatabase,
  file: string,
  clock: Clock,
): Promise<Database> {
  for (let tries = 1; ; tries += 1) {
    try {
      return prepared(open(file));
    } catch (cause) {
      if (!isLocked(cause) || tries === MAX_TRIES) throw cannotOpen(file, cause);
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, PAUSE_MILLISECONDS);
      });
    }
  }
}

function prepared(database: Database): Database {
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    database.exec('PRAGMA cache_size = -65536');
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function cannotOpen(file: string, cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(
    'store_unavailable',
    `SQLite file ${file} must be in a writable folder, got: ${why}. Create the folder or change its permissions.`,
    { cause },
  );
}

/**
 * With `seq` as the row id, insertions stay at the end of the table and bodies stay out of the unique
 * index. The partial indexes contain only rows that can be work, which keeps accepting cheap.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS hookproof_events (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    signed_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open',
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    starts INTEGER NOT NULL DEFAULT 0,
    run_id TEXT,
    previous_status TEXT,
    current_status TEXT,
    created_at TEXT,
    reason TEXT,
    error TEXT,
    digest BLOB,
    body BLOB
  ) STRICT;
  CREATE INDEX IF NOT EXISTS hookproof_due ON hookproof_events (due_at, seq) WHERE state = 'open';
  CREATE INDEX IF NOT EXISTS hookproof_run ON hookproof_events (run_id, seq) WHERE run_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS hookproof_dead ON hookproof_events (seq) WHERE state = 'dead';
  CREATE INDEX IF NOT EXISTS hookproof_settled ON hookproof_events (received_at)
    WHERE state = 'settled';
  CREATE TABLE IF NOT EXISTS hookproof_leases (
    work TEXT PRIMARY KEY,
    token INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS hookproof_settled_runs (run_id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS hookproof_fence (last_token INTEGER NOT NULL) STRICT;
  INSERT INTO hookproof_fence SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM hookproof_fence);
`;
