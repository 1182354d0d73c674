import {
  DAY_SECONDS,
  daysOfOrdinalDate,
  daysOfWeekDate,
  daysSinceEpoch,
  isDate,
} from './iso-calendar.ts';

/** A moment, exact to the last digit. */
export interface ExactTime {
  /** Whole seconds since the epoch. Negative before 1970. */
  readonly seconds: number;
  /** The digits after the decimal sign, without zeros at the end. Empty for a whole second. */
  readonly fraction: string;
  /** True for second 60: `seconds` is then the second before it. */
  readonly isLeapSecond: boolean;
}

const DATE =
  /^(?<year>\d{4})(?<dash>-?)(?:(?<month>\d\d)\k<dash>(?<day>\d\d)|W(?<week>\d\d)\k<dash>(?<weekday>\d)|(?<ordinal>\d{3}))$/i;
const TIME =
  /^(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d))?)?(?:[.,](?<fraction>\d+))?(?<zone>Z|(?<sign>[+\u2212-])(?<hours>\d\d)(?::?(?<minutes>\d\d)(?::?(?<seconds>\d\d))?)?)?$/i;

type Groups = Readonly<Record<string, string | undefined>>;

/** Reads every spelling of ISO 8601 that `parseIsoTime` documents. Returns `null` for other texts. */
export function readAnySpelling(text: string): ExactTime | null {
  const [date = '', time, ...more] = text.split(/T/i);
  const days = readDate(DATE.exec(date)?.groups);
  if (days === null || more.length > 0) return null;
  if (time === undefined) return { seconds: days * DAY_SECONDS, fraction: '', isLeapSecond: false };
  const groups = TIME.exec(time)?.groups;
  return groups === undefined ? null : readTime(days, groups);
}

function readDate(groups: Groups | undefined): number | null {
  if (groups === undefined) return null;
  const year = Number(groups['year']);
  const { month, day, week, weekday, ordinal } = groups;
  if (ordinal !== undefined) return daysOfOrdinalDate(year, Number(ordinal));
  if (week !== undefined) return daysOfWeekDate(year, Number(week), Number(weekday));
  if (!isDate(year, Number(month), Number(day))) return null;
  return daysSinceEpoch(year, Number(month), Number(day));
}

function readTime(days: number, groups: Groups): ExactTime | null {
  const [hour, minute, second] = [
    number(groups['hour']),
    number(groups['minute']),
    number(groups['second']),
  ];
  const [hours, minutes, seconds] = [
    number(groups['hours']),
    number(groups['minutes']),
    number(groups['seconds']),
  ];
  if (minute > 59 || second > 60 || hours > 23 || minutes > 59 || seconds > 59) return null;
  const { carry, fraction } = fractionOfSecond(groups);
  const isEndOfDay = hour === 24 && minute + second + carry === 0 && fraction === '';
  if (hour > 23 && !isEndOfDay) return null;
  const isLeapSecond = second === 60;
  const offset = (hours * 3600 + minutes * 60 + seconds) * (groups['sign'] === '+' ? 1 : -1);
  const local = hour * 3600 + minute * 60 + second + carry - (isLeapSecond ? 1 : 0);
  const utc = days * DAY_SECONDS + local - offset;
  // Leap seconds are inserted at the end of a UTC day.
  if (isLeapSecond && (utc + 1) % DAY_SECONDS !== 0) return null;
  return { seconds: utc, fraction, isLeapSecond };
}

function number(digits = '0'): number {
  return Number(digits);
}

/** A fraction belongs to the last unit that is stated: the hour, the minute or the second. */
function fractionOfSecond({ minute, second, fraction = '' }: Groups): {
  readonly carry: number;
  readonly fraction: string;
} {
  if (second !== undefined) return { carry: 0, fraction: withoutFinalZeros(fraction) };
  const unit = minute === undefined ? 3600 : 60;
  let carry = 0;
  let product = '';
  for (let index = fraction.length - 1; index >= 0; index -= 1) {
    carry += Number(fraction[index]) * unit;
    product = `${carry % 10}${product}`;
    carry = Math.floor(carry / 10);
  }
  return { carry, fraction: withoutFinalZeros(product) };
}

/** Without a regular expression, which would need quadratic time for long runs of zeros. */
export function withoutFinalZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}
