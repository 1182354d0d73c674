import { StoreError } from '../store-error.ts';
import type { Database } from './driver.ts';
import { numberIn } from './rows.ts';

/**
 * Each step brings a file from the version of its index to the next one. Steps are only appended: a
 * released step never changes. `user_version` counts those that a file has had.
 *
 * - `hookproof_inbox`: accepted events that are not filed yet, one row a commit.
 * - `hookproof_works`: runs, and events without a run. Free works are in the index by `due`, leased
 *   ones in the index by `until`, so that neither search walks over the other. `due`, `until` and
 *   `stamp` are monotonic; `stamp` is when they were last set. During a lease `process` names the process
 *   of the holder, and `begun` is the event that it handles.
 * - `hookproof_events`: what is remembered of each event. `accepted_at` is monotonic. `hookproof_bodies` is a table of its own, so
 *   that the pages of deleted bodies are used again.
 * - `hookproof_pauses`: the names that are paused.
 * - `hookproof_totals`: counts that would take a scan, and the last token.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE hookproof_inbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    frame BLOB NOT NULL
  ) STRICT;
  CREATE TABLE hookproof_works (
    seq INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    due REAL,
    stamp REAL NOT NULL,
    holder TEXT,
    token INTEGER NOT NULL DEFAULT 0,
    until REAL,
    process TEXT,
    begun TEXT,
    seen INTEGER NOT NULL DEFAULT 0,
    last_position INTEGER NOT NULL,
    unsettled INTEGER NOT NULL,
    newest INTEGER NOT NULL,
    run_settled INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX hookproof_works_free ON hookproof_works (due, seq)
    WHERE holder IS NULL AND due IS NOT NULL;
  CREATE INDEX hookproof_works_leased ON hookproof_works (until) WHERE holder IS NOT NULL;
  CREATE INDEX hookproof_works_done ON hookproof_works (newest) WHERE unsettled = 0;
  CREATE TABLE hookproof_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    work INTEGER NOT NULL,
    position INTEGER NOT NULL,
    state TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    accepted_at REAL NOT NULL,
    retry_at REAL,
    failed_at REAL,
    attempts INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0,
    previous_status TEXT,
    current_status TEXT,
    created_at TEXT,
    reason TEXT,
    error TEXT,
    digest BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX hookproof_events_work ON hookproof_events (work, position);
  CREATE INDEX hookproof_events_dead ON hookproof_events (seq) WHERE state = 'dead';
  CREATE TABLE hookproof_bodies (
    event INTEGER PRIMARY KEY,
    body BLOB NOT NULL
  ) STRICT;
  CREATE TABLE hookproof_pauses (
    name TEXT PRIMARY KEY
  ) STRICT;
  CREATE TABLE hookproof_totals (
    open INTEGER NOT NULL,
    dead INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    last_token INTEGER NOT NULL
  ) STRICT;
  INSERT INTO hookproof_totals VALUES (0, 0, 0, 0);
  `,
];

/** "hkpf", which `file` and SQLite show as the application of the database. */
const APPLICATION_ID = 0x68_6b_70_66;

/**
 * Refuses a file that this release cannot use, before anything in it is changed.
 *
 * @throws {StoreError} `store_schema_mismatch`.
 */
export function checkSchema(database: Database, file: string): void {
  const version = pragma(database, 'user_version');
  if (pragma(database, 'application_id') === APPLICATION_ID) {
    if (version <= STEPS.length) return;
    throw unknownSchema(
      `SQLite file ${file} must have a schema up to version ${STEPS.length}, got ${version}. ` +
        'A newer release of @hookproof/receiver wrote it: run that release.',
    );
  }
  if (hasTable(database, 'hookproof_fence')) {
    throw unknownSchema(
      `SQLite file ${file} must be of this release, got one of a release without schema versions. ` +
        'Let that release handle its events until none is open, then begin with a new file.',
    );
  }
  if (version === 0 && !hasTable(database, '%')) return;
  throw unknownSchema(
    `SQLite file ${file} must be empty or of this store, got tables of another program. ` +
      'Give the store a file of its own.',
  );
}

/** Brings the file to the current schema. Run it inside a transaction. */
export function migrate(database: Database, file: string): void {
  checkSchema(database, file);
  const version = pragma(database, 'user_version');
  if (version === STEPS.length) return;
  for (const step of STEPS.slice(version)) database.exec(step);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${STEPS.length}`);
}

function unknownSchema(message: string): StoreError {
  return new StoreError('store_schema_mismatch', message);
}

function pragma(database: Database, name: string): number {
  return numberIn(database.prepare(`PRAGMA ${name}`).get() ?? {}, name);
}

function hasTable(database: Database, pattern: string): boolean {
  const tables = database.prepare(
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name LIKE ?",
  );
  return tables.get(pattern) !== undefined;
}
