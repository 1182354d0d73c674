/** Seconds of a day, leap seconds not counted. */
export const DAY_SECONDS = 86_400;

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Returns true when the month of this year has this day. Years count from 0, months and days from 1. */
export function isDate(year: number, month: number, day: number): boolean {
  const days = (MONTH_DAYS[month - 1] ?? 0) + (month === 2 && isLeapYear(year) ? 1 : 0);
  return day >= 1 && day <= days;
}

/** Returns the days from 1970-01-01 to a date of the Gregorian calendar. */
export function daysSinceEpoch(year: number, month: number, day: number): number {
  // A year that starts in March has its leap day at the end, so every month starts at a fixed formula.
  const marchYear = month > 2 ? year : year - 1;
  const monthsSinceMarch = (month + 9) % 12;
  const leapDays =
    Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return (
    marchYear * 365 + leapDays + Math.floor((153 * monthsSinceMarch + 2) / 5) + day - 1 - 719_468
  );
}

/** Returns the days from 1970-01-01 to a day of an ISO week; `null` when the year does not have it. */
export function daysOfWeekDate(year: number, week: number, weekday: number): number | null {
  const first = firstMonday(year);
  const day = first + (week - 1) * 7 + weekday - 1;
  const exists = week >= 1 && day < firstMonday(year + 1) && weekday >= 1 && weekday <= 7;
  return exists ? day : null;
}

/** Returns the days from 1970-01-01 to a day of a year; `null` when the year does not have it. */
export function daysOfOrdinalDate(year: number, day: number): number | null {
  const exists = day >= 1 && day <= (isLeapYear(year) ? 366 : 365);
  return exists ? daysSinceEpoch(year, 1, 1) + day - 1 : null;
}

/** Returns the Monday of the week with 4 January, which is the first week of the year. */
function firstMonday(year: number): number {
  const fourth = daysSinceEpoch(year, 1, 4);
  // 1970-01-01 was a Thursday.
  const daysAfterMonday = (((fourth + 3) % 7) + 7) % 7;
  return fourth - daysAfterMonday;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
