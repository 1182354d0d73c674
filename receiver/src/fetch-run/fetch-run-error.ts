export interface FetchRunErrorOptions extends ErrorOptions {
  /** The HTTP status of the response. Default: `null`, there was none. */
  readonly status?: number | null;
  /** How long the API asks to wait, in milliseconds. Default: `null`, it does not say. */
  readonly retryAfterMilliseconds?: number | null;
}

/**
 * Reports that a run could not be read. The message says why and what to do. It contains neither
 * the API key nor anything of the response except its status. A `fetchRun` of your own may throw it
 * too, to say how long to wait before the next attempt.
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
 *     if (error instanceof FetchRunError && error.status === 401) console.error(error.message);
 *     throw error;
 *   }
 * };
 * ```
 */
export class FetchRunError extends Error {
  override readonly name = 'FetchRunError';
  /** The HTTP status of the response. `null`: there was none, or the run itself is wrong. */
  readonly status: number | null;
  /** How long the API asks to wait. `null`: it does not say. */
  readonly retryAfterMilliseconds: number | null;

  constructor(message: string, options: FetchRunErrorOptions = {}) {
    const { status = null, retryAfterMilliseconds = null, ...rest } = options;
    super(message, rest);
    this.status = status;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}
