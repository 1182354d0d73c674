import type { IncomingMessage, ServerResponse } from 'node:http';

import getRawBody from 'raw-body';

import { ApiError, badRequest, issue, ROOT } from './api-error.ts';

/** Refuses a body whose bytes are not what is meant: they come plain, in one piece or in chunks. */
export function checkEncoding({ headers }: IncomingMessage): void {
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    const message = 'of Transfer-Encoding, chunked alone is understood';
    throw badRequest('malformed_request', ROOT, message);
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw badRequest('unsupported_media_type', ROOT, 'the body must not be compressed');
  }
}

/** How deep the arrays and objects of a JSON text lie in each other; 0 for a bare value. */
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

/**
 * The bytes of a body as they come, asked for only when the first is wanted. Whoever stops early is
 * rid of the rest, and the connection stays good for the answer.
 *
 * @throws {ApiError} 400 when the body breaks off, or is coded
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

/**
 * Reads a JSON body: at most `limitBytes`, declared as JSON, in UTF-8. A body that is too large by its
 * own declaration is not read at all.
 *
 * @returns the parsed value, or undefined when there is no body
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  checkDeclared(request);
  checkDeclaredLength(request, limitBytes);
  if (request.headers.expect !== undefined) response.writeContinue();
  return parse(await readBytes(request, limitBytes));
}

/**
 * Passes over a body that the operation did not ask for, whatever is in it: 413 when it is larger than
 * `limitBytes`. One that waits to be invited is not invited.
 */
export async function discardBody(request: IncomingMessage, limitBytes: number): Promise<void> {
  checkDeclaredLength(request, limitBytes);
  const { expect, 'transfer-encoding': coding } = request.headers;
  if (coding !== undefined && expect === undefined) await readBytes(request, limitBytes);
}

function checkDeclaredLength({ headers }: IncomingMessage, limitBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return getRawBody(request, { limit: limitBytes }).catch((error: unknown) => {
    // The rest of the body is thrown away, so that the connection is good for the next request.
    request.resume();
    throw isTooLarge(error) ? tooLarge(limitBytes) : cutShort();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

function checkDeclared(request: IncomingMessage): void {
  const types = request.headersDistinct['content-type'] ?? [];
  if (types.length !== 1 || !JSON_TYPE.test(types[0] ?? '')) {
    throw badRequest(
      'unsupported_media_type',
      ROOT,
      'the body must be declared as application/json',
      'Send the header Content-Type: application/json, once.',
    );
  }
  checkEncoding(request);
}

/** Deeper than any sensible body, and far from where serialising the state would overflow the stack. */
const MAX_NESTING = 500;

function parse(bytes: Buffer): unknown {
  const { text, value } = decode(bytes);
  if (nestingDepth(text) > MAX_NESTING) {
    throw badRequest('invalid_value', ROOT, `is nested more than ${MAX_NESTING} levels deep`);
  }
  if (holdsInfinity(value)) {
    throw badRequest('invalid_value', ROOT, 'holds a number too large to be kept');
  }
  return value;
}

/** JSON has no such number, but `1e400` is read as one and would be stored as null. */
function holdsInfinity(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === Infinity || value === -Infinity;
  return Object.values(value).some(holdsInfinity);
}

function decode(bytes: Buffer): { text: string; value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch (error) {
    const why = error instanceof SyntaxError ? 'not well-formed JSON' : 'not UTF-8';
    throw badRequest('malformed_json', ROOT, `the body is ${why}`);
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function tooLarge(limitBytes: number): ApiError {
  const message = `the body is larger than the ${limitBytes} bytes that this server accepts`;
  return new ApiError(413, [issue('payload_too_large', ROOT, message)], {
    hint: 'Send less at once; files go to POST /v1/files or POST /v1/files/uploads.',
  });
}

function cutShort(): ApiError {
  return badRequest('malformed_request', ROOT, 'the body ended before its declared length');
}
