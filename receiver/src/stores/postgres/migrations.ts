import { StoreError } from '../store-error.ts';
import type { Driver, Query } from './driver.ts';
import { firstFunctions } from './first-functions.ts';
import { isRow } from './pg-driver.ts';
import { number } from './rows.ts';

/** One step of the schema. */
export interface PostgresMigration {
  /** 1 for the first step. */
  readonly version: number;
  /** Statements, separated by semicolons. Run them in one transaction. */
  readonly sql: string;
}

/**
 * Returns the steps that create the tables of `postgresStore`, oldest first, for those who change
 * their database with a tool of their own and pass `migrate: false`. A released step never changes;
 * a later version of this package may add one.
 *
 * @param options - `schema` must be the one of the store, default `hookproof`
 *
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { postgresMigrations } from '@hookproof/receiver/postgres';
 *
 * for (const { version, sql } of postgresMigrations()) {
 *   writeFileSync(`migrations/hookproof-${version}.sql`, sql);
 * }
 * ```
 */
export function postgresMigrations(
  options: { readonly schema?: string } = {},
): readonly PostgresMigration[] {
  const { schema = DEFAULT_SCHEMA } = options;
  checkSchema(schema);
  return [{ version: 1, sql: `${firstTables(schema)}${firstFunctions(schema)}` }];
}

export const DEFAULT_SCHEMA = 'hookproof';

/** Refuses a name that would need quotes. */
export function checkSchema(schema: unknown): void {
  if (typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,47}$/.test(schema)) return;
  throw new TypeError(
    'schema must consist of lower case letters, digits and underscores, at most 48 and without a digit ' +
      `at the start, got ${JSON.stringify(schema)}.`,
  );
}

/**
 * Brings the schema to the version of this package. Only one process at a time does it.
 *
 * @throws {StoreError} `store_schema_mismatch` when the schema is newer, or older with `migrate: false`.
 */
export async function migrate(
  driver: Driver<unknown>,
  { schema, migrate: mayMigrate }: { readonly schema: string; readonly migrate: boolean },
): Promise<void> {
  const migrations = postgresMigrations({ schema });
  const latest = migrations.length;
  if (checkVersion(await versionOf(driver.query, schema), latest, schema, mayMigrate)) return;
  const session = await driver.connect();
  let isBroken = true;
  try {
    await session.query('BEGIN', []);
    await session.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
      'hookproof.migrations',
      schema,
    ]);
    const version = await versionOf(session.query, schema);
    checkVersion(version, latest, schema, mayMigrate);
    for (const { sql } of migrations.slice(version)) await session.query(sql, []);
    await session.query('COMMIT', []);
    isBroken = false;
  } finally {
    // Closing the connection rolls back.
    session.release(isBroken);
  }
}

/** Returns true when the schema is current. */
function checkVersion(
  version: number,
  latest: number,
  schema: string,
  mayMigrate: boolean,
): boolean {
  if (version === latest) return true;
  if (version > latest) {
    throw new StoreError(
      'store_schema_mismatch',
      `Schema ${schema} must have version ${latest} or older, got ${version}. A newer version of ` +
        '@hookproof/receiver wrote it: install that version here too.',
    );
  }
  if (mayMigrate) return false;
  throw new StoreError(
    'store_schema_mismatch',
    `Schema ${schema} must have version ${latest}, got ${version}. Run the steps of ` +
      `postgresMigrations() after ${version}, or open the store without migrate: false.`,
  );
}

/**
 * Returns 0 for a schema without tables. It reads the catalog as a table: a function such as
 * `to_regclass` would use what this connection has cached from before it waited for the lock.
 */
async function versionOf(query: Query, schema: string): Promise<number> {
  const found = await query(
    `SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'migrations'`,
    [schema],
  );
  if (found.rows.length === 0) return 0;
  const { rows } = await query(
    `SELECT coalesce(max(version), 0) AS version FROM ${schema}.migrations`,
    [],
  );
  return number(rows.find(isRow) ?? {}, 'version');
}

/**
 * Names are compared by bytes (`COLLATE "C"`), which is faster and the same on every server. Bodies
 * are apart, in the order of acceptance: settling deletes one of them and moves no bytes, and those
 * that are left are the open events and the dead letters. No index of events contains what changes
 * when an event is handled, and pages keep some room, so that the change stays in its page.
 */
function firstTables(schema: string): string {
  return `CREATE SCHEMA IF NOT EXISTS ${schema};

CREATE TABLE ${schema}.migrations (
  version integer PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
);

-- One row per run, or per event without a run: who holds it, and when it is due.
CREATE TABLE ${schema}.works (
  work text COLLATE "C" PRIMARY KEY,
  run_id text,
  last_position integer NOT NULL,
  last_at timestamptz NOT NULL,
  -- Without a holder: when the work is due. With one: when the lease expires.
  due_at timestamptz,
  holder text,
  token bigint NOT NULL DEFAULT 0,
  -- The event that the holder handles.
  begun text COLLATE "C",
  is_due_again boolean NOT NULL DEFAULT false,
  is_run_settled boolean NOT NULL DEFAULT false
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX works_free ON ${schema}.works (due_at) WHERE holder IS NULL AND due_at IS NOT NULL;
CREATE INDEX works_held ON ${schema}.works (due_at) WHERE holder IS NOT NULL;

-- Every event that is remembered.
CREATE TABLE ${schema}.events (
  id text COLLATE "C" PRIMARY KEY,
  work text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  state text NOT NULL,
  body bigint NOT NULL,
  received_at timestamptz NOT NULL,
  due_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- How often the holder was lost while it handled the event, since the last outcome.
  crashes integer NOT NULL DEFAULT 0,
  previous_status text,
  current_status text,
  created_at text,
  reason text,
  error text,
  -- SHA-256 of the body.
  digest bytea NOT NULL
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
CREATE UNIQUE INDEX events_of_work ON ${schema}.events (work, position);

-- Bodies of events that are open or dead letters.
CREATE SEQUENCE ${schema}.body_numbers;
CREATE TABLE ${schema}.bodies (
  number bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  received_at timestamptz NOT NULL,
  is_dead boolean NOT NULL,
  body bytea NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE ${schema}.bodies ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX bodies_dead ON ${schema}.bodies (number) WHERE is_dead;

-- The names that are paused.
CREATE TABLE ${schema}.pauses (
  name text COLLATE "C" PRIMARY KEY
);

INSERT INTO ${schema}.migrations (version) VALUES (1);
`;
}
