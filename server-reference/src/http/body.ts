import type { IncomingMessage } from 'node:http';

import getRawBody from 'raw-body';

import { ROOT, refusal } from '../errors.ts';
import type { ApiError } from '../errors.ts';
import { parseJson } from '../json.ts';

function refuseCompressed({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return;
  throw refusal(
    'unsupported_media_type',
    ROOT,
    'the body must not be compressed; send it without Content-Encoding',
  );
}

/**
 * Yields the bytes of a body as they arrive. If the reader stops early, the rest is discarded and the connection stays
 * usable for the response.
 *
 * @throws {ApiError} 400 when the body ends early or is compressed
 */
export async function* incomingBytes(
  request: IncomingMessage,
): AsyncGenerator<Uint8Array, void, undefined> {
  refuseCompressed(request);
  const chunks: AsyncIterator<Uint8Array> = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await chunks.next().catch(() => {
        throw endedEarly();
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
 * Reads the bytes of a JSON body of at most `limitBytes`. A body whose Content-Length is larger is not read.
 *
 * @returns undefined when there is no body
 * @throws {ApiError} 400 or 413
 */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
): Promise<Buffer | undefined> {
  if (!hasBody(request)) return undefined;
  checkContentType(request);
  checkDeclaredLength(request, limitBytes);
  return readBytes(request, limitBytes);
}

/**
 * Parses a JSON body in UTF-8.
 *
 * @throws {ApiError} 400 for anything else
 */
export function parseBody(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal('malformed_json', ROOT, 'the body is not UTF-8');
  }
  return parseJson(text, ROOT);
}

/**
 * Discards the body of an operation that takes none.
 *
 * @throws {ApiError} 413 when it is larger than `limitBytes`
 */
export async function discardBody(request: IncomingMessage, limitBytes: number): Promise<void> {
  checkDeclaredLength(request, limitBytes);
  if (request.headers['transfer-encoding'] !== undefined) await readBytes(request, limitBytes);
}

function checkDeclaredLength({ headers }: IncomingMessage, limitBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
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
    throw refusal('unsupported_media_type', ROOT, 'the body must be declared as application/json', {
      hint: 'Send one header Content-Type: application/json.',
    });
  }
  refuseCompressed(request);
}

/** Another charset than UTF-8 is refused; unknown and empty parameters are ignored. */
function isJsonType(header: string): boolean {
  const [type = '', ...parameters] = header.split(';').map((one) => one.trim().toLowerCase());
  const charsets = parameters.filter((one) => /^charset\s*=/.test(one));
  return type === 'application/json' && charsets.every((one) => UTF_8.test(one));
}

const UTF_8 = /^charset\s*=\s*"?utf-?8"?$/;

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function tooLarge(limitBytes: number): ApiError {
  const message = `the body must be at most ${limitBytes} bytes`;
  return refusal('payload_too_large', ROOT, message, {
    hint: 'Send files with POST /v1/files or POST /v1/files/uploads.',
  });
}

function endedEarly(): ApiError {
  return refusal('malformed_request', ROOT, 'the body ended before its declared length');
}
