import { SIGNATURE_HEADERS } from '../generated/constants.ts';

import { WebhookVerificationError } from './errors.ts';

/**
 * Where the headers of a delivery come from: a Node request (anything with `rawHeaders`), a Fetch
 * `Headers`, or a record in any letter case whose values are strings or arrays of strings, such as
 * `request.headers` and `request.headersDistinct`.
 */
export type HeaderSource =
  | { readonly rawHeaders: readonly string[] }
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** One of the three signature headers, by what follows `webhook-` in its name. */
type HeaderPart = 'id' | 'timestamp' | 'signature';

type Found = Record<HeaderPart, string | undefined>;

/** The form of each signature header, and its description for messages. */
const HEADER_FORMS: Readonly<
  Record<HeaderPart, { readonly form: RegExp; readonly expected: string }>
> = {
  // Without a comma, a header that a proxy repeated and joined with commas never passes as one id.
  id: { form: /^[!-+\--~]{1,256}$/, expected: '1 to 256 visible ASCII characters, no comma' },
  // Each number has one spelling.
  timestamp: { form: /^(?:0|[1-9]\d{0,11})$/, expected: 'Unix seconds, 1 to 12 digits' },
  // `readDigest` checks the digits: a pattern for them costs more than all other forms together.
  signature: { form: /^v1,/, expected: '"v1," and 64 hex digits' },
};

const MAX_QUOTED_CHARACTERS = 40;

/**
 * Returns the three signature headers, each present once and well-formed up to the digits of the digest.
 *
 * @throws {WebhookVerificationError} `header_missing`, `header_repeated` or `…_malformed`.
 * @throws {TypeError} When `source` is not a source of headers.
 */
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
  if (value === undefined) {
    throw headerError('header_missing', part, 'is missing. Pass all headers.');
  }
  if (!HEADER_FORMS[part].form.test(value)) throw malformedHeader(part, value);
  return value;
}

/** Shortens and escapes the value, which is untrusted, so that a log line stays one line. */
export function malformedHeader(part: HeaderPart, value: string): WebhookVerificationError {
  const quoted = JSON.stringify(value.slice(0, MAX_QUOTED_CHARACTERS));
  const { expected } = HEADER_FORMS[part];
  return headerError(
    `${part}_malformed`,
    part,
    `must be ${expected}, got ${quoted} (length ${value.length}).`,
  );
}

function headerError(
  code: WebhookVerificationError['code'],
  part: HeaderPart,
  message: string,
): WebhookVerificationError {
  return new WebhookVerificationError(code, `Header webhook-${part} ${message}`);
}

function findHeaders(source: HeaderSource): Found {
  if (typeof source !== 'object' || source === null) {
    throw new TypeError(
      `headers must be a Node request, Headers or a record, got ${source === null ? source : typeof source}.`,
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
  // The length alone excludes most other headers, without a change of case.
  if (typeof name !== 'string' || (name.length !== 10 && name.length !== 17)) return;
  const part = partNamed(name) ?? partNamed(name.toLowerCase());
  if (part === undefined) return;
  if (Array.isArray(value)) for (const one of value) add(found, name, one);
  if (typeof value !== 'string') return;
  if (found[part] !== undefined) {
    throw headerError('header_repeated', part, 'came twice. Check for a proxy that adds it.');
  }
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

const DIGITS_START = 3;
const SIGNATURE_LENGTH = 67;

/** Value of each ASCII hex digit by its character code, -1 for every other character. */
const HEX_VALUES = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);

/** Writes the 32 bytes of the 64 hex digits after `v1,` to `target`; returns false for any other form. */
export function readDigest(signature: string, target: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_LENGTH) return false;
  for (let position = DIGITS_START; position < SIGNATURE_LENGTH; position += 2) {
    const high = HEX_VALUES[signature.charCodeAt(position)] ?? -1;
    const low = HEX_VALUES[signature.charCodeAt(position + 1)] ?? -1;
    if (high < 0 || low < 0) return false;
    target[(position - DIGITS_START) / 2] = (high << 4) | low;
  }
  return true;
}
