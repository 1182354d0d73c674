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
