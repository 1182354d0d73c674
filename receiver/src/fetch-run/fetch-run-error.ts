/**
 * Lists the codes of a `FetchRunError`:
 *
 * - `key_refused`: 401; the API key is missing there, wrong or revoked.
 * - `scope_missing`: 403; the API key may not read runs.
 * - `run_not_found`: 404; the run is unknown to the tenant of the key.
 * - `rate_limited`: 429; `retryAfterMilliseconds` says how long to wait, when the API says so.
 * - `api_failed`: a 5xx; also with `retryAfterMilliseconds`.
 * - `api_unreachable`: no response; `cause` says why.
 * - `api_timeout`: the response took longer than `timeoutMilliseconds`.
 * - `response_unexpected`: another status, or a body that is not JSON.
 * - `response_too_large`: the body is longer than 64 MiB.
 * - `run_mismatch`: the value that was read is another run.
 * - `run_incomplete`: the value that was read has no status, or no output although the event omits it.
 *
 * @example
 * ```ts
 * import { FETCH_RUN_ERROR_CODES } from '@hookproof/receiver/fetch-run';
 *
 * export const failures = new Map(FETCH_RUN_ERROR_CODES.map((code) => [code, 0]));
 * ```
 */
export const FETCH_RUN_ERROR_CODES = [
  'key_refused',
  'scope_missing',
  'run_not_found',
  'rate_limited',
  'api_failed',
  'api_unreachable',
  'api_timeout',
  'response_unexpected',
  'response_too_large',
  'run_mismatch',
  'run_incomplete',
] as const;

/** Stable name of one reason; `FETCH_RUN_ERROR_CODES` explains each. */
export type FetchRunErrorCode = (typeof FETCH_RUN_ERROR_CODES)[number];

export interface FetchRunErrorOptions extends ErrorOptions {
  /** How long the API asks to wait, in milliseconds. Default: `null`, it does not say. */
  readonly retryAfterMilliseconds?: number | null;
}

/**
 * Reports that a run could not be read; `code` is the reason. The message says what to do. It contains neither
 * the API key nor anything of the response except its status. A `fetchRun` of your own may throw it too, to say
 * how long to wait before the next attempt.
 *
 * @example
 * ```ts
 * import { FetchRunError, fetchRunFrom } from '@hookproof/receiver/fetch-run';
 *
 * const read = fetchRunFrom({ baseUrl: 'https://api.example.com', key: process.env['API_KEY'] ?? '' });
 *
 * export const fetchRun: typeof read = async (...request) => {
 *   try {
 *     return await read(...request);
 *   } catch (error) {
 *     if (error instanceof FetchRunError && error.code === 'key_refused') console.error(error.message);
 *     throw error;
 *   }
 * };
 * ```
 */
export class FetchRunError extends Error {
  override readonly name = 'FetchRunError';
  /** Why the run could not be read, stable between releases. */
  readonly code: FetchRunErrorCode;
  /** How long the API asks to wait. `null`: it does not say. */
  readonly retryAfterMilliseconds: number | null;

  constructor(code: FetchRunErrorCode, message: string, options: FetchRunErrorOptions = {}) {
    const { retryAfterMilliseconds = null, ...rest } = options;
    super(message, rest);
    this.code = code;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}
