import { mustBe } from './errors.ts';
import { HEADER_FORMS, headerError } from './header-forms.ts';
import type { HeaderPart } from './header-forms.ts';

/** An object with the header names and values of a Node request, alternating. */
type RawHeaders = { readonly rawHeaders: readonly string[] };

/**
 * Where the headers of a delivery come from. The first of these forms that fits is read:
 *
 * 1. anything with an array `rawHeaders`: a request of Node.js, Express or Connect;
 * 2. anything with such a request in `req` or `raw`: the context of Koa, a request of Fastify;
 * 3. anything with a function `get`: a Fetch `Headers`;
 * 4. a record of strings or arrays of strings, in any letter case: `request.headers`.
 *
 * Only the first two and `request.headersDistinct` show that a header came twice. The others join or drop
 * the values, and the delivery is refused as malformed or accepted with the value that is left.
 */
export type HeaderSource =
  | RawHeaders
  | {
      /** The request of Node.js in a context of Koa. */
      readonly req: RawHeaders;
    }
  | {
      /** The request of Node.js in a request of Fastify. */
      readonly raw: RawHeaders;
    }
  | {
      /** Returns the value of a header; `null` without one. */
      get(name: string): string | null;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

type Found = Record<HeaderPart, string | undefined>;

/**
 * The signature headers of one delivery, each present once and well-formed. They are not authentic before
 * `verifySignature` has accepted them with the body. Only `checkHeaders` creates them.
 */
export class CheckedHeaders {
  /** The event id that the delivery claims. */
  declare readonly id: string;
  /** When the delivery claims to have been signed, in seconds since the epoch. */
  declare readonly timestamp: number;
  /** The start of the signed message, before the body. */
  declare readonly head: string;
  /** The value of `webhook-signature`. */
  declare readonly signature: string;
  /** Only instances have this type. */
  declare private readonly checked: true;

  constructor(id: string, timestamp: string, signature: string) {
    this.id = id;
    this.timestamp = Number(timestamp);
    this.head = `${id}.${timestamp}.`;
    this.signature = signature;
  }
}

/**
 * Returns the three signature headers, each present once and well-formed.
 *
 * @param digest Receives the 32 bytes of the digest.
 * @throws {WebhookVerificationError} `header_missing`, `header_repeated` or `…_malformed`.
 * @throws {TypeError} When `source` is not a source of headers.
 */
export function readHeaders(source: HeaderSource, digest: Uint8Array): CheckedHeaders {
  const found = findHeaders(source);
  const id = present('id', found.id);
  if (!HEADER_FORMS.id[0].test(id)) throw headerError('id', id);
  const timestamp = present('timestamp', found.timestamp);
  if (!HEADER_FORMS.timestamp[0].test(timestamp)) {
    throw headerError('timestamp', timestamp);
  }
  const signature = present('signature', found.signature);
  if (!readDigest(signature, digest)) throw headerError('signature', signature);
  return new CheckedHeaders(id, timestamp, signature);
}

function present(part: HeaderPart, value: string | undefined): string {
  if (value === undefined) throw headerError(part);
  return value;
}

const DIGITS_START = 3;
const SIGNATURE_LENGTH = 67;

/**
 * Writes the digest in a signature header to `target`; returns false unless the header is `v1,` and 64
 * hex digits. A regular expression for the digits alone costs more.
 */
export function readDigest(signature: string, target: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_LENGTH || !signature.startsWith('v1,')) return false;
  for (let place = DIGITS_START; place < SIGNATURE_LENGTH; place += 2) {
    const byte = (hexValue(signature, place) << 4) | hexValue(signature, place + 1);
    if (byte < 0) return false;
    target[(place - DIGITS_START) / 2] = byte;
  }
  return true;
}

/** Returns the value of an ASCII hex digit in either case, -1 for any other character. */
function hexValue(text: string, place: number): number {
  const code = text.charCodeAt(place);
  const lower = code | 32;
  if (code > 47 && code < 58) return code - 48;
  return lower > 96 && lower < 103 ? lower - 87 : -1;
}

function findHeaders(source: unknown): Found {
  if (!isObject(source)) {
    throw new TypeError(
      mustBe('headers', 'a request, Headers or a record', source && typeof source),
    );
  }
  const found: Found = { id: undefined, timestamp: undefined, signature: undefined };
  const pairs = rawHeadersOf(source) ?? rawHeadersOf(source['req']) ?? rawHeadersOf(source['raw']);
  if (pairs !== undefined) {
    for (let index = 0; index < pairs.length; index += 2) {
      add(found, pairs[index], pairs[index + 1]);
    }
  } else if (typeof source['get'] === 'function') {
    for (const part in HEADER_FORMS)
      add(found, `webhook-${part}`, source['get'](`webhook-${part}`));
  } else {
    // Not Object.keys: this runs for each delivery, and an array of names costs more than the search.
    for (const name in source) add(found, name, source[name]);
  }
  return found;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function rawHeadersOf(source: unknown): readonly unknown[] | undefined {
  return isObject(source) && Array.isArray(source['rawHeaders']) ? source['rawHeaders'] : undefined;
}

function add(found: Found, name: unknown, value: unknown): void {
  // The first letter alone excludes most other headers.
  if (typeof name !== 'string' || (name[0] !== 'w' && name[0] !== 'W')) return;
  const part = partNamed(name) ?? (NAME.test(name) ? partNamed(name.toLowerCase()) : undefined);
  if (part === undefined) return;
  if (Array.isArray(value)) for (const one of value) add(found, name, one);
  if (typeof value !== 'string') return;
  if (found[part] !== undefined) {
    throw headerError(part, found[part], value);
  }
  found[part] = value;
}

/** Ignores the case of ASCII letters only: `toLowerCase` also makes a `k` of the Kelvin sign. */
const NAME = /^webhook-(?:id|timestamp|signature)$/i;

function partNamed(name: string): HeaderPart | undefined {
  switch (name) {
    case 'webhook-id':
      return 'id';
    case 'webhook-timestamp':
      return 'timestamp';
    case 'webhook-signature':
      return 'signature';
    default:
      return undefined;
  }
}
