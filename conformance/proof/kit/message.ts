import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

import {
  headerValue,
  isRecord,
  keyBytes,
  matchingKey,
  parseJson,
  signature,
} from '@hookproof/conformance/hooks';
import type { HeaderPair, Incoming, Outgoing, SignedMessage } from '@hookproof/conformance/hooks';

/** A JSON object that a transformation may change. */
export type Fields = Record<string, unknown>;

/** The JSON body of a message; undefined when it is not JSON. */
export function jsonOf(message: Outgoing | Incoming): unknown {
  return parseJson(Buffer.from(bytesOf(message)).toString('utf8'));
}

/** The message with this JSON body. */
export function withJson<Message extends Outgoing | Incoming>(
  message: Message,
  json: unknown,
): Message {
  return withBytes(message, Buffer.from(JSON.stringify(json)));
}

/** The message with this body and its length. */
export function withBytes<Message extends Outgoing | Incoming>(
  message: Message,
  bytes: Uint8Array,
): Message {
  const headers = message.headers
    .filter(([name]) => name.toLowerCase() !== 'content-encoding')
    .map(([name, value]): HeaderPair =>
      name.toLowerCase() === 'content-length' ? [name, String(bytes.byteLength)] : [name, value],
    );
  return { ...message, headers, ...('bytes' in message ? { bytes } : { body: bytes }) };
}

/** The message after `edit` has changed a copy of its JSON object. A message without one is returned unchanged. */
export function editJson<Message extends Outgoing | Incoming>(
  message: Message,
  edit: (fields: Fields) => unknown,
): Message {
  const json = jsonOf(message);
  if (!isRecord(json)) return message;
  const copy: Fields = structuredClone({ ...json });
  edit(copy);
  return withJson(message, copy);
}

/** The message with this header, or without it when the value is null. */
export function withHeader<Message extends Outgoing | Incoming>(
  message: Message,
  name: string,
  value: string | null,
): Message {
  const others = message.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase());
  return { ...message, headers: value === null ? others : [...others, [name, value]] };
}

/** The request with this API key, or without one when it is null. */
export function withKey(request: Outgoing, key: string | null): Outgoing {
  return withHeader(request, 'authorization', key === null ? null : `Bearer ${key}`);
}

/** The request with this query parameter, or without it when the value is null. */
export function withQuery(request: Outgoing, name: string, value: string | null): Outgoing {
  const url = new URL(request.url);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return { ...request, url: url.href };
}

/** A response of the transformation itself. */
export function respond(
  status: number,
  json?: unknown,
  headers: readonly HeaderPair[] = [],
): Incoming {
  if (json === undefined) return { status, headers, bytes: new Uint8Array() };
  const type: HeaderPair = ['content-type', 'application/json; charset=utf-8'];
  return { status, headers: [type, ...headers], bytes: Buffer.from(JSON.stringify(json)) };
}

/** An error response in the documented envelope. */
export function refuse(status: number, code = 'invalid_value'): Incoming {
  const requestId = 'req_of_a_transformation';
  const issue = { field: '<root>', message: 'must be valid', code, severity: 'error' };
  const wait: readonly HeaderPair[] =
    status === 429 || status === 503 ? [['retry-after', '1']] : [];
  return respond(status, { issues: [issue], requestId }, [['x-request-id', requestId], ...wait]);
}

/** The key that signed a delivery; the whole secret as UTF-8 when no key matches. */
export function keyOf(delivery: Outgoing, secret: string): Uint8Array {
  const header = headerValue(delivery.headers, 'webhook-signature') ?? '';
  return matchingKey(secret, header, messageOf(delivery)) ?? keyBytes(secret, 'utf8');
}

/** The delivery with a valid signature over its id, timestamp and body. */
export function sign(delivery: Outgoing, key: Uint8Array): Outgoing {
  return replaceHeader(delivery, 'webhook-signature', signature(key, messageOf(delivery)));
}

function messageOf(delivery: Outgoing): SignedMessage {
  return {
    id: headerValue(delivery.headers, 'webhook-id') ?? '',
    timestamp: headerValue(delivery.headers, 'webhook-timestamp') ?? '',
    body: delivery.body ?? new Uint8Array(),
  };
}

/** Keeps the place and the spelling of the header, so that nothing else differs. */
export function replaceHeader<Message extends Outgoing | Incoming>(
  message: Message,
  name: string,
  value: string,
): Message {
  const headers = message.headers.map((pair): HeaderPair =>
    pair[0].toLowerCase() === name ? [pair[0], value] : pair,
  );
  return { ...message, headers };
}

/** Readers of a content coding. Several transformations of one response may meet one that another has compressed. */
const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes),
  // The first byte of the zlib format says so; raw deflate has no such byte.
  deflate: (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync(bytes) : inflateRawSync(bytes)),
  br: (bytes) => brotliDecompressSync(bytes),
};

function decodedBytes({ headers, bytes }: Incoming): Uint8Array {
  const decode = DECODERS[headerValue(headers, 'content-encoding') ?? ''];
  return decode === undefined ? bytes : decode(bytes);
}

function bytesOf(message: Outgoing | Incoming): Uint8Array {
  return 'bytes' in message ? decodedBytes(message) : (message.body ?? new Uint8Array());
}
