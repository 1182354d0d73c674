import { SIGNATURE_HEADERS } from '@hookproof/spec';

import { HEADER_FORMS } from './header-grammar.ts';
import type { HeaderPart } from './header-grammar.ts';
import { malformedHeader, missingHeader, repeatedHeader } from './refusals.ts';

/**
 * Where the headers of a delivery come from: a Node request (anything with `rawHeaders`), a Fetch
 * `Headers`, or a record in any letter case whose values are strings or arrays of strings, such as
 * `request.headers` and `request.headersDistinct`.
 */
export type HeaderSource =
  | { readonly rawHeaders: readonly string[] }
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

type Found = Record<HeaderPart, string | undefined>;

/** The three signature headers, each present once and in its form. */
export function readHeaders(source: HeaderSource): Readonly<Record<HeaderPart, string>> {
  const found = findHeaders(source);
  return {
    id: checked(found, 'id'),
    timestamp: checked(found, 'timestamp'),
    signature: checked(found, 'signature'),
  };
}

function checked(found: Found, part: HeaderPart): string {
  const value = found[part];
  if (value === undefined) throw missingHeader(part);
  if (!HEADER_FORMS[part].form.test(value)) throw malformedHeader(part, value);
  return value;
}

function findHeaders(source: HeaderSource): Found {
  if (typeof source !== 'object' || source === null) {
    throw new TypeError(
      `headers must be a Node request, Headers or a record, not ${source === null ? source : typeof source}`,
    );
  }
  const found: Found = { id: undefined, timestamp: undefined, signature: undefined };
  if (isFetchHeaders(source)) {
    for (const name of Object.values(SIGNATURE_HEADERS)) add(found, name, source.get(name));
  } else if (isNodeRequest(source)) {
    const pairs = source.rawHeaders;
    for (let index = 0; index < pairs.length; index += 2) {
      add(found, pairs[index], pairs[index + 1]);
    }
  } else {
    const record: Readonly<Record<string, unknown>> = source;
    // Not Object.keys: this runs for each delivery, and an array of names costs more than the search.
    for (const name in record) add(found, name, record[name]);
  }
  return found;
}

function isFetchHeaders(source: object): source is { get(name: string): string | null } {
  return 'get' in source && typeof source.get === 'function';
}

function isNodeRequest(source: object): source is { readonly rawHeaders: readonly unknown[] } {
  return 'rawHeaders' in source && Array.isArray(source.rawHeaders);
}

function add(found: Found, name: unknown, value: unknown): void {
  // The length alone tells most other headers apart, without a change of case.
  if (typeof name !== 'string' || (name.length !== 10 && name.length !== 17)) return;
  const part = partNamed(name) ?? partNamed(name.toLowerCase());
  if (part === undefined) return;
  if (Array.isArray(value)) for (const one of value) add(found, name, one);
  if (typeof value !== 'string') return;
  if (found[part] !== undefined) throw repeatedHeader(part);
  found[part] = value;
}

function partNamed(name: string): HeaderPart | undefined {
  switch (name) {
    case SIGNATURE_HEADERS.id:
      return 'id';
    case SIGNATURE_HEADERS.timestamp:
      return 'timestamp';
    case SIGNATURE_HEADERS.signature:
      return 'signature';
    default:
      return undefined;
  }
}
