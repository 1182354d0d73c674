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
    add(found, SIGNATURE_HEADERS.id, source.get(SIGNATURE_HEADERS.id));
    add(found, SIGNATURE_HEADERS.timestamp, source.get(SIGNATURE_HEADERS.timestamp));
    add(found, SIGNATURE_HEADERS.signature, source.get(SIGNATURE_HEADERS.signature));
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
  const part = typeof name === 'string' ? partNamed(name) : undefined;
  if (part === undefined) return;
  if (typeof value === 'string') addOnce(found, part, value);
  if (!Array.isArray(value)) return;
  for (const one of value) if (typeof one === 'string') addOnce(found, part, one);
}

function addOnce(found: Found, part: Part, value: string): void {
  if (found[part] !== undefined) throw repeated(part);
  found[part] = value;
}

/** Names have no case. Most come in lower case, and a wrong length spares the change of case. */
function partNamed(name: string): Part | undefined {
  const part = partInLowerCase(name);
  if (part !== undefined || (name.length !== 10 && name.length !== 17)) return part;
  return partInLowerCase(name.toLowerCase());
}

function partInLowerCase(name: string): Part | undefined {
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
