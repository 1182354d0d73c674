import { knownOptions } from '../../argument-checks.ts';
import type { Store } from '../store.ts';
import type { Driver } from './driver.ts';
import { checkSchema, DEFAULT_SCHEMA } from './format.ts';
import { openableStore } from './openable-store.ts';
import { pgDriver } from './pg-driver.ts';
import type { PostgresPool } from './pg-driver.ts';
import { postgresJsDriver } from './postgres-js-driver.ts';
import type { PostgresSql } from './postgres-js-driver.ts';
import type { PostgresTransaction } from './transaction.ts';

export { postgresTables } from './format.ts';
export type { PostgresClient, PostgresPool } from './pg-driver.ts';
export type { PostgresSql, ReservedPostgresSql } from './postgres-js-driver.ts';
export type { PostgresTransaction } from './transaction.ts';

/** The options of `postgresStore` beside the connections. */
export interface PostgresStoreOptions {
  /** Schema of the tables. Default: `hookproof`. */
  readonly schema?: string;
  /** Creates the tables when the store opens, unless they are there. Default: true. */
  readonly createTables?: boolean;
}

/** Connections of `pg` 8. */
export interface WithPool<Client> {
  /**
   * A `Pool`. Its `max` must be at least 3, and should be 3 more than `maxConcurrentRuns` (16):
   * `start()` reports `pool_small` otherwise. Close it after the receiver.
   */
  readonly pool: PostgresPool<Client>;
}

/** Connections of `postgres` 3. */
export interface WithSql<Reserved> {
  /** What `postgres()` returns. Its `max` follows the same rule. End it after the receiver. */
  readonly sql: PostgresSql<Reserved>;
}

/** A store whose `context.tx` is a transaction of this client library. */
export type PostgresStore<Client> = Required<Store<PostgresTransaction<Client>>>;

/** Number of connections that the store itself needs: two batches of accepted events, all else. */
const OWN_CONNECTIONS = 3;

const OPTIONS = ['pool', 'sql', 'schema', 'createTables'];

// Requirements: receiver.duplicate.single-effect.
/**
 * Creates a store in PostgreSQL 12 or later, which any number of processes share. Events are
 * accepted in batches, each durable before its callers get their result. All times are those of the
 * server, so the clocks of the machines may differ.
 *
 * Handlers can write their effects in `context.tx`. Its transaction is committed together with the
 * result of the event, and rolled back if another process has the event by then. So an effect in
 * this database happens exactly once.
 *
 * `open()` rejects with a `StoreError`: `store_unavailable`, or `store_schema_mismatch` when the
 * tables are of another version.
 *
 * @throws {TypeError} When an option is unknown or malformed, or the pool is too small.
 * @example
 * ```ts
 * import { createReceiver } from '@hookproof/receiver';
 * import { postgresStore } from '@hookproof/receiver/postgres';
 * import { Pool } from 'pg';
 *
 * const pool = new Pool({ connectionString: 'postgres://localhost/app', max: 20 });
 * export const receiver = createReceiver({
 *   secrets: 'whsec_c2VjcmV0',
 *   store: postgresStore({ pool }),
 *   handlers: {
 *     completed: async ({ data }, context) => {
 *       await context.tx.query('INSERT INTO invoices (run_id) VALUES ($1)', [data.run.id]);
 *     },
 *   },
 * });
 * ```
 */
export function postgresStore<Client>(
  options: PostgresStoreOptions & (WithPool<Client> | WithSql<Client>),
): PostgresStore<Client> {
  knownOptions(options, OPTIONS);
  const { schema = DEFAULT_SCHEMA, createTables = true } = options;
  checkSchema(schema);
  const driver = driverOf(options);
  const max = driver.maxConnections;
  const maxTransactions = max === null ? null : max - OWN_CONNECTIONS;
  return openableStore(driver, { schema, createTables }, maxTransactions);
}

function requireClient(options: { readonly pool?: unknown; readonly sql?: unknown }): void {
  const given: unknown = options.pool ?? options.sql;
  if ((typeof given === 'object' && given !== null) || typeof given === 'function') return;
  const [name, expected] =
    'pool' in options
      ? ['pool', 'a Pool of pg: new Pool({ connectionString })']
      : ['sql', 'what postgres(url) of postgres returned'];
  throw new TypeError(`${name} must be ${expected}, got ${typeof given}.`);
}

function driverOf<Client>(options: WithPool<Client> | WithSql<Client>): Driver<Client> {
  const given = (['pool', 'sql'] as const).filter((name) => name in options);
  if (given.length !== 1) {
    throw new TypeError(
      `postgresStore() must get exactly one of pool and sql, got ${given.join(' and ') || 'none'}.`,
    );
  }
  requireClient(options);
  const driver = 'pool' in options ? pgDriver(options.pool) : postgresJsDriver(options.sql);
  const max = driver.maxConnections;
  if (max === null || max >= OWN_CONNECTIONS) return driver;
  throw new TypeError(
    `max of ${given[0]} must be at least ${OWN_CONNECTIONS}, got ${max}. The store uses ` +
      `${OWN_CONNECTIONS} connections, and each handler with context.tx one more.`,
  );
}
