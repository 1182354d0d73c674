/** A moment, exact to the last digit. */
export interface ExactTime {
  /** Whole seconds since the epoch. Negative before 1970. */
  readonly seconds: number;
  /** The digits after the decimal point, without zeros at the end. Empty for a whole second. */
  readonly fraction: string;
}

/**
 * What the formatters of other languages print: seconds may be left out, and so may the zone. Date,
 * its day, hour with minute, second, fraction, then sign, hours and minutes of the zone.
 */
const ISO_8601 =
  /^(\d{4}-\d\d-(\d\d))T((?:[01]\d|2[0-3]):\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?$/i;

const DAY_SECONDS = 86_400;

// Requirements: webhook-envelope.created-at, webhook-run.created-at.
/**
 * Returns the moment that an ISO 8601 text states, in the forms that the date libraries of most
 * languages print: `YYYY-MM-DDTHH:MM`, optionally `:SS`, then optionally a point and any
 * number of digits, then `Z`, `±HH:MM`, `±HHMM`, `±HH` or nothing, which is UTC. `T` and `Z` may be
 * lower-case. A leap second, `23:59:60` in UTC, is the first second of the next day.
 *
 * @returns `null` for other texts, and for a date or time that does not exist.
 */
export function parseTime(text: string): ExactTime | null {
  const [, date, day, minute, second = '00', fraction = '', sign, hours, minutes = '0'] =
    ISO_8601.exec(text) ?? [];
  if (date === undefined) return null;
  const isLeapSecond = second === '60';
  const time = Date.parse(`${date}T${minute}:${isLeapSecond ? '59' : second}Z`);
  // Date reads 30 February as 2 March.
  if (new Date(time).getUTCDate() !== Number(day)) return null;
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * 60;
  const seconds = time / 1000 - (sign === '-' ? -offset : offset) + (isLeapSecond ? 1 : 0);
  if (isLeapSecond && seconds % DAY_SECONDS !== 0) return null;
  return { seconds, fraction: withoutFinalZeros(fraction) };
}

/** Without a regular expression, which would need quadratic time for long runs of zeros. */
function withoutFinalZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * Compares two moments by all their digits: negative when `left` is earlier, 0 when they are equal.
 */
export function compareTimes(left: ExactTime, right: ExactTime): number {
  if (left.seconds !== right.seconds) return left.seconds - right.seconds;
  if (left.fraction === right.fraction) return 0;
  return left.fraction < right.fraction ? -1 : 1;
}
