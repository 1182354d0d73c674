import { invalidValue } from '../../errors.ts';

/** The values by which runs are listed. */
export const SORTS = ['createdAt', 'completedAt'] as const;

/** The order of a list of runs. */
export interface RunOrder {
  readonly sort: (typeof SORTS)[number];
  readonly order: 'desc' | 'asc';
}

/** A position in a list: behind the run with this value and id. A run without the value has an empty one. */
export interface Position extends RunOrder {
  readonly value: string;
  readonly id: string;
  /** The latest value of the list when it was begun. Runs with a later one count as without it. */
  readonly latest: string;
  /** When the list was begun, in milliseconds since the epoch. `now` is this time on all its pages. */
  readonly begunAt: number;
}

const VERSION = 3;

/** Returns the cursor of the page behind a position. Callers pass it back unchanged. */
export function writeCursor({ sort, order, value, id, latest, begunAt }: Position): string {
  const fields = [VERSION, sort, order, value, id, latest, begunAt];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/**
 * Reads a cursor.
 *
 * @throws {ApiError} `invalid_value` for a text that {@link writeCursor} does not write
 */
export function readCursor(text: string): Position {
  const position = parsePosition(text);
  if (position !== undefined && writeCursor(position) === text) return position;
  throw invalidValue('cursor', 'must be a nextCursor of this list', 'Omit it for the first page.');
}

function parsePosition(text: string): Position | undefined {
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
 * Returns the order of two positions of one list: by value, then by id. Descending lists have the smallest id
 * first, as all lists of the API, and an ascending list is the exact reverse.
 */
export function comparePositions(
  { order }: Pick<RunOrder, 'order'>,
  a: Pick<Position, 'value' | 'id'>,
  b: Pick<Position, 'value' | 'id'>,
): number {
  const sign = order === 'asc' ? 1 : -1;
  if (a.value !== b.value) return a.value < b.value ? -sign : sign;
  if (a.id === b.id) return 0;
  return a.id < b.id ? sign : -sign;
}
