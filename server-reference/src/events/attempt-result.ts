import type { IncomingMessage } from 'node:http';

import type { AttemptResult, DeliveryRequest } from './order.ts';
import type { AttemptOutcome } from './retry.ts';
import { TARGET_REFUSED } from './target.ts';

/** Messages about certificates can be very long. */
const MAX_DETAIL_CHARACTERS = 500;

/** Returns the result of a request with a response. */
export function responded(
  { statusCode = 0, rawHeaders }: IncomingMessage,
  body: string | null,
  sent: DeliveryRequest,
): AttemptResult {
  return { status: statusCode, headers: rawHeaders, body, error: null, detail: null, sent };
}

/** Returns the result of a request without a response. `sent` is null if nothing was sent. */
export function withoutResponse(
  error: string,
  detail: string | null,
  sent: DeliveryRequest | null,
): AttemptResult {
  return { status: null, headers: null, body: null, error, detail, sent };
}

/** Returns the result of a request that failed with an error. One to a refused target is not sent. */
export function failed(error: unknown, sent: DeliveryRequest): AttemptResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'connection_failed';
  return withoutResponse(code, failureDetail(error), code === TARGET_REFUSED ? null : sent);
}

/** Returns the message of a network error; for a name with several addresses, the message of each. */
export function failureDetail(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.map((one) => (one instanceof Error ? one.message : String(one)));
  return messages.join('; ').slice(0, MAX_DETAIL_CHARACTERS);
}

/** Returns what decides whether a delivery is retried. */
export function outcomeOf({ status, error }: AttemptResult): AttemptOutcome {
  if (status !== null) return { kind: 'response', status };
  return { kind: error === TARGET_REFUSED ? 'refused' : 'no_response' };
}
