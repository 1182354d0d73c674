/**
 * A value of a statement. Each parameter is a text or bytes, so that no client library converts it.
 */
export type SqlValue = string | Uint8Array | null;

/** The columns of a row by name, each in PostgreSQL's own text form. */
export type SqlRow = Readonly<Record<string, string | null>>;

export interface SqlResult {
  readonly rows: readonly SqlRow[];
  readonly rowCount: number;
}

/**
 * Executes one statement with `$1`, `$2`, … for its values. `columns` are the names of what it
 * returns, in order: an app can make its client parse values, and rename columns, as it likes.
 */
export type Query = (
  text: string,
  values: readonly SqlValue[],
  columns?: readonly string[],
) => Promise<SqlResult>;

/** A value that a handler passes to `context.tx`. */
export type TxValue = string | number | boolean | Uint8Array | null;

/** What a statement of a handler returns, as the client of the app parses it. */
export interface TxResult {
  /** The rows; empty for a statement without any. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The number of rows that it returned or changed. */
  readonly rowCount: number;
}

/** One connection that is used by one caller only, until it is released. */
export interface Session<Client> {
  /** The connection as the client library has it. */
  readonly client: Client;
  /** Executes a statement of the store. */
  readonly query: Query;
  /** Executes a statement of a handler, with the parsers and names of the app. */
  readonly queryForHandler: (text: string, values: readonly TxValue[]) => Promise<TxResult>;
  /** Returns it to the pool, or closes it when it is broken. */
  release(isBroken: boolean): void;
}

/** What the store needs of a client library. */
export interface Driver<Client> {
  /** Largest number of connections; `null` when unknown. */
  readonly maxConnections: number | null;
  readonly query: Query;
  connect(): Promise<Session<Client>>;
}

/** Names the values of a row, which come in the order of the columns. */
export function namedRow(
  values: readonly (string | null)[],
  columns: readonly string[],
): Record<string, string | null> {
  const row: Record<string, string | null> = {};
  for (const [index, column] of columns.entries()) row[column] = values[index] ?? null;
  return row;
}
