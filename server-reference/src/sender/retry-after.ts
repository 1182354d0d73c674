/** No endpoint can put its next attempt off for longer than an hour. */
export const RETRY_AFTER_CAP_SECONDS = 3_600;

/** What a `Retry-After` asked for, and what is granted; both in seconds. */
export interface RetryAfter {
  readonly asked: number;
  readonly used: number;
}

const DELAY_SECONDS = /^[0-9]{1,10}$/;

/**
 * Reads the `Retry-After` headers of an answer: a whole number of seconds, or a date in the form that
 * HTTP prefers (`Sun, 06 Nov 1994 08:49:37 GMT`). Anything else, or more than one header, is ignored.
 */
export function readRetryAfter(values: readonly string[], now: number): RetryAfter | null {
  const [value] = values;
  if (value === undefined || values.length > 1) return null;
  const asked = DELAY_SECONDS.test(value) ? Number(value) : secondsUntil(value, now);
  return asked === null ? null : { asked, used: Math.min(asked, RETRY_AFTER_CAP_SECONDS) };
}

function secondsUntil(date: string, now: number): number | null {
  const time = Date.parse(date);
  if (Number.isNaN(time) || new Date(time).toUTCString() !== date) return null;
  return Math.max(0, Math.ceil((time - now) / 1000));
}

/** The wait before the next attempt, in milliseconds: `Retry-After` is a floor, never a shortcut. */
export function retryDelay(backoffMilliseconds: number, retryAfter: RetryAfter | null): number {
  return Math.max(backoffMilliseconds, (retryAfter?.used ?? 0) * 1000);
}
