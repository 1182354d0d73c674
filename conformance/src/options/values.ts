import { MIN_SECRET_LENGTH } from '../redaction/secret-forms.ts';
import { FIXTURE_NAMES, KEY_NAMES } from './facts.ts';
import type { FixtureName, KeyName } from './facts.ts';

/** An absolute http(s) URL, without a trailing slash. Throws `TypeError`. */
export function httpUrl(name: string, value: string, allowed: 'query' | 'no-query'): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `${name} must be a URL such as https://api.example.com, got ${JSON.stringify(value)}.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(`${name} must not contain a user name or password: remove them.`);
  }
  if (url.hash !== '' || (allowed === 'no-query' && url.search !== '')) {
    const parts = allowed === 'query' ? 'a fragment' : 'a query or fragment';
    throw new TypeError(`${name} must not contain ${parts}, got ${JSON.stringify(value)}.`);
  }
  return allowed === 'query' ? url.href : url.href.replace(/\/+$/, '');
}

/** A key, token or secret, long enough to be replaced in reports without false hits. Throws `TypeError`. */
export function secret(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.length < MIN_SECRET_LENGTH) {
    throw new TypeError(
      `${name} must have at least ${MIN_SECRET_LENGTH} characters, so that reports can hide it.`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new TypeError(
      `${name} must contain visible ASCII characters only. Check for a trailing line break.`,
    );
  }
  return value;
}

/** A number greater than zero. Throws `TypeError`. */
export function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new TypeError(`${name} must be a number greater than 0, got ${value}.`);
}

/** The parsed `fixtures.json`: ids by name, and `keys`. Throws `TypeError`, also for unknown names. */
export function fixturesFrom(given: object): {
  readonly fixtures: Partial<Record<FixtureName, string>>;
  readonly keys: Partial<Record<KeyName, string>>;
} {
  const entries = Object.entries(given);
  const keys: unknown = entries.find(([name]) => name === 'keys')?.[1] ?? {};
  const fixtures = Object.fromEntries(entries.filter(([name]) => name !== 'keys'));
  if (typeof keys !== 'object' || keys === null) {
    throw new TypeError(`fixtures.keys must be an object of keys by name, got ${String(keys)}.`);
  }
  return {
    fixtures: named('fixtures', FIXTURE_NAMES, fixtures),
    keys: named('fixtures.keys', KEY_NAMES, keys),
  };
}

/** The entries of `given`: every name is known, every value a non-empty string. Throws `TypeError`. */
export function named<Name extends string>(
  what: string,
  names: readonly Name[],
  given: object,
): Partial<Record<Name, string>> {
  const known: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(given)) {
    const match = names.find((candidate) => candidate === name);
    if (match === undefined) {
      throw new TypeError(`Unknown ${what}.${name}; expected one of ${names.join(', ')}.`);
    }
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`${what}.${name} must be a non-empty string.`);
    }
    known[match] = value;
  }
  return known;
}
