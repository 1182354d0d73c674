import { InvalidArgumentError } from 'commander';

/** A whole number within bounds, written in plain digits. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]{1,15}$/.test(text) || value < low || value > high) {
      throw new InvalidArgumentError(`Expected a whole number from ${low} to ${high}.`);
    }
    return value;
  };
}

/** So many requests in so many seconds. */
export interface Rate {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** A rate such as `100/60`: 1 or more requests in 1 to 86400 seconds. */
export function rate(text: string): Rate {
  const [, requests = 0, windowSeconds = 0] = (/^([0-9]{1,9})\/([0-9]{1,5})$/.exec(text) ?? []).map(
    Number,
  );
  if (requests < 1 || windowSeconds < 1 || windowSeconds > 86_400) {
    throw new InvalidArgumentError('Expected requests/seconds such as 100/60, at most a day.');
  }
  return { requests, windowSeconds };
}

const UTC_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?Z$/;

/** A moment in UTC such as `2026-07-01T00:00:00Z`, as milliseconds since the epoch. */
export function utcTime(text: string): number {
  const time = UTC_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('Expected a moment in UTC such as 2026-07-01T00:00:00Z.');
  }
  return time;
}

/** An absolute http or https address without credentials, query or fragment; a trailing slash is dropped. */
export function httpAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('Expected an address such as http://127.0.0.1:4010.');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('Expected an address without user name, query and fragment.');
  }
  return url.href.replace(/\/$/, '');
}

/** Adds one more value of an option that may be given several times, or as a comma-separated list. */
export function list(text: string, before: readonly string[] = []): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('Expected names separated by commas.');
  return [...before, ...items];
}
