import type { HeaderPair, HttpExchange } from '../http/exchange.ts';
import type { KeyName } from '../options/facts.ts';

/** A known key: by its name in the run, or the key itself. */
export type Key = KeyName | { readonly value: string };

/** How a wrong key differs from a right one: it goes on, or agrees in its first half. */
export type KeyDifference = 'tail' | 'second-half';

/** One request of a check to the API under test. */
export interface ApiRequest {
  /** Default GET. Other methods than GET and HEAD need an unlocked run and a check whose `access` allows them. */
  readonly method?: string;
  /** `/v1/…` is appended to the base URL, `/api/v1/…` to the app URL. May contain a query, sent as given. */
  readonly path: string;
  /** Appended to `path`, encoded. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /**
   * Default `main`. Null sends no `Authorization` header; `{ value }` sends a key that the check has itself;
   * `{ unlike }` sends an unknown key in the form of that one, and `{ like }` one that nearly is that one.
   */
  readonly key?:
    | Key
    | { readonly unlike: Key }
    | { readonly like: Key; readonly but: KeyDifference }
    | null;
  /** What stands before the key in `Authorization`. Default `Bearer`; an empty string sends the key alone. */
  readonly scheme?: string;
  /** More headers, sent as given. An `authorization` here replaces the one of `key`. */
  readonly headers?: readonly HeaderPair[];
  /** Sent as JSON with `content-type: application/json`. */
  readonly json?: unknown;
  /** Sent unchanged, without a `content-type`. Not together with `json`. */
  readonly body?: Uint8Array | string;
}

/** An unredacted response; `exchange` is its redacted form for a `Violation`. */
export interface ApiResponse {
  readonly status: number;
  /** First value of a header, by its name in any case. */
  header(name: string): string | undefined;
  readonly headers: readonly HeaderPair[];
  /** The body, byte for byte; empty without one, as with 204. */
  readonly bytes: Uint8Array;
  /** The body as UTF-8. */
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  readonly exchange: HttpExchange;
}

/**
 * The API under test. Every method throws `NoResponse` without a complete response, and `Inconclusive` when the target
 * keeps responding with 429 or 503 or sends more than
 * 1 MiB, or 8 MiB of a download. Only `sendOnce` returns 429 and 503.
 */
export interface ApiClient {
  /** Sends one request. Does not follow redirects: see `follow`. */
  send(request: ApiRequest): Promise<ApiResponse>;
  /** Like `send`, for a check that causes 429 or 503 itself: returns them like any other response. */
  sendOnce(request: ApiRequest): Promise<ApiResponse>;
  /**
   * A GET whose response all checks of the run share: equal requests are sent once. Confirming
   * attempts share another response. Not for anything that the run may change.
   */
  sample(request: Omit<ApiRequest, 'method' | 'json' | 'body'>): Promise<ApiResponse>;
  /**
   * GETs the URL of a redirect of this run, without a key: a signed storage URL needs none. Follows up to 10 redirects
   * in a chain. May be called again with the same redirect. Throws `TypeError` for a response that is not a redirect.
   */
  follow(redirect: ApiResponse): Promise<ApiResponse>;
  /** The same with a request of its own: a storage URL may work once. */
  followAgain(redirect: ApiResponse): Promise<ApiResponse>;
}
