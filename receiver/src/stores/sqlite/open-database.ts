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

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS hookproof_works (
    work TEXT PRIMARY KEY,
    run_id TEXT,
    last_position INTEGER NOT NULL,
    due_at REAL,
    has_news INTEGER NOT NULL DEFAULT 0,
    is_suspect INTEGER NOT NULL DEFAULT 0,
    is_run_settled INTEGER NOT NULL DEFAULT 0,
    token INTEGER NOT NULL DEFAULT 0,
    holder TEXT,
    taken_at REAL,
    until REAL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS hookproof_due ON hookproof_works (due_at)
    WHERE holder IS NULL AND due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS hookproof_leased ON hookproof_works (until) WHERE holder IS NOT NULL;
  CREATE TABLE IF NOT EXISTS hookproof_accepted (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    work TEXT NOT NULL,
    position INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    retry_at REAL NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    starts INTEGER NOT NULL DEFAULT 0,
    previous_status TEXT,
    current_status TEXT,
    created_at TEXT,
    reason TEXT,
    error TEXT,
    digest BLOB,
    body BLOB
  ) STRICT;
  CREATE INDEX IF NOT EXISTS hookproof_of_work ON hookproof_accepted (work, position);
  CREATE INDEX IF NOT EXISTS hookproof_dead ON hookproof_accepted (seq) WHERE state = 'dead';
  CREATE INDEX IF NOT EXISTS hookproof_open ON hookproof_accepted (received_at) WHERE state = 'open';
`;
