import { invalidValue } from '../errors.ts';

/** The query parameters of every list. */
export interface Paging {
  readonly limit?: number;
  readonly offset?: number;
}

/** The default of `limit`. */
export const DEFAULT_LIMIT = 50;

/** A page of a list. */
export interface Page<T> {
  readonly entries: T[];
  /** The length of the whole list. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** Returns a page of an ordered list. An offset past the end gives an empty page. */
export function cutPage<T>(
  list: readonly T[],
  { limit = DEFAULT_LIMIT, offset = 0 }: Paging,
): Page<T> {
  return { entries: list.slice(offset, offset + limit), total: list.length, limit, offset };
}

/** Returns the records of a list in the order of all lists: newest first, then by id. */
export function newestFirst<T extends { readonly id: string; readonly createdAt: string }>(
  records: readonly T[],
): T[] {
  return records.toSorted((a, b) => {
    if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
    return a.id < b.id ? -1 : 1;
  });
}

/**
 * Reads a comma-separated list of known words.
 *
 * @param what - the kind of word, such as `review status`
 * @returns null if the parameter is absent
 * @throws {ApiError} `invalid_value` for an unknown or empty word
 */
export function readWords<Word extends string>(
  list: string | undefined,
  field: string,
  what: string,
  known: readonly Word[],
): ReadonlySet<Word> | null {
  if (list === undefined) return null;
  const words = list.split(',');
  const selected = known.filter((word) => words.includes(word));
  const unknown = words.find((word) => !known.some((value) => value === word));
  if (unknown === undefined) return new Set(selected);
  throw invalidValue(
    field,
    `${JSON.stringify(unknown)} is not a ${what}`,
    `Separate values with commas only; the values are ${known.join(', ')}.`,
  );
}
