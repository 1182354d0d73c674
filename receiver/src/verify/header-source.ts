import { SIGNATURE_HEADERS } from '@hookproof/spec';

import { WebhookVerificationError } from '../errors.ts';

/**
 * Where the headers of a delivery come from: a Node request (anything with `rawHeaders`), a Fetch
 * `Headers`, or a record in any letter case whose values are strings or arrays of strings, such as
 * `request.headers` and `request.headersDistinct`.
 */
export type HeaderSource =
  | { readonly rawHeaders: readonly string[] }
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The values of the three signature headers, each present exactly once, forms unchecked. */
export interface ReceivedHeaders {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

type Part = keyof ReceivedHeaders;
type Found = Record<Part, string | undefined>;

/** Finds the three headers, or throws `header_missing` or `header_repeated`. */
export function readHeaders(source: HeaderSource): ReceivedHeaders {
  const { id, timestamp, signature } = findHeaders(source);
  if (id === undefined) throw missing('id');
  if (timestamp === undefined) throw missing('timestamp');
  if (signature === undefined) throw missing('signature');
  return { id, timestamp, signature };
}

function findHeaders(source: HeaderSource): Found {
  if (typeof source !== 'object' || source === null) {
    throw new TypeError(
      'headers must be a Node request, a Fetch Headers or a record of header values, ' +
        `not ${source === null ? 'null' : typeof source}`,
    );
  }
  const found: Found = { id: undefined, timestamp: undefined, signature: undefined };
  if (isFetchHeaders(source)) {
    found.id = source.get(SIGNATURE_HEADERS.id) ?? undefined;
    found.timestamp = source.get(SIGNATURE_HEADERS.timestamp) ?? undefined;
    found.signature = source.get(SIGNATURE_HEADERS.signature) ?? undefined;
  } else if (isNodeRequest(source)) {
    const pairs = source.rawHeaders;
    for (let index = 0; index < pairs.length; index += 2) {
      add(found, pairs[index], pairs[index + 1]);
    }
  } else {
    const record: Readonly<Record<string, unknown>> = source;
    for (const name of Object.keys(record)) add(found, name, record[name]);
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
  const part = typeof name === 'string' ? partNamed(name) : undefined;
  if (part === undefined) return;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const one of values) {
    if (typeof one !== 'string') continue;
    if (found[part] !== undefined) throw repeated(part);
    found[part] = one;
  }
}

/** Header names are compared without their case; the length spares the comparison for the others. */
function partNamed(name: string): Part | undefined {
  if (name.length !== 10 && name.length !== 17) return undefined;
  switch (name.toLowerCase()) {
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

function missing(part: Part): WebhookVerificationError {
  return new WebhookVerificationError(
    'header_missing',
    `The header ${SIGNATURE_HEADERS[part]} is missing. A delivery carries webhook-id, webhook-timestamp and ` +
      'webhook-signature; pass the headers of the request as they came.',
  );
}

function repeated(part: Part): WebhookVerificationError {
  return new WebhookVerificationError(
    'header_repeated',
    `The header ${SIGNATURE_HEADERS[part]} came more than once. A delivery carries it exactly once, so it is ` +
      'unclear which value was signed; look for a proxy that adds headers.',
  );
}
