import { knownOptions, positiveInteger } from '../argument-checks.ts';
import { realClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { FetchRunError } from './fetch-run-error.ts';
import type { FetchedRun, FetchRun } from './fetched-run.ts';
import { readResponse } from './read-response.ts';

export interface FetchRunFromOptions {
  /**
   * The address of the API, with or without `/v1` or `/api/v1` at its end, such as
   * `https://api.example.com`.
   */
  readonly baseUrl: string;
  /** An API key that may read runs. It is sent as a bearer token and appears in no message. */
  readonly key: string;
  /** Sends the request. Default: the `fetch` of Node.js. */
  readonly fetch?: typeof globalThis.fetch;
  /** Maximum time of one request, its body included. Default: 10,000. */
  readonly timeoutMilliseconds?: number;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
}

const OPTIONS: readonly (keyof FetchRunFromOptions)[] = [
  'baseUrl',
  'key',
  'fetch',
  'timeoutMilliseconds',
  'clock',
];

/**
 * Returns a `fetchRun` that reads runs with `GET /v1/runs/{id}`. It sends one request for each call
 * and leaves repetitions to the receiver.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 * @example
 * ```ts
 * import { createReceiver } from '@hookproof/receiver';
 * import { fetchRunFrom } from '@hookproof/receiver/fetch-run';
 * import { memoryStore } from '@hookproof/receiver/memory';
 *
 * export const receiver = createReceiver({
 *   secrets: process.env['WEBHOOK_SECRET'] ?? '',
 *   store: memoryStore(),
 *   fetchRun: fetchRunFrom({
 *     baseUrl: 'https://api.example.com',
 *     key: process.env['API_KEY'] ?? '',
 *   }),
 *   handlers: { completed: ({ data }) => console.log(data.run.id, data.run.output) },
 * });
 * ```
 */
export function fetchRunFrom(options: FetchRunFromOptions): FetchRun {
  knownOptions(options, OPTIONS);
  const { fetch = globalThis.fetch, clock = realClock() } = options;
  const base = readBaseUrl(options.baseUrl);
  const headers = { accept: 'application/json', authorization: `Bearer ${checkKey(options.key)}` };
  const timeout = positiveInteger('timeoutMilliseconds', options.timeoutMilliseconds, 10_000);

  return async function fetchRun(runId, _event, { signal }): Promise<FetchedRun> {
    const url = new URL(`${base}/v1/runs/${encodeURIComponent(runId)}`);
    const deadline = new AbortController();
    const timer = clock.setTimeout(() => deadline.abort(), timeout);
    try {
      const limit = AbortSignal.any([signal, deadline.signal]);
      // A redirect is refused, because the key must not reach another server.
      const response = await fetch(url, { headers, signal: limit, redirect: 'manual' });
      return await readResponse(response, { url, now: clock.now(), signal: limit });
    } catch (cause) {
      if (cause instanceof FetchRunError) throw cause;
      signal.throwIfAborted();
      throw deadline.signal.aborted ? timedOut(url, timeout) : unreachable(url, cause);
    } finally {
      clock.clearTimeout(timer);
    }
  };
}

/** Returns the address before `/v1`, without a slash at its end. */
function readBaseUrl(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'baseUrl must be an http or https URL such as https://api.example.com, got another value.',
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError(
      'baseUrl must have no user, password, query or fragment, got a URL with one. Pass the key as key.',
    );
  }
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** A key may consist of visible ASCII, as a header requires. */
function checkKey(key: unknown): string {
  if (typeof key === 'string' && /^[!-~]+$/.test(key)) return key;
  throw new TypeError(
    'key must be an API key of visible ASCII characters without whitespace, got another value. Pass ' +
      'the key alone, without "Bearer".',
  );
}

function timedOut(url: URL, timeout: number): FetchRunError {
  return new FetchRunError(
    `GET ${url.href} must respond within ${timeout} ms, got no complete response. Set timeoutMilliseconds for a slower API.`,
  );
}

function unreachable(url: URL, cause: unknown): FetchRunError {
  return new FetchRunError(
    `GET ${url.href} must respond, got ${reasonOf(cause)}. Check baseUrl and the network.`,
    { cause },
  );
}

/** Returns the code of a network failure, which `fetch` keeps in the cause of its error. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? code : 'a network failure';
}
