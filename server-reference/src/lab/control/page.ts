/** The part of a list that a request wants. */
export interface PageRequest {
  readonly limit: number;
  /** The number of entries before it. */
  readonly cursor: number;
  readonly order: 'oldest' | 'newest';
}

/** A part of a list. */
export interface Page<View> {
  readonly data: readonly View[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** Reads the part of a list from a query that its schema accepts. */
export function readPageRequest({
  limit = Number.POSITIVE_INFINITY,
  cursor = 0,
  order,
}: Readonly<Record<string, unknown>>): PageRequest {
  return {
    limit: Number(limit),
    cursor: Number(cursor),
    order: order === 'newest' ? 'newest' : 'oldest',
  };
}

/**
 * Returns a page of records.
 *
 * @param records - oldest first
 */
export function pageOf<T, View>(
  records: readonly T[],
  { limit, cursor, order }: PageRequest,
  view: (record: T) => View,
): Page<View> {
  const ordered = order === 'newest' ? records.toReversed() : records;
  const end = cursor + limit;
  const data = ordered.slice(cursor, end).map(view);
  return end < ordered.length ? { data, nextCursor: String(end) } : { data };
}
