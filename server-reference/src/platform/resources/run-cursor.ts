import { badRequest } from '../http/api-error.ts';

/** The values by which runs are listed. */
export const SORTS = ['createdAt', 'completedAt'] as const;

/** The order of a list of runs. */
export interface RunOrder {
  readonly sort: (typeof SORTS)[number];
  readonly order: 'desc' | 'asc';
}

/** A place in a list: behind the run with this value and id. A run without the value has an empty one. */
export interface Place extends RunOrder {
  readonly value: string;
  readonly id: string;
  /** The latest value of the list when it was begun. Runs with a later one count as without it. */
  readonly latest: string;
  /** When the list was begun, in milliseconds since the epoch. `now` is this time on all its pages. */
  readonly begunAt: number;
}

const VERSION = 3;

/** Returns the cursor of the page behind a place. Callers pass it back unchanged. */
export function writeCursor({ sort, order, value, id, latest, begunAt }: Place): string {
  const fields = [VERSION, sort, order, value, id, latest, begunAt];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/**
 * Reads a cursor.
 *
 * @throws {ApiError} 400 `invalid_value` for a text that {@link writeCursor} does not write
 */
export function readCursor(text: string): Place {
  const place = parsePlace(text);
  if (place !== undefined && writeCursor(place) === text) return place;
  throw badRequest(
    'invalid_value',
    'cursor',
    'must be a nextCursor of this list',
    'Omit it for the first page.',
  );
}

function parsePlace(text: string): Place | undefined {
  const fields = parseFields(Buffer.from(text, 'base64url').toString());
  const sort = SORTS.find((one) => one === fields[1]);
  const [, , order, value, id, latest, begunAt] = fields;
  if (sort === undefined || !isText(value) || !isText(id) || !isText(latest)) return undefined;
  if ((order !== 'asc' && order !== 'desc') || !Number.isSafeInteger(begunAt)) return undefined;
  return { sort, order, value, id, latest, begunAt: Number(begunAt) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function parseFields(json: string): readonly unknown[] {
  try {
    const fields: unknown = JSON.parse(json);
    return Array.isArray(fields) ? fields : [];
  } catch {
    return [];
  }
}

/**
 * Returns the order of two places of one list: by value, then by id. Descending lists have the smallest id
 * first, as all lists of the API, and an ascending list is the exact reverse.
 */
export function comparePlaces(
  { order }: Pick<RunOrder, 'order'>,
  one: Pick<Place, 'value' | 'id'>,
  other: Pick<Place, 'value' | 'id'>,
): number {
  const sign = order === 'asc' ? 1 : -1;
  if (one.value !== other.value) return one.value < other.value ? -sign : sign;
  if (one.id === other.id) return 0;
  return one.id < other.id ? sign : -sign;
}
