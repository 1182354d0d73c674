import { DAY_SECONDS, daysSinceEpoch, isDate } from './iso-calendar.ts';
import { readAnySpelling, withoutFinalZeros } from './iso-spellings.ts';
import type { ExactTime } from './iso-spellings.ts';

/** The moment that an ISO 8601 text states, exact to the last digit. */
export interface IsoTime extends ExactTime {
  /**
   * True for `YYYY-MM-DDTHH:MM:SS`, then optionally a point and digits, then `Z` or `±HH:MM`. Most
   * languages read only this spelling. It has no leap second and no hour 24.
   */
  readonly isUsual: boolean;
}

const USUAL = /^\d{4}-\d\d-\d\dT[0-2]\d:[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
/** Length of `YYYY-MM-DDTHH:MM:SS`. */
const SECONDS_END = 19;

/**
 * Returns the moment that a text states in any of these spellings of ISO 8601; `null` for other texts:
 *
 * - a calendar, week or ordinal date, in the basic or the extended format;
 * - the time down to hours, minutes or seconds, with a fraction of the last of them, of any length,
 *   after a point or a comma; `24:00` as the end of a day; second 60 at the end of a UTC day;
 * - `Z` or an offset in hours, minutes or seconds; a time without either is read as UTC;
 * - letters in lower or upper case.
 *
 * A date without a time is its first moment.
 *
 * Requirements: `webhook-envelope.created-at`, `webhook-run.created-at`.
 *
 * @example
 * ```ts
 * import { parseIsoTime } from '@hookproof/receiver/order';
 *
 * const time = parseIsoTime('20260701t1400,5+02');
 * console.log(time?.seconds, time?.isUsual); // 1782907230 false
 * ```
 */
export function parseIsoTime(text: string): IsoTime | null {
  const usual = USUAL.test(text) ? readUsualSpelling(text) : null;
  if (usual !== null) return usual;
  const time = readAnySpelling(text);
  return time && { ...time, isUsual: false };
}

/**
 * Compares two moments by all their digits: negative when `left` is earlier, 0 when they are equal.
 *
 * @example
 * ```ts
 * import { compareIsoTimes, parseIsoTime } from '@hookproof/receiver/order';
 *
 * const [first, second] = ['12:00:00.0000001Z', '12:00:00.0000002Z'].map((time) =>
 *   parseIsoTime(`2026-07-01T${time}`),
 * );
 * if (first && second) console.log(compareIsoTimes(first, second) < 0); // true
 * ```
 */
export function compareIsoTimes(left: ExactTime, right: ExactTime): number {
  if (left.seconds !== right.seconds) return left.seconds - right.seconds;
  if (left.isLeapSecond !== right.isLeapSecond) return left.isLeapSecond ? 1 : -1;
  if (left.fraction === right.fraction) return 0;
  return left.fraction < right.fraction ? -1 : 1;
}

/** Returns `null` for hour 24 and for numbers that no date or offset has. */
function readUsualSpelling(text: string): IsoTime | null {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const [month, day, hour] = [twoDigits(text, 5), twoDigits(text, 8), twoDigits(text, 11)];
  const offset = text.endsWith('Z') ? 0 : offsetSeconds(text);
  if (!isDate(year, month, day) || hour > 23 || Number.isNaN(offset)) return null;
  const zone = text.length - (text.endsWith('Z') ? 1 : 6);
  const seconds =
    daysSinceEpoch(year, month, day) * DAY_SECONDS +
    hour * 3600 +
    twoDigits(text, 14) * 60 +
    twoDigits(text, 17) -
    offset;
  const fraction = withoutFinalZeros(text.slice(SECONDS_END + 1, zone));
  return { seconds, fraction, isLeapSecond: false, isUsual: true };
}

/** Returns the offset of `±HH:MM` at the end of a text; `NaN` when there is no such offset. */
function offsetSeconds(text: string): number {
  const sign = text.length - 6;
  const [hours, minutes] = [twoDigits(text, sign + 1), twoDigits(text, sign + 4)];
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (hours * 3600 + minutes * 60) * (text[sign] === '-' ? -1 : 1);
}

function twoDigits(text: string, index: number): number {
  return text.charCodeAt(index) * 10 + text.charCodeAt(index + 1) - 528;
}
