import { createHash } from 'node:crypto';

import { StoreError } from '../store-error.ts';
import type { Database } from './driver.ts';
import { numberIn } from './rows.ts';

/**
 * - `hookproof_jobs`: runs, with the automation of their first event, and events without a run. Free jobs are in the
 *   index by `due`, leased ones in the index by `until`, so that neither search walks over the other. `due`, `until`
 *   and `stamp` are monotonic; `stamp` is when they were last set. `newest` is when the last event was accepted, or
 *   signed if that is later, as when the clock was behind. During a lease `begun` is the event
 *   that its holder handles.
 * - `hookproof_events`: what is remembered of each event. `place` sorts the events of a run. `accepted_at` is monotonic. `hookproof_bodies` is a table of its own, so
 *   that the pages of deleted bodies are used again.
 * - `hookproof_kept_bodies`: bodies of settled events, until a wall time in milliseconds.
 * - `hookproof_pauses`: the names that are paused.
 * - `hookproof_totals`: counts that would take a scan, and the last token.
 */
const TABLES = `
CREATE TABLE hookproof_jobs (
  seq INTEGER PRIMARY KEY,
  run_id TEXT,
  automation_id TEXT,
  due REAL,
  stamp REAL NOT NULL,
  holder TEXT,
  token INTEGER NOT NULL DEFAULT 0,
  until REAL,
  begun TEXT,
  seen INTEGER NOT NULL DEFAULT 0,
  last_position INTEGER NOT NULL,
  unsettled INTEGER NOT NULL,
  newest INTEGER NOT NULL,
  settled_by TEXT,
  run_order TEXT
) STRICT;
CREATE UNIQUE INDEX hookproof_jobs_run ON hookproof_jobs (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX hookproof_jobs_automation ON hookproof_jobs (automation_id, seq)
  WHERE automation_id IS NOT NULL;
CREATE INDEX hookproof_jobs_free ON hookproof_jobs (due, seq)
  WHERE holder IS NULL AND due IS NOT NULL;
CREATE INDEX hookproof_jobs_leased ON hookproof_jobs (until) WHERE holder IS NOT NULL;
CREATE INDEX hookproof_jobs_done ON hookproof_jobs (newest) WHERE unsettled = 0;
CREATE TABLE hookproof_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  job INTEGER NOT NULL,
  position INTEGER NOT NULL,
  place TEXT NOT NULL,
  state TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  accepted_at REAL NOT NULL,
  retry_at REAL,
  failed_at REAL,
  attempts INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  is_replay INTEGER NOT NULL DEFAULT 0,
  arrival TEXT NOT NULL DEFAULT 'applied',
  previous_status TEXT,
  current_status TEXT,
  created_at TEXT,
  automation_id TEXT,
  reason TEXT,
  error TEXT,
  digest TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX hookproof_events_job ON hookproof_events (job, position);
CREATE UNIQUE INDEX hookproof_events_place ON hookproof_events (job, place);
CREATE INDEX hookproof_events_waiting ON hookproof_events (job, place) WHERE state <> 'settled';
CREATE INDEX hookproof_events_dead ON hookproof_events (seq) WHERE state = 'dead';
CREATE INDEX hookproof_events_dead_of ON hookproof_events (automation_id, seq) WHERE state = 'dead';
CREATE TABLE hookproof_bodies (
  event INTEGER PRIMARY KEY,
  body BLOB NOT NULL
) STRICT;
CREATE TABLE hookproof_kept_bodies (
  event INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  until INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;
CREATE INDEX hookproof_kept_bodies_job ON hookproof_kept_bodies (job);
CREATE INDEX hookproof_kept_bodies_until ON hookproof_kept_bodies (until);
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
`;

/** "hkpf", which `file` and SQLite show as the application of the database. */
const APPLICATION_ID = 0x68_6b_70_66;

/** `user_version` of a file with these tables: it changes with each word of them. */
const VERSION = createHash('sha256').update(TABLES).digest().readInt32BE();

/**
 * Returns true for a file with the tables, false for an empty one.
 *
 * @throws {StoreError} `store_schema_mismatch` for any other file. Nothing in it is changed.
 */
export function hasTables(database: Database, file: string): boolean {
  if (pragma(database, 'application_id') === APPLICATION_ID) {
    if (pragma(database, 'user_version') === VERSION) return true;
    throw new StoreError(
      'store_schema_mismatch',
      `SQLite file ${file} must have the tables of this version of @hookproof/receiver, got those of ` +
        'another version. Let that version handle its events, then remove the file, or begin with ' +
        'another file.',
    );
  }
  if (isEmpty(database)) return false;
  throw new StoreError(
    'store_schema_mismatch',
    `SQLite file ${file} must be empty or of this store, got tables of another program. ` +
      'Give the store a file of its own.',
  );
}

/** Run it inside a transaction. */
export function createTables(database: Database): void {
  database.exec(
    `${TABLES} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}`,
  );
}

function pragma(database: Database, name: string): number {
  return numberIn(database.prepare(`PRAGMA ${name}`).get() ?? {}, name);
}

function isEmpty(database: Database): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}
