import type { Driver, Query } from './driver.ts';
import { isRow } from './pg-driver.ts';

/** The part of a query function of `postgres` 3 that the store uses. */
export interface PostgresSql<Reserved> {
  readonly options: { readonly max: number };
  unsafe(text: string, values?: (string | number | boolean | Uint8Array | null)[]): PostgresRows;
  reserve(): Promise<Reserved & ReservedPostgresSql>;
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onListen?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>;
}

/** A reserved connection of `postgres` 3. */
export interface ReservedPostgresSql {
  unsafe(text: string, values?: (string | number | boolean | Uint8Array | null)[]): PostgresRows;
  release(): void;
}

type PostgresRows = PromiseLike<Iterable<unknown> & { readonly count: number }>;

/** Uses the query function of `postgres`. */
export function postgresJsDriver<Reserved>(sql: PostgresSql<Reserved>): Driver<Reserved> {
  return {
    maxConnections: sql.options.max,
    query: queryOf(sql),
    async connect() {
      const client = await sql.reserve();
      // The library closes a broken connection by itself.
      return { client, query: queryOf(client), release: () => client.release() };
    },
    async listen(channel, onMessage) {
      // The library listens again after a failure. Messages of the time between are lost.
      let isAgain = false;
      const listening = await sql.listen(channel, onMessage, () => {
        if (isAgain) onMessage('');
        isAgain = true;
      });
      return () => listening.unlisten();
    },
  };
}

function queryOf(sql: Pick<ReservedPostgresSql, 'unsafe'>): Query {
  return async (text, values) => {
    const result = await sql.unsafe(text, [...values]);
    return { rows: [...result].filter(isRow), rowCount: result.count };
  };
}
