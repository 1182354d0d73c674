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
    retryAfter: retryAfterOf(response),
    responseHeaders: response.rawHeaders,
    responseBody,
  };
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
function retryAfterOf({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter(
    (_text, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'retry-after',
  );
}
