import { number } from '../rows.ts';
import { StoreError } from '../store-error.ts';
import type { Driver, Query } from './driver.ts';

export const DEFAULT_SCHEMA = 'hookproof';

/** A step from one format of the tables to the next. */
export interface Step {
  /** Only adds, so that a process of the format before can go on. */
  readonly sql: (schema: string) => string;
  /**
   * True when a process of the format before cannot go on beside it: its `take` is refused from
   * then on. The page says to stop all processes first.
   */
  readonly stopsOlder: boolean;
}

/** The step at index n leads from format n to format n + 1. Format 0 has no tables. */
export const STEPS: readonly Step[] = [{ sql: tables, stopsOlder: false }];

/** The format that this version reads and writes. */
export const FORMAT: number = STEPS.length;

/**
 * Returns the statements that create the tables of `postgresStore`, or that change older ones,
 * separated by semicolons. They are for those who change their database with a tool of their own
 * and pass `createTables: false`. Run them in one transaction.
 *
 * @throws {TypeError} When an option is malformed.
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
    /**
     * The format of the tables that are there: `SELECT number FROM hookproof.format`. Default: 0,
     * there are none.
     */
    readonly from?: number;
  } = {},
): string {
  const { schema = DEFAULT_SCHEMA, from = 0 } = options;
  checkSchema(schema);
  if (!Number.isInteger(from) || from < 0 || from > STEPS.length) {
    throw new TypeError(
      `from must be the number of a format, 0 to ${STEPS.length}, got ${String(from)}.`,
    );
  }
  return stepsFrom(from, schema, STEPS).join('\n');
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
 * Brings the tables to the newest format, unless they have it. All steps are one transaction, and
 * only one process at a time makes them.
 *
 * @throws {StoreError} `store_schema_mismatch` for a format that this version does not know, and
 *   for an older one or none when `mayChange` is false. Nothing is changed.
 */
export async function bringUpToDate(
  driver: Driver<unknown>,
  schema: string,
  mayChange: boolean,
  steps: readonly Step[] = STEPS,
): Promise<void> {
  const found = await formatOf(driver.query, schema, steps);
  if (found === steps.length) return;
  if (!mayChange) {
    const got =
      found === 0
        ? 'none. Name the database and the schema of the app. To create the tables, run'
        : `format ${found}. Run`;
    throw mismatch(
      `Schema ${schema} must have tables of format ${steps.length}, got ${got} the statements of ` +
        `postgresTables({ from: ${found} }), or open the store without createTables: false.`,
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
    const current = await formatOf(session.query, schema, steps);
    for (const sql of stepsFrom(current, schema, steps)) await session.query(sql, []);
    await session.query('COMMIT', []);
    isBroken = false;
  } finally {
    // Closing the connection rolls back.
    session.release(isBroken);
  }
}

/**
 * Returns the format of the tables; 0 when there are none. It reads the catalog as a table: a
 * function such as `to_regclass` would use what this connection has cached from before it waited
 * for the lock.
 */
async function formatOf(query: Query, schema: string, steps: readonly Step[]): Promise<number> {
  const table = await query(
    `SELECT FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'format'`,
    [schema],
  );
  if (table.rowCount === 0) return 0;
  const { rows } = await query(`SELECT number FROM ${schema}.format`, [], ['number']);
  const found = number(rows[0] ?? {}, 'number');
  if (found <= steps.length) return found;
  throw mismatch(
    `Schema ${schema} must have tables of format ${steps.length} or older, got format ${found} of a newer version of ` +
      '@hookproof/receiver. Install that version, or give the store another schema.',
  );
}

function stepsFrom(from: number, schema: string, steps: readonly Step[]): readonly string[] {
  return steps.slice(from).map(({ sql, stopsOlder }, index) => {
    const format = from + index + 1;
    const least = stopsOlder ? `, least = ${format}` : '';
    return `${sql(schema)}\nUPDATE ${schema}.format SET number = ${format}${least};\n`;
  });
}

export function mismatch(message: string): StoreError {
  return new StoreError('store_schema_mismatch', message);
}

/**
 * Names are compared by bytes (`COLLATE "C"`), which is faster and the same on every server. Bodies
 * are apart: an event that is handled drops its body and moves no bytes, and what is left are the
 * open events, the dead letters and what `keepBodiesDays` keeps. No index of events contains what
 * changes when an event is handled, and pages keep some room, so that the change stays in its page.
 */
function tables(schema: string): string {
  return `-- IF NOT EXISTS would need the right to create schemas also where there is one.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = '${schema}') THEN
    CREATE SCHEMA ${schema};
  END IF;
END $$;

-- The format of the tables, and the least one whose processes may still take work.
CREATE TABLE ${schema}.format (
  number integer NOT NULL,
  least integer NOT NULL
);
INSERT INTO ${schema}.format VALUES (1, 1);

-- What is handled one after another: the events of a key, or one event without a key.
CREATE SEQUENCE ${schema}.job_numbers;
CREATE TABLE ${schema}.jobs (
  job bigint PRIMARY KEY,
  source text COLLATE "C" NOT NULL,
  key text COLLATE "C",
  owner text COLLATE "C",
  last_position integer NOT NULL,
  -- When the newest of its events was signed, in seconds since the epoch.
  newest bigint NOT NULL,
  -- Without a holder: when the job is due. With one: when the lease expires.
  due_at timestamptz,
  holder text,
  token bigint NOT NULL DEFAULT 0,
  -- The event that the holder handles.
  begun bigint,
  is_due_again boolean NOT NULL DEFAULT false,
  -- The id of the event with which the job was settled.
  settled_by text,
  UNIQUE (key, source)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX jobs_free ON ${schema}.jobs (due_at) WHERE holder IS NULL AND due_at IS NOT NULL;
CREATE INDEX jobs_held ON ${schema}.jobs (due_at) WHERE holder IS NOT NULL;
CREATE INDEX jobs_by_age ON ${schema}.jobs (newest);

-- Every event that is remembered, numbered in the order of acceptance.
CREATE SEQUENCE ${schema}.event_numbers;
CREATE TABLE ${schema}.events (
  event bigint PRIMARY KEY,
  source text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  job bigint NOT NULL,
  position integer NOT NULL,
  -- open, handled, or dead for a dead letter.
  state text NOT NULL,
  type text,
  handler text,
  -- What else its source knows of it.
  facts text,
  received_at timestamptz NOT NULL,
  -- Not before then, after a failure.
  due_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  first_failed_at timestamptz,
  -- The newest failures.
  failures jsonb NOT NULL DEFAULT '[]',
  -- How often the holder was lost while it handled the event, since the last outcome.
  crashes integer NOT NULL DEFAULT 0,
  is_replay boolean NOT NULL DEFAULT false,
  handled_at timestamptz,
  -- Why it is a dead letter.
  reason text,
  -- The message of the last failure.
  error text,
  -- SHA-256 of the body, as base64url.
  digest text NOT NULL,
  UNIQUE (id, source),
  UNIQUE (job, position)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);

-- Bodies of events that are open, retrying (open after a failure), dead, or kept (handled, until a time).
CREATE TABLE ${schema}.bodies (
  event bigint PRIMARY KEY,
  state text NOT NULL,
  until timestamptz,
  body bytea NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE ${schema}.bodies ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX bodies_open ON ${schema}.bodies (event) WHERE state IN ('open', 'retrying');
CREATE INDEX bodies_retrying ON ${schema}.bodies (event) WHERE state = 'retrying';
CREATE INDEX bodies_dead ON ${schema}.bodies (event) WHERE state = 'dead';
CREATE INDEX bodies_kept ON ${schema}.bodies (until) WHERE state = 'kept';

-- The names that are paused.
CREATE TABLE ${schema}.pauses (
  name text COLLATE "C" PRIMARY KEY,
  since timestamptz NOT NULL
);
`;
}
