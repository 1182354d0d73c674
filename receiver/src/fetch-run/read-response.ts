import { readFetchBody, RequestBodyError } from '../verify/fetch-body.ts';
import { FetchRunError } from './fetch-run-error.ts';
import { isFetchedRun } from './fetched-run.ts';
import type { FetchedRun } from './fetched-run.ts';

/** Maximum length of a response. A run's output can be much longer than an event. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Maximum wait that is believed of `Retry-After`. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** Which run was read, for messages, and until when. */
export interface ReadRequest {
  readonly url: URL;
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the run in a response with status 200.
 *
 * @throws {FetchRunError} For any other response.
 */
export async function readResponse(response: Response, request: ReadRequest): Promise<FetchedRun> {
  const { status, headers } = response;
  if (status !== 200) {
    await response.body?.cancel();
    throw new FetchRunError(
      `GET ${request.url.href} must respond with 200, got ${status}. ${fixFor(status)}`,
      { status, retryAfterMilliseconds: readRetryAfter(headers.get('retry-after'), request.now) },
    );
  }
  const parsed = parseJson(new TextDecoder().decode(await readBody(response, request)));
  if (isFetchedRun(parsed)) return parsed;
  throw new FetchRunError(
    `GET ${request.url.href} must respond with a run as JSON, got another body. ${fixFor(status)}`,
    { status },
  );
}

async function readBody(response: Response, { url, signal }: ReadRequest): Promise<Uint8Array> {
  try {
    return await readFetchBody(response, { bodyLimitBytes: MAX_RESPONSE_BYTES, signal });
  } catch (error) {
    if (!(error instanceof RequestBodyError)) throw error;
    // The connection failed, or the time is over.
    if (error.code !== 'body_too_large') throw error.cause ?? error;
    await response.body?.cancel().catch(() => undefined);
    throw new FetchRunError(
      `GET ${url.href} must respond with at most ${MAX_RESPONSE_BYTES} bytes, got more. Write a fetchRun that ` +
        'returns only status and output.',
      { status: response.status },
    );
  }
}

/** Returns `undefined` for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const FIXES: Readonly<Record<number, string>> = {
  401: 'Check that key is an API key of this deployment.',
  403: 'Give the API key the scope that reading runs requires.',
  404: 'Check that key belongs to the tenant of the run, and that baseUrl is the deployment that sent the event.',
  429: 'The receiver tries again later.',
};

function fixFor(status: number): string {
  if (status >= 500) return 'The receiver tries again later.';
  return FIXES[status] ?? 'Check that baseUrl is the address of the API.';
}

/** Reads seconds or an HTTP date. Returns `null` for anything else. */
function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  const milliseconds = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  if (!Number.isFinite(milliseconds) || milliseconds < 0) return null;
  return Math.min(milliseconds, MAX_RETRY_AFTER_SECONDS * 1000);
}
