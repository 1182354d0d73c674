import { WebhookVerificationError } from './errors.ts';
import type { VerificationErrorCode } from './errors.ts';

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
  | { readonly req: RawHeaders }
  | { readonly raw: RawHeaders }
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** One of the three signature headers, by what follows `webhook-` in its name. */
type HeaderPart = 'id' | 'timestamp' | 'signature';

type Found = Partial<Record<HeaderPart, string>>;

/**
 * The signature headers of one delivery, each present once and well-formed. They are not authentic before
 * `verifySignature` has accepted them with the body. Only `checkHeaders` creates them.
 */
export class CheckedHeaders {
  /** The event id that the delivery claims. */
  declare readonly id: string;
  /** When the delivery claims to have been signed, in seconds since the epoch. */
  declare readonly timestamp: number;
  /** The 32 bytes of the digest that the delivery claims. */
  declare readonly digest: Uint8Array<ArrayBuffer>;
  /** Only instances have this type. */
  declare private readonly checked: true;

  constructor(id: string, timestamp: number, digest: Uint8Array<ArrayBuffer>) {
    this.id = id;
    this.timestamp = timestamp;
    this.digest = digest;
  }
}

/** The form of each signature header, and its description for messages. */
const FORMS = {
  // Without a comma, a header that a proxy repeated and joined with commas never passes as one id.
  id: [/^[!-+\--~]{1,256}$/, '1 to 256 visible ASCII characters, no comma'],
  // Each number has one spelling, so the number stands for the text in the signed message.
  timestamp: [/^(?:0|[1-9]\d{0,11})$/, 'Unix seconds, 1 to 12 digits'],
  // `readDigest` checks the digits: a pattern for them costs more than all other forms together.
  signature: [/^v1,/, '"v1," and 64 hex digits'],
} as const;

const MAX_QUOTED_CHARACTERS = 40;
const DIGITS_START = 3;
const SIGNATURE_LENGTH = 67;
const DIGEST_BYTES = 32;

/**
 * Returns the three signature headers, each present once and well-formed.
 *
 * @throws {WebhookVerificationError} `header_missing`, `header_repeated` or `…_malformed`.
 * @throws {TypeError} When `source` is not a source of headers.
 */
export function readHeaders(source: HeaderSource): CheckedHeaders {
  const found = findHeaders(source);
  const id = formed(found, 'id');
  const timestamp = Number(formed(found, 'timestamp'));
  const signature = formed(found, 'signature');
  return new CheckedHeaders(id, timestamp, readDigest(signature));
}

function formed(found: Found, part: HeaderPart): string {
  const value = found[part];
  if (value === undefined)
    throw headerError('header_missing', part, 'is missing. Pass all headers.');
  if (!FORMS[part][0].test(value)) throw malformed(part, value);
  return value;
}

/** Shortens and escapes the value, which is untrusted, so that a log line stays one line. */
function malformed(part: HeaderPart, value: string): WebhookVerificationError {
  const quoted = JSON.stringify(value.slice(0, MAX_QUOTED_CHARACTERS));
  return headerError(
    `${part}_malformed`,
    part,
    `must be ${FORMS[part][1]}, got ${quoted} (length ${value.length}).`,
  );
}

function headerError(
  code: VerificationErrorCode,
  part: HeaderPart,
  message: string,
): WebhookVerificationError {
  return new WebhookVerificationError(code, `Header webhook-${part} ${message}`);
}

function findHeaders(source: unknown): Found {
  if (!isObject(source)) {
    throw new TypeError(
      `headers must be a Node request, Headers or a record, got ${source === null ? source : typeof source}.`,
    );
  }
  const found: Found = {};
  const pairs = rawHeadersOf(source) ?? rawHeadersOf(source['req']) ?? rawHeadersOf(source['raw']);
  if (pairs !== undefined) {
    for (let index = 0; index < pairs.length; index += 2) {
      add(found, pairs[index], pairs[index + 1]);
    }
  } else if (typeof source['get'] === 'function') {
    for (const part in FORMS) add(found, `webhook-${part}`, source['get'](`webhook-${part}`));
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
  // The length alone excludes most other headers, without a comparison.
  if (typeof name !== 'string' || (name.length !== 10 && name.length !== 17)) return;
  const part = partNamed(name) ?? (NAME.test(name) ? partNamed(name.toLowerCase()) : undefined);
  if (part === undefined) return;
  if (Array.isArray(value)) for (const one of value) add(found, name, one);
  if (typeof value !== 'string') return;
  if (found[part] !== undefined) {
    throw headerError('header_repeated', part, 'came twice. Check for a proxy that adds it.');
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

/** Value of each ASCII hex digit by its character code, -1 for every other character. */
const HEX_VALUES = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);

/** Returns the bytes of the 64 hex digits after `v1,`. */
function readDigest(signature: string): Uint8Array<ArrayBuffer> {
  const digest = new Uint8Array(DIGEST_BYTES);
  let invalid = signature.length !== SIGNATURE_LENGTH;
  for (let index = 0; index < DIGEST_BYTES && !invalid; index += 1) {
    const place = DIGITS_START + 2 * index;
    const high = HEX_VALUES[signature.charCodeAt(place)] ?? -1;
    const low = HEX_VALUES[signature.charCodeAt(place + 1)] ?? -1;
    invalid = high < 0 || low < 0;
    digest[index] = (high << 4) | low;
  }
  if (invalid) throw malformed('signature', signature);
  return digest;
}
