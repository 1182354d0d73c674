import { isoTime } from '../../clock/clock.ts';
import { invalidValue } from '../../errors.ts';

const RELATIVE = /^now(?:-(\d{1,6})([mhdw]))?$/;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE,
  h: 60 * MINUTE,
  d: 1_440 * MINUTE,
  w: 10_080 * MINUTE,
};

/**
 * Reads a bound of a time filter: a time in ISO 8601, in UTC unless it has an offset; `now`; or a time before
 * now such as `now-30d`, with the units `m`, `h`, `d` and `w`.
 *
 * @param field - the request field with the text
 * @param now - milliseconds since the epoch
 * @returns the time in the form of all stored times, so that both can be compared as strings
 * @throws {ApiError} `invalid_value`
 */
export function readTime(text: string, field: string, now: number): string {
  const [relative, count = '0', unit = 'm'] = RELATIVE.exec(text) ?? [];
  const time =
    relative === undefined ? parseIso(text) : now - Number(count) * (UNITS[unit] ?? MINUTE);
  if (Number.isFinite(time) && Math.abs(time) <= MAX_TIME) return isoTime(time);
  throw invalidValue(
    field,
    'must be a time in ISO 8601 or a time before now such as now-30d',
    'The units are m, h, d and w.',
  );
}

/** The largest time of a `Date`, in milliseconds before or after the epoch. */
const MAX_TIME = 8.64e15;

function parseIso(text: string): number {
  if (!ISO_8601.test(text) || !isDay(text.slice(0, DAY_LENGTH))) return Number.NaN;
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T');
  return Date.parse(hasZone ? text : `${text}Z`);
}

const DAY_LENGTH = 'yyyy-mm-dd'.length;

/** `Date.parse` takes February 30 for March 2. */
function isDay(day: string): boolean {
  const time = Date.parse(day);
  return Number.isFinite(time) && isoTime(time).startsWith(day);
}
