import { namedRow } from './driver.ts';
import type { Driver, Query, SqlResult, TxResult } from './driver.ts';

/** The part of a connection of `pg` that the store uses. */
export interface PostgresClient {
  /** Runs a statement of the store. */
  query(statement: PgStatement): Promise<PgResult>;
  /** Runs a statement of a handler; `$1` is the first value. */
  query(text: string, values?: unknown[]): Promise<PgResult>;
  /** Calls a listener when the connection breaks. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Gives the connection back to the pool; with `true` it is closed. */
  release(error?: boolean): void;
}

/** The part of `Pool` of `pg` 8 that the store uses. */
export interface PostgresPool<Client> {
  /** The options of the pool. */
  readonly options?: {
    /** The number of connections. Without it: 10. */
    readonly max?: number | undefined;
  };
  /** Runs a statement of the store on any connection. */
  query(statement: PgStatement): Promise<PgResult>;
  /** Hands a connection out, for a transaction. */
  connect(): Promise<Client & PostgresClient>;
  /** The form with a callback, which the store does not use. */
  connect(callback: (...results: never[]) => void): void;
  /** Calls a listener when an idle connection breaks. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Calls a listener before a connection is handed out. */
  on(event: 'acquire', listener: (client: Client & PostgresClient) => void): unknown;
}

/** A statement whose rows are arrays of texts, whatever parsers the app has set. */
interface PgStatement {
  readonly text: string;
  readonly values: unknown[];
  readonly rowMode: 'array';
  readonly types: { readonly getTypeParser: () => (value: string) => string };
}

interface PgResult {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

const guarded = new WeakSet<object>();

/**
 * Node.js ends the process at an `error` event without a listener, and a connection can break at
 * any moment. The pool reports idle connections. It calls `acquire` before anybody can use the
 * others: a listener that is added after `await pool.connect()` comes too late for an error in the
 * same packet.
 */
function guard<Client>(pool: PostgresPool<Client>): void {
  if (guarded.has(pool)) return;
  guarded.add(pool);
  pool.on('error', ignore);
  pool.on('acquire', (client) => {
    if (guarded.has(client)) return;
    guarded.add(client);
    client.on('error', ignore);
  });
}

/** Uses a pool of `pg`. */
export function pgDriver<Client>(pool: PostgresPool<Client>): Driver<Client> {
  guard(pool);
  return {
    maxConnections: pool.options?.max ?? null,
    query: queryOf(pool),
    async connect() {
      const client = await pool.connect();
      return {
        client,
        query: queryOf(client),
        queryForHandler: async (text, values) => txResult(await client.query(text, [...values])),
        release: (isBroken) => client.release(isBroken),
      };
    },
  };
}

function ignore(): void {
  // Whoever uses the connection gets the error too.
}

const AS_SENT = { getTypeParser: () => (value: string) => value };

function queryOf(target: Pick<PostgresPool<unknown>, 'query'>): Query {
  return async (text, values, columns = []) => {
    const statement: PgStatement = {
      text,
      values: [...values],
      rowMode: 'array',
      types: AS_SENT,
    };
    return sqlResult(await target.query(statement), columns);
  };
}

/** Several statements in one text have a list of results, which their caller does not need. */
function sqlResult(result: PgResult | readonly PgResult[], columns: readonly string[]): SqlResult {
  if (!('rows' in result)) return { rows: [], rowCount: 0 };
  const { rows, rowCount } = result;
  return {
    rows: rows.filter((row) => Array.isArray(row)).map((row) => namedRow(row, columns)),
    rowCount: rowCount ?? rows.length,
  };
}

function txResult(result: PgResult | readonly PgResult[]): TxResult {
  if (!('rows' in result)) return { rows: [], rowCount: 0 };
  const { rows, rowCount } = result;
  return { rows: rows.filter(isRow), rowCount: rowCount ?? rows.length };
}

export function isRow(row: unknown): row is Readonly<Record<string, unknown>> {
  return typeof row === 'object' && row !== null;
}
