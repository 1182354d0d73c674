import type { IncomingMessage, ServerResponse } from 'node:http';

import type * as RawBody from 'raw-body';

import { ApiError, badRequest, issue, ROOT } from './api-error.ts';

/** Refuses a compressed body, and a transfer encoding other than chunked. */
export function checkEncoding(request: IncomingMessage): void {
  checkTransferEncoding(request);
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw badRequest(
      'unsupported_media_type',
      ROOT,
      'the body must not be compressed; send it without Content-Encoding',
    );
  }
}

function checkTransferEncoding({ headers }: IncomingMessage): void {
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() === 'chunked') return;
  const message = 'only Transfer-Encoding: chunked is supported';
  throw badRequest('malformed_request', ROOT, message);
}

/**
 * Yields the bytes of a body as they arrive. A client that sent `Expect: 100-continue` is invited when the
 * first bytes are read. If the reader stops early, the rest is discarded and the connection stays usable
 * for the response.
 *
 * @throws {ApiError} 400 when the body ends early or is encoded
 */
export async function* incomingBytes(
  request: IncomingMessage,
  response: ServerResponse,
): AsyncGenerator<Uint8Array, void, undefined> {
  checkEncoding(request);
  if (request.headers.expect !== undefined) response.writeContinue();
  const chunks: AsyncIterator<Uint8Array> = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await chunks.next().catch(() => {
        throw badRequest('malformed_request', ROOT, 'the body ended before its declared length');
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
    request.resume();
  }
}

/** Reads bytes to their end and drops them. */
export async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const left = bytes[Symbol.asyncIterator]();
  for (let ended = false; !ended;) ended = (await left.next()).done === true;
}

/**
 * Reads a JSON body in UTF-8 of at most `limitBytes`. A body whose Content-Length is larger is not read.
 *
 * @returns the parsed value; undefined when there is no body
 * @throws {ApiError} 400 or 413
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  checkContentType(request);
  checkDeclaredLength(request, limitBytes);
  if (request.headers.expect !== undefined) response.writeContinue();
  const bytes = await readBytes(request, limitBytes);
  // A copy, so that the rest of a large body is released.
  excerpts.set(request, Buffer.from(bytes.subarray(0, EXCERPT_BYTES)));
  return parseJson(decode(bytes), ROOT);
}

/** The number of bytes that {@link bodyExcerpt} returns. */
export const EXCERPT_BYTES = 4_096;
const excerpts = new WeakMap<IncomingMessage, Buffer>();

/** Returns the beginning of the JSON body of a request; null if none was read. */
export function bodyExcerpt(request: IncomingMessage): Buffer | null {
  return excerpts.get(request) ?? null;
}

/**
 * Discards the body of an operation that takes none. A client that sent `Expect: 100-continue` gets no 100
 * Continue.
 *
 * @throws {ApiError} 400 for a transfer encoding other than chunked; 413 when the body is larger than
 * `limitBytes`
 */
export async function discardBody(request: IncomingMessage, limitBytes: number): Promise<void> {
  checkTransferEncoding(request);
  checkDeclaredLength(request, limitBytes);
  const { expect, 'transfer-encoding': coding } = request.headers;
  if (coding !== undefined && expect === undefined) await readBytes(request, limitBytes);
}

function checkDeclaredLength({ headers }: IncomingMessage, limitBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

let rawBody: typeof RawBody | undefined;

/** Loads what reads bodies. The packages that it needs take longer than the first response. */
export async function loadRawBody(): Promise<typeof RawBody> {
  rawBody ??= await import('raw-body');
  return rawBody;
}

async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const { default: getRawBody } = await loadRawBody();
  return getRawBody(request, { limit: limitBytes }).catch((error: unknown) => {
    // The rest of the body is discarded, so that the connection stays usable for the next request.
    request.resume();
    throw isTooLarge(error) ? tooLarge(limitBytes) : endedEarly();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function checkContentType(request: IncomingMessage): void {
  const types = request.headersDistinct['content-type'] ?? [];
  if (types.length !== 1 || !isJsonType(types[0] ?? '')) {
    throw badRequest(
      'unsupported_media_type',
      ROOT,
      'the body must be declared as application/json',
      'Send one header Content-Type: application/json.',
    );
  }
  checkEncoding(request);
}

/** Another charset than UTF-8 is refused; unknown and empty parameters are passed over. */
function isJsonType(header: string): boolean {
  const [type = '', ...parameters] = header.split(';').map((one) => one.trim().toLowerCase());
  const charsets = parameters.filter((one) => /^charset\s*=/.test(one));
  return type === 'application/json' && charsets.every((one) => UTF_8.test(one));
}

const UTF_8 = /^charset\s*=\s*"?utf-?8"?$/;

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badRequest('malformed_json', ROOT, 'the body is not UTF-8');
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function tooLarge(limitBytes: number): ApiError {
  const message = `the body must be at most ${limitBytes} bytes`;
  return new ApiError(413, [issue('payload_too_large', ROOT, message)], {
    hint: 'Send files with POST /v1/files or POST /v1/files/uploads.',
  });
}

function endedEarly(): ApiError {
  return badRequest('malformed_request', ROOT, 'the body ended before its declared length');
}

/** Far below the depth at which serialising the state would overflow the stack. */
const MAX_NESTING = 500;

/**
 * Parses a JSON text of a request.
 *
 * @param field - the part of a form with the text, or `<root>` for a body
 * @throws {ApiError} 400 `malformed_json`; 400 `invalid_value` for a value that the state cannot hold
 */
export function parseJson(text: string, field: string): unknown {
  const value = parse(text, field);
  if (nestingDepth(text) > MAX_NESTING) {
    throw badRequest('invalid_value', field, `must be nested at most ${MAX_NESTING} levels deep`);
  }
  if (containsInfinity(value)) {
    const message = 'must not contain a number outside the range of a double';
    throw badRequest('invalid_value', field, message);
  }
  return value;
}

function parse(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const subject = field === ROOT ? 'the body is' : 'is';
    throw badRequest('malformed_json', field, `${subject} not well-formed JSON`);
  }
}

/** Returns the depth of nested arrays and objects in a JSON text; 0 for a primitive value. */
export function nestingDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}

/** `1e400` is parsed as Infinity, which would be stored as null. */
function containsInfinity(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === Infinity || value === -Infinity;
  return Object.values(value).some(containsInfinity);
}
