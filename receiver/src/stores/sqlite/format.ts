import { number } from '../rows.ts';
import { StoreError } from '../store-error.ts';
import type { Database } from './driver.ts';

/**
 * What a file contains. A release that needs other tables adds a step to `STEPS`, and changes
 * nothing here: the tables of a new file are these, after all steps. How a statement asks for them
 * is no part of the format.
 *
 * - `hookproof_jobs`: the events of a key, or one event without a key. Free jobs are in the index
 *   by `due`, leased ones in the index by `until`, so that neither search walks over the other.
 *   `due`, `until` and `stamp` are monotonic; `stamp` is when they were last set. During a lease
 *   `begun` is the event that its holder handles, and `seen` the last position that it knows.
 *   `newest` is when the newest event was signed, in seconds.
 * - `hookproof_events`: what is remembered of each event. Times are milliseconds since the epoch,
 *   except the monotonic `accepted_at`, `retry_at` and `failed_at`. `failures` is JSON.
 * - `hookproof_bodies`: bodies of events that are not handled; of others, until a time. It is a
 *   table of its own, so that the pages of deleted bodies are used again.
 * - `hookproof_pauses`: the names that are paused.
 * - `hookproof_format`: the least format that a process must know to go on beside those of the
 *   newest one.
 */
const TABLES = `
CREATE TABLE hookproof_jobs (
  seq INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  key TEXT,
  owner TEXT,
  due REAL,
  stamp REAL NOT NULL,
  holder TEXT,
  token INTEGER NOT NULL DEFAULT 0,
  until REAL,
  begun INTEGER,
  seen INTEGER NOT NULL DEFAULT 0,
  last_position INTEGER NOT NULL,
  unhandled INTEGER NOT NULL,
  newest INTEGER NOT NULL,
  settled_by INTEGER
) STRICT;
CREATE UNIQUE INDEX hookproof_jobs_key ON hookproof_jobs (key, source) WHERE key IS NOT NULL;
CREATE INDEX hookproof_jobs_free ON hookproof_jobs (due, seq)
  WHERE holder IS NULL AND due IS NOT NULL;
CREATE INDEX hookproof_jobs_leased ON hookproof_jobs (until) WHERE holder IS NOT NULL;
CREATE INDEX hookproof_jobs_newest ON hookproof_jobs (newest);
CREATE TABLE hookproof_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  id TEXT NOT NULL,
  job INTEGER NOT NULL,
  position INTEGER NOT NULL,
  state TEXT NOT NULL,
  type TEXT,
  handler TEXT,
  facts TEXT,
  received_at INTEGER NOT NULL,
  accepted_at REAL NOT NULL,
  retry_at REAL,
  failed_at REAL,
  attempts INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  is_replay INTEGER NOT NULL DEFAULT 0,
  first_failed_at INTEGER,
  handled_at INTEGER,
  reason TEXT,
  error TEXT,
  failures TEXT,
  digest TEXT NOT NULL,
  UNIQUE (id, source)
) STRICT;
CREATE UNIQUE INDEX hookproof_events_job ON hookproof_events (job, position);
CREATE INDEX hookproof_events_unhandled ON hookproof_events (state, seq) WHERE state <> 'handled';
CREATE TABLE hookproof_bodies (
  event INTEGER PRIMARY KEY,
  until INTEGER,
  body BLOB NOT NULL
) STRICT;
CREATE INDEX hookproof_bodies_kept ON hookproof_bodies (until) WHERE until IS NOT NULL;
CREATE TABLE hookproof_pauses (
  name TEXT PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT;
CREATE TABLE hookproof_format (
  least INTEGER NOT NULL
) STRICT;
INSERT INTO hookproof_format VALUES (1);
`;

/**
 * What leads from format 1 to 2, from 2 to 3 and so on. A step only adds, so that processes of an
 * older release go on beside a newer one. One with which they cannot sets `least`, and its release
 * says "stop first".
 */
const STEPS: readonly string[] = [];

/** "hkpf", which `file` and SQLite show as the application of the database. */
const APPLICATION_ID = 0x68_6b_70_66;

/**
 * Returns the number of the format of a file; 0 when it is empty.
 *
 * @throws {StoreError} `store_schema_mismatch` for a newer one, and for the file of another
 *   program.
 */
export function formatOf(
  database: Database,
  file: string,
  steps: readonly string[] = STEPS,
): number {
  const [known, format] = [steps.length + 1, pragma(database, 'user_version')];
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    if (isEmpty(database)) return 0;
    throw new StoreError(
      'store_schema_mismatch',
      `SQLite file ${file} must be empty or of this store, got tables of another program. ` +
        'Give the store a file of its own.',
    );
  }
  if (format >= 1 && format <= known) return format;
  throw new StoreError(
    'store_schema_mismatch',
    `SQLite file ${file} must have format ${known} or an earlier one, got format ${format}, which a newer ` +
      'release of @hookproof/receiver wrote. Update the package here too. Nothing in the file was changed.',
  );
}

/**
 * Refuses to go on when a newer release has changed the file so that this one must not.
 *
 * @throws {StoreError} `store_schema_mismatch`.
 */
export function requireFormat(least: number): void {
  const known = STEPS.length + 1;
  if (least <= known) return;
  throw new StoreError(
    'store_schema_mismatch',
    `SQLite file must be of format ${known}, but a newer release has made it one of format ${least}. ` +
      'Update the package in this process too. What it had in hand is handled by the others.',
  );
}

/** Brings a file to the format of this release. Run it inside a transaction. */
export function upgrade(database: Database, file: string, steps: readonly string[] = STEPS): void {
  const format = formatOf(database, file, steps);
  if (format === steps.length + 1) return;
  const missing = format === 0 ? [TABLES, ...steps] : steps.slice(format - 1);
  for (const step of missing) database.exec(step);
  database.exec(
    `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length + 1}`,
  );
}

function pragma(database: Database, name: string): number {
  return number(database.prepare(`PRAGMA ${name}`).get() ?? {}, name);
}

function isEmpty(database: Database): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}
