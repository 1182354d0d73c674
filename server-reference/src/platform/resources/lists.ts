import { badRequest } from '../http/api-error.ts';

/** The query parameters that every list knows. */
export interface Paging {
  readonly limit?: number;
  readonly offset?: number;
}

/** What `limit` is when the caller does not say. */
export const DEFAULT_LIMIT = 50;

/** A part of a list, and where in the whole list it stands. */
export interface Page<T> {
  readonly entries: T[];
  /** Of the whole list. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** Cuts one page out of a list that is in order already; an offset past its end gives an empty page. */
export function cutPage<T>(
  list: readonly T[],
  { limit = DEFAULT_LIMIT, offset = 0 }: Paging,
): Page<T> {
  return { entries: list.slice(offset, offset + limit), total: list.length, limit, offset };
}

/**
 * Reads a list of known words with commas between them.
 *
 * @param what - what one of the words is, such as `review status`
 * @returns null when the parameter was not given
 * @throws {ApiError} 400 for a word that is not known, the empty one included
 */
export function readWords<Word extends string>(
  list: string | undefined,
  field: string,
  what: string,
  known: readonly Word[],
): ReadonlySet<Word> | null {
  if (list === undefined) return null;
  const words = list.split(',');
  const wanted = known.filter((word) => words.includes(word));
  const unknown = words.find((word) => !known.some((one) => one === word));
  if (unknown === undefined) return new Set(wanted);
  throw badRequest(
    'invalid_value',
    field,
    `${JSON.stringify(unknown)} is not a ${what}`,
    `Separate them by commas alone; there are ${known.join(', ')}.`,
  );
}
