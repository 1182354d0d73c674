import { createHash } from 'node:crypto';

import { StoreError } from '../store-error.ts';
import type { Driver, Query } from './driver.ts';
import { functions } from './functions.ts';

export const DEFAULT_SCHEMA = 'hookproof';

/**
 * Returns the statements that create the tables of `postgresStore`, separated by semicolons, for those who change
 * their database with a tool of their own and pass `createTables: false`. Run them in one transaction.
 *
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { postgresTables } from '@hookproof/receiver/postgres';
 *
 * writeFileSync('migrations/hookproof.sql', postgresTables());
 * ```
 */
export function postgresTables(
  options: {
    /** The schema of the store. Default: `hookproof`. */
    readonly schema?: string;
  } = {},
): string {
  const { schema = DEFAULT_SCHEMA } = options;
  checkSchema(schema);
  const sql = tablesAndFunctions(schema);
  return `${sql}\nINSERT INTO ${schema}.version (digest) VALUES ('${digestOf(sql)}');\n`;
}

function tablesAndFunctions(schema: string): string {
  return `${tables(schema)}${functions(schema)}`;
}

function digestOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** Refuses a name that would need quotes. */
export function checkSchema(schema: unknown): void {
  if (typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,47}$/.test(schema)) return;
  throw new TypeError(
    'schema must consist of lower case letters, digits and underscores, at most 48 and without a digit ' +
      `at the start, got ${JSON.stringify(schema)}.`,
  );
}

/**
 * Creates the tables unless they are there. Only one process at a time does it.
 *
 * @throws {StoreError} `store_schema_mismatch` when another version of this package created them, or none did
 *   and `mayCreate` is false.
 */
export async function createTables(
  driver: Driver<unknown>,
  schema: string,
  mayCreate: boolean,
): Promise<void> {
  if (await hasTables(driver.query, schema)) return;
  if (!mayCreate) {
    throw mismatch(
      `Schema ${schema} must have the tables of @hookproof/receiver, got none. Run the statements of ` +
        'postgresTables(), or open the store without createTables: false.',
    );
  }
  const session = await driver.connect();
  let isBroken = true;
  try {
    await session.query('BEGIN', []);
    await session.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
      'hookproof.tables',
      schema,
    ]);
    if (!(await hasTables(session.query, schema)))
      await session.query(postgresTables({ schema }), []);
    await session.query('COMMIT', []);
    isBroken = false;
  } finally {
    // Closing the connection rolls back.
    session.release(isBroken);
  }
}

/**
 * Returns false for a schema without tables. It reads the catalog as a table: a function such as
 * `to_regclass` would use what this connection has cached from before it waited for the lock.
 *
 * @throws {StoreError} `store_schema_mismatch` when the tables are of another version of this package.
 */
async function hasTables(query: Query, schema: string): Promise<boolean> {
  const found = await query(
    `SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'version'`,
    [schema],
  );
  if (found.rowCount === 0) return false;
  const { rows } = await query(`SELECT digest FROM ${schema}.version`, [], ['digest']);
  if (rows[0]?.['digest'] === digestOf(tablesAndFunctions(schema))) return true;
  throw mismatch(
    `Schema ${schema} must have the tables of this version of @hookproof/receiver, got those of ` +
      'another version. Let that version handle its events, then remove them with ' +
      `DROP SCHEMA ${schema} CASCADE, or give the store another schema.`,
  );
}

function mismatch(message: string): StoreError {
  return new StoreError('store_schema_mismatch', message);
}

/**
 * Names are compared by bytes (`COLLATE "C"`), which is faster and the same on every server. Bodies
 * are apart, in the order of acceptance: settling deletes one of them and moves no bytes, and those
 * that are left are the open events and the dead letters. No index of events contains what changes
 * when an event is handled, and pages keep some room, so that the change stays in its page.
 */
function tables(schema: string): string {
  return `-- IF NOT EXISTS would need the right to create schemas also where there is one.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = '${schema}') THEN
    CREATE SCHEMA ${schema};
  END IF;
END $$;

-- Which version of the package created the tables.
CREATE TABLE ${schema}.version (
  digest text NOT NULL
);

-- One row per run, or per event without a run: who holds it, and when it is due.
CREATE TABLE ${schema}.jobs (
  job text COLLATE "C" PRIMARY KEY,
  run_id text,
  last_position integer NOT NULL,
  -- When the last event was accepted, or signed if that is later.
  last_at timestamptz NOT NULL,
  -- Without a holder: when the job is due. With one: when the lease expires.
  due_at timestamptz,
  holder text,
  token bigint NOT NULL DEFAULT 0,
  -- The event that the holder handles.
  begun text COLLATE "C",
  is_due_again boolean NOT NULL DEFAULT false,
  -- The event with which the run was settled.
  settled_by text,
  -- What the order knows of the run.
  run_order text
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX jobs_free ON ${schema}.jobs (due_at) WHERE holder IS NULL AND due_at IS NOT NULL;
CREATE INDEX jobs_held ON ${schema}.jobs (due_at) WHERE holder IS NOT NULL;

-- Every event that is remembered.
CREATE TABLE ${schema}.events (
  id text COLLATE "C" PRIMARY KEY,
  job text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  -- Where the event is among those of its run; empty for an event without a run.
  place text COLLATE "C" NOT NULL,
  state text NOT NULL,
  body bigint NOT NULL,
  received_at timestamptz NOT NULL,
  due_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- How often the holder was lost while it handled the event, since the last outcome.
  crashes integer NOT NULL DEFAULT 0,
  is_replay boolean NOT NULL DEFAULT false,
  arrival text NOT NULL DEFAULT 'applied',
  previous_status text,
  current_status text,
  created_at text,
  automation_id text COLLATE "C",
  reason text,
  error text,
  -- SHA-256 of the body, as base64url.
  digest text NOT NULL
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
CREATE UNIQUE INDEX events_of_job ON ${schema}.events (job, position);
-- Runs, by the number of their first body.
CREATE INDEX events_first ON ${schema}.events (body) WHERE position = 1 AND place <> '';
CREATE INDEX events_first_of ON ${schema}.events (automation_id, body) WHERE position = 1;
CREATE INDEX events_by_place ON ${schema}.events (job, place) WHERE place <> '';

-- Bodies of events that are open or dead letters.
CREATE SEQUENCE ${schema}.body_numbers;
CREATE TABLE ${schema}.bodies (
  number bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  job text COLLATE "C" NOT NULL,
  place text COLLATE "C" NOT NULL,
  automation_id text COLLATE "C",
  received_at timestamptz NOT NULL,
  -- Why it is a dead letter; null: it is open.
  reason text,
  body bytea NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE ${schema}.bodies ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX bodies_dead ON ${schema}.bodies (number) WHERE reason IS NOT NULL;
CREATE INDEX bodies_dead_of ON ${schema}.bodies (automation_id, number)
  WHERE reason IS NOT NULL;
CREATE INDEX bodies_by_place ON ${schema}.bodies (job, place);

-- Bodies of handled events that can be replayed.
CREATE TABLE ${schema}.kept_bodies (
  number bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  job text COLLATE "C" NOT NULL,
  automation_id text COLLATE "C",
  until timestamptz NOT NULL,
  body bytea NOT NULL
);
ALTER TABLE ${schema}.kept_bodies ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX kept_bodies_of_job ON ${schema}.kept_bodies (job);
CREATE INDEX kept_bodies_of ON ${schema}.kept_bodies (automation_id, job);
CREATE INDEX kept_bodies_until ON ${schema}.kept_bodies (until);

-- The names that are paused.
CREATE TABLE ${schema}.pauses (
  name text COLLATE "C" PRIMARY KEY
);
`;
}
