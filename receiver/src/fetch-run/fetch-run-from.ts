import { knownOptions, positiveInteger } from '../argument-checks.ts';
import { realClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { FetchRunError } from './fetch-run-error.ts';
import type { FetchedRun, FetchRun } from './fetched-run.ts';

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
    const url = `${base}/v1/runs/${encodeURIComponent(runId)}`;
    const deadline = new AbortController();
    const timer = clock.setTimeout(() => deadline.abort(), timeout);
    try {
      const limit = AbortSignal.any([signal, deadline.signal]);
      // A redirect is refused, because the key must not reach another server.
      const response = await fetch(url, { headers, signal: limit, redirect: 'manual' });
      const text = await response.text();
      if (response.status !== 200) throw refused(url, response, clock.now());
      return parsedRun(url, text);
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

const FIXES: Readonly<Record<number, string>> = {
  401: 'Check that key is an API key of this deployment.',
  403: 'Give the API key the scope that reading runs requires.',
  404: 'Check that key belongs to the tenant of the run, and that baseUrl is the deployment that sent the event.',
  429: 'The receiver tries again later.',
};
const CHECK_ADDRESS = 'Check that baseUrl is the address of the API.';

function refused(url: string, { status, headers }: Response, now: number): FetchRunError {
  const fix = status >= 500 ? FIXES[429] : (FIXES[status] ?? CHECK_ADDRESS);
  const retryAfterMilliseconds = retryAfterIn(headers, now);
  const message = `GET ${url} must respond with 200, got ${status}. ${fix}`;
  return new FetchRunError(message, { status, retryAfterMilliseconds });
}

/** Reads seconds or an HTTP date, at most a day. Returns `null` for anything else. */
function retryAfterIn(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after') ?? '';
  const milliseconds = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return milliseconds >= 0 ? Math.min(milliseconds, 86_400_000) : null;
}

/** Whether it is a run is checked as for every `fetchRun`. */
function parsedRun(url: string, text: string): FetchedRun {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `readFetchedRun` checks it
    return JSON.parse(text) as FetchedRun;
  } catch {
    const message = `GET ${url} must respond with a run as JSON, got another body. ${CHECK_ADDRESS}`;
    throw new FetchRunError(message, { status: 200 });
  }
}

function timedOut(url: string, timeout: number): FetchRunError {
  return new FetchRunError(
    `GET ${url} must respond within ${timeout} ms, got no complete response. Set timeoutMilliseconds for a slower API.`,
  );
}

function unreachable(url: string, cause: unknown): FetchRunError {
  return new FetchRunError(
    `GET ${url} must respond, got ${reasonOf(cause)}. Check baseUrl and the network.`,
    { cause },
  );
}

/** Returns the code of a network failure, which `fetch` keeps in the cause of its error. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? code : 'a network failure';
}
