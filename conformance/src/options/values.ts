import { FIXTURE_NAMES, KEY_NAMES } from './facts.ts';
import type { FixtureName, KeyName } from './facts.ts';
import { MIN_SECRET_LENGTH } from '../redaction/secret-forms.ts';

/** An absolute http(s) address; a trailing slash is dropped. Throws `TypeError`. */
export function address(name: string, text: string, allowed: 'query' | 'no-query'): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `${name}: expected an address such as https://api.example.com, got "${text}"`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(`${name}: expected an address without user name and password`);
  }
  if (url.hash !== '' || (allowed === 'no-query' && url.search !== '')) {
    throw new TypeError(`${name}: expected an address without query and fragment, got "${text}"`);
  }
  return allowed === 'query' ? url.href : url.href.replace(/\/+$/, '');
}

/** A key, token or secret: long enough to be found and replaced in reports without false hits. Throws `TypeError`. */
export function secret(name: string, text: unknown): string {
  if (typeof text !== 'string' || text.length < MIN_SECRET_LENGTH) {
    throw new TypeError(
      `${name}: expected at least ${MIN_SECRET_LENGTH} characters, so that reports can be kept free of it`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new TypeError(`${name}: expected visible ASCII characters; is there a stray line end?`);
  }
  return text;
}

/** A number greater than zero. Throws `TypeError`. */
export function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new TypeError(`${name}: expected a number above 0, got ${value}`);
}

/** The parsed `fixtures.json`: ids by name, and `keys`. Unknown names are refused. Throws `TypeError`. */
export function fixturesFrom(given: object): {
  readonly fixtures: Partial<Record<FixtureName, string>>;
  readonly keys: Partial<Record<KeyName, string>>;
} {
  const entries = Object.entries(given);
  const keys: unknown = entries.find(([name]) => name === 'keys')?.[1] ?? {};
  const fixtures = Object.fromEntries(entries.filter(([name]) => name !== 'keys'));
  if (typeof keys !== 'object' || keys === null) {
    throw new TypeError('fixtures.keys: expected an object of keys by name');
  }
  return {
    fixtures: named('fixtures', FIXTURE_NAMES, fixtures),
    keys: named('fixtures.keys', KEY_NAMES, keys),
  };
}

/** The entries of `given`, all of them known by name and non-empty strings. Throws `TypeError`. */
export function named<Name extends string>(
  what: string,
  names: readonly Name[],
  given: object,
): Partial<Record<Name, string>> {
  const known: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(given)) {
    const match = names.find((candidate) => candidate === name);
    if (match === undefined) {
      throw new TypeError(`${what}.${name} is not known; known are ${names.join(', ')}`);
    }
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`${what}.${name}: expected a non-empty string`);
    }
    known[match] = value;
  }
  return known;
}
