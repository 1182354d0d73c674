import type { HeaderSource } from '../verify/headers.ts';

/** What the receiver reads of a request's headers beside the signature. */
export interface BodyHeaders {
  readonly contentType: string | undefined;
  /** 0 when the header is missing or not a number. */
  readonly contentLength: number;
}

interface Found {
  contentType: string | undefined;
  contentLength: string | undefined;
}

const CONTENT_TYPE = 'content-type';
const CONTENT_LENGTH = 'content-length';

/**
 * Finds the two headers in any kind of source and in any letter case. The first of several counts.
 *
 * @throws {TypeError} When `source` is not a source of headers.
 */
export function readBodyHeaders(source: HeaderSource): BodyHeaders {
  if (typeof source !== 'object' || source === null) {
    throw new TypeError('headers must be a Node request, Headers or a record. Pass all headers.');
  }
  const found: Found = { contentType: undefined, contentLength: undefined };
  if ('rawHeaders' in source && Array.isArray(source.rawHeaders)) {
    const pairs: readonly unknown[] = source.rawHeaders;
    for (let index = 0; index < pairs.length; index += 2) {
      see(found, pairs[index], pairs[index + 1]);
    }
  } else if ('get' in source && typeof source.get === 'function') {
    see(found, CONTENT_TYPE, source.get(CONTENT_TYPE));
    see(found, CONTENT_LENGTH, source.get(CONTENT_LENGTH));
  } else {
    for (const [name, value] of Object.entries(source)) see(found, name, value);
  }
  return { contentType: found.contentType, contentLength: Number(found.contentLength ?? 0) || 0 };
}

function see(found: Found, name: unknown, value: unknown): void {
  // The length alone excludes most other headers, without a change of case.
  if (typeof name !== 'string' || (name.length !== 12 && name.length !== 14)) return;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string') return;
  if (isNamed(name, CONTENT_TYPE)) found.contentType ??= first;
  else if (isNamed(name, CONTENT_LENGTH)) found.contentLength ??= first;
}

function isNamed(name: string, expected: string): boolean {
  return name === expected || name.toLowerCase() === expected;
}
