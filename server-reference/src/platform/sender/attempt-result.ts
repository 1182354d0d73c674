import type { IncomingMessage } from 'node:http';

import type { AttemptOutcome } from './retry.ts';
import { TARGET_REFUSED } from './target/guarded-lookup.ts';

/** The error of a POST that a pathology lost before it left. */
export const DROPPED = 'dropped';

/** What came of one POST. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /**
   * `timeout`, `target_refused`, `too_many_interim_answers`, `dropped`, `body_truncated`, or Node's code
   * such as `ECONNREFUSED`; null with an answer.
   */
  readonly error: string | null;
  /** The same in words, where there are any. */
  readonly detail: string | null;
  readonly retryAfter: readonly string[];
  readonly responseBody: string | null;
}

/** @param responseBody - null when there was none to read */
export function answered(response: IncomingMessage, responseBody: string | null): AttemptResult {
  return {
    outcome: { kind: 'answered', status: response.statusCode ?? 0 },
    error: null,
    detail: null,
    retryAfter: retryAfterOf(response),
    responseBody,
  };
}

export function unanswered(error: string, detail: string | null = null): AttemptResult {
  const kind = error === TARGET_REFUSED ? 'refused' : 'unanswered';
  return { outcome: { kind }, error, detail, retryAfter: [], responseBody: null };
}

/** Whether no byte of it has left. */
export function isUnsent({ outcome, error }: AttemptResult): boolean {
  return outcome.kind === 'refused' || error === DROPPED;
}

/** Of an error that Node came with. */
export function failed(error: Error): AttemptResult {
  return unanswered(
    'code' in error ? String(error.code) : 'connection_failed',
    failureDetail(error),
  );
}

/** Each header line by itself: one that is repeated counts as none. */
function retryAfterOf({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter(
    (_text, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'retry-after',
  );
}

/** A certificate can make the message as long as it likes. */
const MOST_CHARACTERS = 500;

/** What Node says of a network failure; of a name with several addresses, what it says of each. */
export function failureDetail(error: Error): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.map((one) => (one instanceof Error ? one.message : String(one)));
  return messages.join('; ').slice(0, MOST_CHARACTERS);
}
