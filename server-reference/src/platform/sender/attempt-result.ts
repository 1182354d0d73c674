import type { IncomingMessage } from 'node:http';

import type { AttemptOutcome } from './retry.ts';
import { TARGET_REFUSED } from './target/guarded-lookup.ts';

/** Messages about certificates can be very long. */
const MAX_DETAIL_CHARACTERS = 500;

/** The result of one POST. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /**
   * `timeout`, `target_refused`, `too_many_interim_responses`, an error of an interceptor, or Node's code
   * such as `ECONNREFUSED`. Null with a response.
   */
  readonly error: string | null;
  /** The message of the error; null without one. */
  readonly detail: string | null;
  /** Whether at least a part of the request was sent. */
  readonly isSent: boolean;
  readonly retryAfter: readonly string[];
  /** Names and values in turn, as received. Null without a response, and behind `aroundDelivery`. */
  readonly responseHeaders: readonly string[] | null;
  readonly responseBody: string | null;
}

/**
 * Returns the result of a POST with a response.
 *
 * @param responseBody - null if there was no body to read
 */
export function withResponse(
  response: IncomingMessage,
  responseBody: string | null,
): AttemptResult {
  return {
    outcome: { kind: 'response', status: response.statusCode ?? 0 },
    error: null,
    detail: null,
    isSent: true,
    retryAfter: retryAfterOf(response.rawHeaders),
    responseHeaders: response.rawHeaders,
    responseBody,
  };
}

/** The number of response body bytes that are stored. The rest is not read. */
export const RESPONSE_CAPTURE_BYTES = 4_096;

/** A response that is read without Node's parser. */
interface PlainResponse {
  readonly result: AttemptResult;
  /** Whether the connection stays open. */
  readonly isKept: boolean;
  /** The `Keep-Alive` header. */
  readonly announced: string | undefined;
}

const STATUS_LINE = /^HTTP\/1\.1 ([2-5][0-9]{2}) [ -~]*$/;
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ?([!-~](?:[ -~]*[!-~])?)$/;
const HEAD_END = '\r\n\r\n';

/**
 * Reads a response that has arrived whole, as almost all do, and has nothing unusual: a status from 200, ASCII
 * headers, and a short body of a known length. Returns null for all others, which Node's parser reads: with its
 * request and response objects, it takes a third of the time of a delivery.
 */
export function readPlainResponse(bytes: Buffer): PlainResponse | null {
  if (bytes.byteLength >= RESPONSE_CAPTURE_BYTES) return null;
  const text = bytes.toString('latin1');
  const headEnd = text.indexOf(HEAD_END);
  const [statusLine = '', ...lines] = text.slice(0, Math.max(0, headEnd)).split('\r\n');
  const status = Number(STATUS_LINE.exec(statusLine)?.[1]);
  const responseHeaders: string[] = [];
  const known = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) return null;
    responseHeaders.push(name, value);
    const lower = name.toLowerCase();
    if (FRAMING_HEADERS.has(lower) && known.has(lower)) return null;
    known.set(lower, value);
  }
  const connection = known.get('connection')?.toLowerCase() ?? 'keep-alive';
  const length = bodyLength(status, known);
  const isUnusual = known.has('transfer-encoding') || !CONNECTIONS.has(connection);
  const bodyStart = headEnd + HEAD_END.length;
  if (isUnusual || length !== bytes.byteLength - bodyStart) return null;
  const result = {
    outcome: { kind: 'response', status },
    error: null,
    detail: null,
    isSent: true,
    retryAfter: retryAfterOf(responseHeaders),
    responseHeaders,
    responseBody: bytes.toString('utf8', bodyStart),
  } as const;
  return { result, isKept: connection === 'keep-alive', announced: known.get('keep-alive') };
}

const FRAMING_HEADERS: ReadonlySet<string> = new Set([
  'content-length',
  'connection',
  'keep-alive',
]);
const CONNECTIONS: ReadonlySet<string> = new Set(['keep-alive', 'close']);

/** Undefined if only a parser can know it. */
function bodyLength(status: number, headers: ReadonlyMap<string, string>): number | undefined {
  const length = headers.get('content-length');
  if (status === 204) return length === undefined ? 0 : undefined;
  if (Number.isNaN(status) || status === 304) return undefined;
  return length !== undefined && /^[0-9]{1,4}$/.test(length) ? Number(length) : undefined;
}

/** Returns the result of a POST without a response. */
export function withoutResponse(error: string, detail: string | null = null): AttemptResult {
  return { ...NO_RESPONSE, outcome: { kind: 'no_response' }, error, detail, isSent: true };
}

/** Returns the result of a POST that was not sent. The delivery is retried. */
export function unsent(error: string, detail: string): AttemptResult {
  return { ...withoutResponse(error, detail), isSent: false };
}

/** Returns the result for a forbidden target: nothing was sent, and the delivery is not retried. */
export function refused(detail: string): AttemptResult {
  const outcome = { kind: 'refused' } as const;
  return { ...NO_RESPONSE, outcome, error: TARGET_REFUSED, detail, isSent: false };
}

/** Returns the result of a POST that failed with a network error. */
export function failed(error: Error): AttemptResult {
  const code = 'code' in error ? String(error.code) : 'connection_failed';
  const detail = failureDetail(error);
  return code === TARGET_REFUSED ? refused(detail) : withoutResponse(code, detail);
}

const NO_RESPONSE = { retryAfter: [], responseHeaders: null, responseBody: null } as const;

/** Returns the message of a network error; for a name with several addresses, the message of each. */
export function failureDetail(error: Error): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.map((one) => (one instanceof Error ? one.message : String(one)));
  return messages.join('; ').slice(0, MAX_DETAIL_CHARACTERS);
}

/** One entry for each header line: `readRetryAfter` ignores a header that is repeated. */
function retryAfterOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_text, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'retry-after',
  );
}
