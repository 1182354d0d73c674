import { invalidValue } from '../../errors.ts';

/** The part of a list that a request wants. */
export interface PageRequest {
  /** Undefined for all entries. */
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
  readonly order: 'oldest' | 'newest';
}

/** A part of a list. */
export interface Page<View> {
  readonly data: readonly View[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

interface Listed {
  readonly id: string;
  readonly createdAt: string;
}

/** Reads the part of a list from a query that its schema accepts. */
export function readPageRequest({
  limit,
  cursor,
  order,
}: Readonly<Record<string, unknown>>): PageRequest {
  return {
    limit: typeof limit === 'number' ? limit : undefined,
    cursor: typeof cursor === 'string' ? cursor : undefined,
    order: order === 'newest' ? 'newest' : 'oldest',
  };
}

/**
 * Returns a page of records.
 *
 * @param records - oldest first
 * @throws {ApiError} 400 for a malformed cursor
 */
export function pageOf<T extends Listed, View>(
  records: readonly T[],
  request: PageRequest,
  view: (record: T) => View,
): Page<View> {
  return pageBy((record) => record, records, request, view);
}

/** Returns a page of records whose id and time `placeOf` returns. Otherwise like {@link pageOf}. */
export function pageBy<T, View>(
  placeOf: (record: T) => Listed,
  records: readonly T[],
  { limit = Number.POSITIVE_INFINITY, cursor, order }: PageRequest,
  view: (record: T) => View,
): Page<View> {
  const ordered = order === 'newest' ? records.toReversed() : records;
  const start =
    cursor === undefined ? 0 : placeAfter(readCursor(cursor), ordered.map(placeOf), order);
  const rows = ordered.slice(start, start + limit);
  const last = rows.at(-1);
  const data = rows.map(view);
  if (last === undefined || start + rows.length >= ordered.length) return { data };
  return { data, nextCursor: writeCursor(placeOf(last)) };
}

/** If the record is gone, the records of the same time can come again, so that none is left out. */
function placeAfter(
  { id, createdAt }: Listed,
  ordered: readonly Listed[],
  order: PageRequest['order'],
): number {
  const found = ordered.findIndex((record) => record.id === id);
  if (found !== -1) return found + 1;
  const next = ordered.findIndex((record) =>
    order === 'newest' ? record.createdAt <= createdAt : record.createdAt >= createdAt,
  );
  return next === -1 ? ordered.length : next;
}

function writeCursor({ id, createdAt }: Listed): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

function readCursor(text: string): Listed {
  const [createdAt = '', id, ...rest] = Buffer.from(text, 'base64url').toString().split(' ');
  if (id === undefined || rest.length > 0 || Number.isNaN(Date.parse(createdAt))) {
    throw invalidValue('cursor', 'must be the nextCursor of a page of this list');
  }
  return { id, createdAt };
}
