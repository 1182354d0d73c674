import { COUNTED_HOURS } from './store.ts';
import type { HourCounts } from './store.ts';

const HOUR = 3_600_000;

/** Returns when the first hour that is counted begins, in milliseconds since the epoch. */
export function firstHour(now: number): number {
  return hourOf(now) - (COUNTED_HOURS - 1) * HOUR;
}

/** Returns when the hour of a time begins. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR) * HOUR;
}

/** Returns all hours that are counted, also those without anything. */
export function everyHour(now: number, counted: readonly HourCounts[]): readonly HourCounts[] {
  const byStart = new Map(counted.map((counts) => [counts.at, counts]));
  return Array.from({ length: COUNTED_HOURS }, (_, index) => {
    const at = firstHour(now) + index * HOUR;
    return byStart.get(at) ?? { at, handled: 0, failed: 0 };
  });
}
