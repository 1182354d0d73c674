import type { IncomingMessage } from 'node:http';

import { bodyAlreadyRead, isBytes } from '../receive/request-body.ts';
import type { NodeBodyStream, RequestBody } from '../receive/request-body.ts';
import type { Receiving } from '../receive/ingress.ts';
import type { ReceiverResponse } from '../receive/responses.ts';

/** Bytes that a body parser may have kept. */
export interface KeptBytes {
  /**
   * Where Express and its parsers keep what they read. Bytes are used, anything else is refused.
   */
  readonly body?: unknown;
  /**
   * Where the `verify` callback of a parser, Nest and serverless platforms keep the bytes. It goes
   * before `body`.
   */
  readonly rawBody?: unknown;
}

/**
 * Returns the stream of a request, or the bytes that a parser kept of it.
 *
 * @param fix How to keep the bytes in the framework, for the problem `body_already_read`.
 */
export function bodyOf(stream: NodeBodyStream, kept: KeptBytes, fix: string): RequestBody {
  if (!stream.readableDidRead) return stream;
  if (isBytes(kept.rawBody)) return kept.rawBody;
  if (isBytes(kept.body)) return kept.body;
  return bodyAlreadyRead(fix);
}

/** Returns the headers of a response. HTTP/2 has no header `connection`. */
export function headersOf(
  { headers }: ReceiverResponse,
  httpVersionMajor: number,
): Readonly<Record<string, string>> {
  if (httpVersionMajor < 2 || headers['connection'] === undefined) return headers;
  const { connection: _connection, ...others } = headers;
  return others;
}

/** Returns true for a request with at least one of the headers that deliveries have. */
export function isDelivery(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { signatureHeaders = [] }: Receiving,
): boolean {
  return signatureHeaders.some((name) => headers[name] !== undefined);
}

/**
 * Returns a function that compares the path of URLs with `path`, apart from one slash at the end.
 * Below a mount a request has two: the one that is left, and the original one. One of them must
 * match. Without `path`, all match.
 *
 * @throws {TypeError} When `path` does not start with `/`, or contains `?`.
 */
export function pathMatcher(
  path: string | undefined,
): (...urls: readonly (string | undefined)[]) => boolean {
  if (path === undefined) return () => true;
  requirePath(path);
  const expected = withoutSlash(path);
  return (...urls) =>
    urls.some((url = '') => withoutSlash(url.split('?', 1)[0] ?? '') === expected);
}

/** @throws {TypeError} When `path` does not start with `/`, or contains `?`. */
export function requirePath(path: unknown): void {
  if (typeof path === 'string' && path.startsWith('/') && !path.includes('?')) return;
  throw new TypeError(`path must start with "/" and have no "?", got ${JSON.stringify(path)}.`);
}

/** Returns a path without one slash at its end. */
export function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
