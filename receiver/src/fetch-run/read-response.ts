import { FetchRunError } from './fetch-run-error.ts';
import type { FetchRunErrorCode } from './fetch-run-error.ts';
import { isFetchedRun } from './fetched-run.ts';
import type { FetchedRun } from './fetched-run.ts';

/** Maximum length of a response. A run's output can be much longer than an event. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Maximum wait that is believed of `Retry-After`. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** Which run was read, for messages. */
export interface ReadRequest {
  readonly url: URL;
  readonly now: number;
}

/**
 * Returns the run in a response with status 200.
 *
 * @throws {FetchRunError} For any other response; `code` says which.
 */
export async function readResponse(response: Response, request: ReadRequest): Promise<FetchedRun> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw failureOf(response, request);
  }
  const parsed = parseJson(await readText(response, request));
  if (isFetchedRun(parsed)) return parsed;
  throw new FetchRunError(
    'response_unexpected',
    `GET ${request.url.href} must respond with a run as JSON, got another body. ${UNEXPECTED.fix}`,
  );
}

/** Returns `undefined` for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readText(response: Response, { url }: ReadRequest): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > MAX_RESPONSE_BYTES) {
    await response.body?.cancel();
    throw tooLarge(url);
  }
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest of the body.
    if (bytes > MAX_RESPONSE_BYTES) throw tooLarge(url);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(url: URL): FetchRunError {
  return new FetchRunError(
    'response_too_large',
    `GET ${url.href} must respond with at most ${MAX_RESPONSE_BYTES} bytes, got more. Write a fetchRun that ` +
      'returns only status and output.',
  );
}

interface Failure {
  readonly code: FetchRunErrorCode;
  readonly fix: string;
}

const FAILURES: Readonly<Record<number, Failure>> = {
  401: { code: 'key_refused', fix: 'Check that key is an API key of this deployment.' },
  403: { code: 'scope_missing', fix: 'Give the API key the scope that reading runs requires.' },
  404: {
    code: 'run_not_found',
    fix: 'Check that key belongs to the tenant of the run, and that baseUrl is the deployment that sent the event.',
  },
  429: { code: 'rate_limited', fix: 'The receiver tries again later.' },
};

const SERVER_FAILURE: Failure = { code: 'api_failed', fix: 'The receiver tries again later.' };

const UNEXPECTED: Failure = {
  code: 'response_unexpected',
  fix: 'Check that baseUrl is the address of the API.',
};

function failureOf({ status, headers }: Response, { url, now }: ReadRequest): FetchRunError {
  const { code, fix } = FAILURES[status] ?? (status >= 500 ? SERVER_FAILURE : UNEXPECTED);
  const message = `GET ${url.href} must respond with 200, got ${status}. ${fix}`;
  const retryAfterMilliseconds = readRetryAfter(headers.get('retry-after'), now);
  return new FetchRunError(code, message, { retryAfterMilliseconds });
}

/** Reads seconds or an HTTP date. Returns `null` for anything else. */
function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  const milliseconds = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  if (!Number.isFinite(milliseconds) || milliseconds < 0) return null;
  return Math.min(milliseconds, MAX_RETRY_AFTER_SECONDS * 1000);
}
