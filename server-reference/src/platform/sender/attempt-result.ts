import type { IncomingMessage } from 'node:http';

import type { AttemptOutcome } from './retry.ts';
import { TARGET_REFUSED } from './target/guarded-lookup.ts';

/** A certificate can make a message of any length. */
const MAX_DETAIL_CHARACTERS = 500;

/** What one POST came to. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /**
   * `timeout`, `target_refused`, `too_many_interim_responses`, what an interceptor gives, or Node's code
   * such as `ECONNREFUSED`; null with a response.
   */
  readonly error: string | null;
  /** The error in words; null when there are none. */
  readonly detail: string | null;
  /** Whether the request has left, or part of it. */
  readonly isSent: boolean;
  readonly retryAfter: readonly string[];
  readonly responseBody: string | null;
}

/** @param responseBody - null when there was no body to read */
export function answered(response: IncomingMessage, responseBody: string | null): AttemptResult {
  return {
    outcome: { kind: 'answered', status: response.statusCode ?? 0 },
    error: null,
    detail: null,
    isSent: true,
    retryAfter: retryAfterOf(response),
    responseBody,
  };
}

/** No response came, for this reason. */
export function unanswered(error: string, detail: string | null = null): AttemptResult {
  return { ...NO_RESPONSE, outcome: { kind: 'unanswered' }, error, detail, isSent: true };
}

/** Nothing was sent, and the delivery is worth a retry. */
export function unsent(error: string, detail: string): AttemptResult {
  return { ...unanswered(error, detail), isSent: false };
}

/** Nothing was sent, since events are never sent to this target. */
export function refused(detail: string): AttemptResult {
  const outcome = { kind: 'refused' } as const;
  return { ...NO_RESPONSE, outcome, error: TARGET_REFUSED, detail, isSent: false };
}

/** The network failed. */
export function failed(error: Error): AttemptResult {
  const code = 'code' in error ? String(error.code) : 'connection_failed';
  const detail = failureDetail(error);
  return code === TARGET_REFUSED ? refused(detail) : unanswered(code, detail);
}

const NO_RESPONSE = { retryAfter: [], responseBody: null } as const;

/** The message of a network failure; for a name with several addresses, the message of each. */
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
