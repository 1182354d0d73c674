import type { SqlRow, SqlValue } from './driver.ts';

export const NOW = 'statement_timestamp()';
export const MILLISECOND = "interval '1 millisecond'";

/**
 * Longest wait for a job that a transaction of the user locks. Then each call goes alone, and only
 * its own waits.
 */
export const LOCK_TIMEOUT = "set_config('lock_timeout', '2s', true)";

/** What a statement returns, by name. */
export interface Columns {
  /** For its `SELECT`. */
  readonly list: string;
  /** For the query, in the same order. */
  readonly names: readonly string[];
}

export function columns(expressions: Readonly<Record<string, string>>): Columns {
  return { list: Object.values(expressions).join(', '), names: Object.keys(expressions) };
}

/** An expression for a time, in milliseconds since the epoch. */
export function epoch(time: string): string {
  return `floor(extract(epoch FROM ${time}) * 1000)::bigint`;
}

/** An expression for an interval in milliseconds. */
export function milliseconds(interval: string): string {
  return `(extract(epoch FROM ${interval}) * 1000)::float8`;
}

/**
 * Returns bytes that the statement encoded as `base64`: a setting of the server decides on their
 * own form.
 */
export function bytesOrNull(row: SqlRow, column: string): Uint8Array | null {
  const value = row[column];
  return value == null ? null : Uint8Array.from(Buffer.from(value, 'base64'));
}

/**
 * Returns the values as the text of a JSON parameter. PostgreSQL keeps neither NUL nor half a
 * surrogate pair.
 */
export function json(values: object): string {
  return JSON.stringify(values, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(UNSTORABLE, '\uFFFD') : value,
  );
}

// oxlint-disable-next-line no-control-regex -- NUL is the character that PostgreSQL refuses.
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/** Returns numbers as the text of an array. */
export function numbers(values: readonly string[]): SqlValue {
  return `{${values.join(',')}}`;
}
