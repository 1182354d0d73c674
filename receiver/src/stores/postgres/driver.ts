/** A value that every client library sends without a conversion of its own. */
export type SqlValue = string | number | boolean | Uint8Array | null;

export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlResult {
  readonly rows: readonly SqlRow[];
  readonly rowCount: number;
}

/** Executes one statement with `$1`, `$2`, … for its values. */
export type Query = (text: string, values: readonly SqlValue[]) => Promise<SqlResult>;

/** One connection that is used by one caller only, until it is released. */
export interface Session<Client> {
  /** The connection as the client library has it. */
  readonly client: Client;
  readonly query: Query;
  /** Returns it to the pool, or closes it when it is broken. */
  release(isBroken: boolean): void;
}

/** What the store needs of a client library. */
export interface Driver<Client> {
  /** Largest number of connections; `null` when unknown. */
  readonly maxConnections: number | null;
  readonly query: Query;
  connect(): Promise<Session<Client>>;
  /**
   * Receives messages on a channel until the returned function is called. `onEnd` is called when the
   * connection breaks.
   */
  listen(channel: string, onMessage: (payload: string) => void, onEnd: () => void): Promise<Stop>;
}

export type Stop = () => Promise<void>;

/**
 * Returns the array as PostgreSQL's text form of an array. Every library sends a text unchanged, but
 * each has rules of its own for arrays. PostgreSQL has no NUL in texts, so it becomes U+FFFD.
 */
export function textArray(values: readonly (string | number | null)[]): string {
  const quoted = values.map((value) => {
    if (value === null) return 'NULL';
    if (typeof value === 'number') return String(value);
    if (!SPECIAL.test(value)) return `"${value}"`;
    return `"${value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\0', '\uFFFD')}"`;
  });
  return `{${quoted.join(',')}}`;
}

// oxlint-disable-next-line no-control-regex -- NUL is the character that PostgreSQL refuses.
const SPECIAL = /["\\\0]/;
