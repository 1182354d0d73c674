import { namedRow } from './driver.ts';
import type { Driver, Query, TxValue } from './driver.ts';
import { isRow } from './pg-driver.ts';

/** The part of a query function of `postgres` 3 that the store uses. */
export interface PostgresSql<Reserved> {
  /** The options of the function. */
  readonly options: {
    /** The number of connections. */
    readonly max: number;
  };
  /** Runs a statement on any connection; `$1` is the first value. */
  unsafe(text: string, values?: TxValue[]): PostgresRows;
  /** Hands a connection out, for a transaction. */
  reserve(): Promise<Reserved & ReservedPostgresSql>;
}

/** A reserved connection of `postgres` 3. */
export interface ReservedPostgresSql {
  /** Runs a statement on this connection; `$1` is the first value. */
  unsafe(text: string, values?: TxValue[]): PostgresRows;
  /** Gives the connection back. */
  release(): void;
}

/** A statement that is sent when it is awaited. */
interface PostgresRows extends PromiseLike<Iterable<unknown> & { readonly count: number }> {
  /** Makes its rows arrays of bytes, whatever parsers and names the app has set. */
  raw(): PromiseLike<Iterable<unknown> & { readonly count: number }>;
}

/** Uses the query function of `postgres`. */
export function postgresJsDriver<Reserved>(sql: PostgresSql<Reserved>): Driver<Reserved> {
  return {
    maxConnections: sql.options.max,
    query: queryOf(sql),
    async connect() {
      const client = await sql.reserve();
      // The library closes a broken connection by itself.
      return {
        client,
        query: queryOf(client),
        async queryForHandler(text, values) {
          const result = await client.unsafe(text, [...values]);
          return { rows: [...result].filter(isRow), rowCount: result.count };
        },
        release: () => client.release(),
      };
    },
  };
}

function queryOf(sql: Pick<ReservedPostgresSql, 'unsafe'>): Query {
  return async (text, values, columns = []) => {
    const result = await sql.unsafe(text, [...values]).raw();
    const rows = [...result].filter((row) => Array.isArray(row));
    return {
      rows: rows.map((row) => namedRow(row.map(textOf), columns)),
      rowCount: result.count,
    };
  };
}

function textOf(value: unknown): string | null {
  return Buffer.isBuffer(value) ? value.toString() : null;
}
