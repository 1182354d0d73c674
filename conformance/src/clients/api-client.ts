import type { HttpExchange, HeaderPair } from '../verdict/exchange.ts';
import type { KeyName } from '../options/facts.ts';

/** One request of a check to the API under test. */
export interface ApiRequest {
  /** Default GET. Anything but GET and HEAD is refused below the check unless the run was unlocked and the check says so in `effect`. */
  readonly method?: string;
  /** `/v1/…` is appended to the base address, `/api/v1/…` to the app address. May hold a query string, sent as given. */
  readonly path: string;
  /** Appended to `path`, encoded. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Default `main`. Null sends no `Authorization` header; `{ value }` sends a key that the check made or got itself. */
  readonly key?: KeyName | { readonly value: string } | null;
  /** More headers, sent as given; an `authorization` here replaces the one from `key`. */
  readonly headers?: readonly HeaderPair[];
  /** Sent as JSON with `content-type: application/json`. */
  readonly json?: unknown;
  /** Sent as it is; set `content-type` yourself. Not together with `json`. */
  readonly body?: Uint8Array | string;
}

/** The answer, unredacted, for the check to judge; `exchange` is the redacted form for a `Violation`. */
export interface ApiResponse {
  readonly status: number;
  /** First value of a header, by lower-case name. */
  header(name: string): string | undefined;
  readonly headers: readonly HeaderPair[];
  /** The body as it came; empty when there was none, as with 204. */
  readonly bytes: Uint8Array;
  /** The body read as UTF-8. */
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  readonly exchange: HttpExchange;
}

/**
 * The API under test. Every method throws `NoResponse` when no whole answer came and `Inconclusive` when the target
 * kept answering 429 or 503, or with more than 16 MiB; those two statuses reach a check by `sendOnce` alone.
 */
export interface ApiClient {
  /** Sends one request. Redirects are not followed: see `follow`. */
  send(request: ApiRequest): Promise<ApiResponse>;
  /** As `send`, but without patience: an answer 429 or 503 is the check's own doing, and comes back like any other. */
  sendOnce(request: ApiRequest): Promise<ApiResponse>;
  /**
   * A GET whose answer all checks of the run share: sent once for equal requests, so that passing controls are cheap.
   * The confirming attempt sends it afresh. Not for anything that the run may change.
   */
  sample(request: Omit<ApiRequest, 'method' | 'json' | 'body'>): Promise<ApiResponse>;
  /**
   * GETs the address that a redirect of this run names, without any key: storage is to be reached by its signed
   * address alone. May be called again later with the same redirect. Throws `TypeError` for an answer that is no redirect.
   */
  follow(redirect: ApiResponse): Promise<ApiResponse>;
}
