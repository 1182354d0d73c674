import type { OutgoingHttpHeaders } from 'node:http';

import type { ApiRequest, ApiRequestDetail } from '@hookproof/spec/control';
import type { Context, Middleware, ParameterizedContext } from 'koa';

import type { AdmittedState } from '../../app.ts';
import { OPENAPI_PATH } from '../../api/openapi-document.ts';
import { isoTime } from '../../clock/clock.ts';
import type { Clock } from '../../clock/clock.ts';
import { isBelow } from '../../http/router.ts';
import { EXCERPT_BYTES } from '../../http/request.ts';
import type { RequestState } from '../../http/request.ts';
import type { Store } from '../../store/store.ts';
import { headerPairs } from '../attempts/header-pairs.ts';
import type { Feed } from './feed.ts';

/** The maximum number of requests that are kept. */
const MAX_REQUESTS = 1_000;
/** The maximum size of their headers, queries and excerpts in total. */
const MAX_REQUEST_BYTES: number = 8 * 1_048_576;
const MAX_PATH_CHARACTERS = 500;
const MAX_QUERY_CHARACTERS = 2_000;

/** A request may end before each of them is set. */
type LoggedState = Partial<AdmittedState> & Pick<AdmittedState, 'requestId'>;

/** A part of the server beside the API. */
export interface Beside {
  readonly prefix: string;
  /** Whether it responds to browsers at `/`. Default false. */
  readonly atRoot?: true;
  readonly serve: Middleware<RequestState>;
}

/** The newest requests of the API. A restart removes them. */
export class RequestLog {
  readonly #clock: Clock;
  readonly #feed: Feed;
  readonly #store: Pick<Store, 'state'>;
  /** Oldest first. */
  readonly #requests: Logged[] = [];
  #bytes = 0;

  /** @param store - its tenants say to which world a request belongs */
  constructor(clock: Clock, feed: Feed, store: Pick<Store, 'state'>) {
    this.#clock = clock;
    this.#store = store;
    this.#feed = feed;
  }

  /** The newest requests within {@link MAX_REQUESTS} and {@link MAX_REQUEST_BYTES}, oldest first. */
  list(): readonly ApiRequest[] {
    return this.#requests.map(({ request }) => request);
  }

  /** Returns a kept request with both sides. */
  find(id: string): ApiRequestDetail | undefined {
    const found = this.#requests.find(({ request }) => request.id === id);
    return found && detailOf(found);
  }

  #keep(logged: Logged): void {
    this.#requests.push(logged);
    this.#bytes += logged.bytes;
    while (this.#requests.length > MAX_REQUESTS || this.#bytes > MAX_REQUEST_BYTES) {
      this.#bytes -= this.#requests.shift()?.bytes ?? 0;
    }
  }

  /**
   * Returns middleware that records the requests of the API, without those for its OpenAPI document.
   *
   * @param parts - what is served beside the API, whose requests are not recorded
   */
  around(api: Middleware<LoggedState>, parts: readonly Beside[]): Middleware<LoggedState> {
    return (ctx, next) => {
      const part = parts.find((one) => isFor(one, ctx));
      if (part !== undefined) return part.serve(ctx, next);
      // The dashboard reads it too, to list the operations.
      if (ctx.path === OPENAPI_PATH) return api(ctx, next);
      return this.#log(ctx, () => api(ctx, next));
    };
  }

  async #log(ctx: ParameterizedContext<LoggedState>, respond: () => Promise<void>): Promise<void> {
    const [at, begunAt] = [this.#clock.now(), this.#clock.steady()];
    await respond();
    const { requestId, operationId, key, step, failure } = ctx.state;
    // A fault can end a request without a response.
    const isUnsent = step === 'fault' && failure === undefined;
    const isRefused = isUnsent || ctx.status >= 400;
    const request: ApiRequest = {
      id: requestId,
      at: isoTime(at),
      method: ctx.method,
      path: ctx.path.slice(0, MAX_PATH_CHARACTERS),
      operationId: operationId ?? null,
      keyId: key?.id ?? null,
      tenantId: key?.tenantId ?? null,
      worldId: (key && this.#store.state.tenants.get(key.tenantId)?.worldId) ?? null,
      status: isUnsent ? null : ctx.status,
      milliseconds: Math.max(0, Math.round((this.#clock.steady() - begunAt) * 10) / 10),
      refusedAt: isRefused ? (step ?? null) : null,
      code: failure?.issues[0]?.code ?? null,
    };
    this.#keep(loggedOf(request, ctx, failure?.details.hint ?? null));
    this.#feed.publish({ event: 'request', data: request });
  }
}

function isFor(
  { prefix, atRoot }: Beside,
  { path, method, headers }: Pick<Context, 'path' | 'method' | 'headers'>,
): boolean {
  if (path !== '/') return isBelow(prefix, path);
  return atRoot === true && method === 'GET' && headers.accept?.includes('text/html') === true;
}

/** A request with both sides, before anybody has asked for them. */
interface Logged {
  readonly request: ApiRequest;
  readonly query: string;
  readonly rawHeaders: readonly string[];
  readonly requestBody: Buffer | null;
  readonly responseHeaders: OutgoingHttpHeaders;
  readonly responseBody: string | null;
  readonly hint: string | null;
  /** What it counts towards {@link MAX_REQUEST_BYTES}. */
  readonly bytes: number;
}

/** Each of many short headers costs more than its characters. */
const HEADER_BYTES = 16;

function loggedOf(
  request: ApiRequest,
  { req, res, state, querystring, body }: ParameterizedContext<LoggedState>,
  hint: string | null,
): Logged {
  const { rawHeaders } = req;
  const query = querystring.slice(0, MAX_QUERY_CHARACTERS);
  const requestBody = state.bodyExcerpt ?? null;
  const responseBody = typeof body === 'string' ? excerptOf(body) : null;
  let bytes = request.path.length + query.length;
  for (const text of rawHeaders) bytes += text.length + HEADER_BYTES;
  bytes += (requestBody?.length ?? 0) + (responseBody?.length ?? 0);
  const responseHeaders = res.getHeaders();
  return { request, query, rawHeaders, requestBody, responseHeaders, responseBody, hint, bytes };
}

/** The excerpt of a long text is a copy, so that the rest is released. */
function excerptOf(text: string): string {
  if (text.length <= EXCERPT_BYTES) return text;
  return Buffer.from(text.slice(0, EXCERPT_BYTES)).toString();
}

function detailOf(logged: Logged): ApiRequestDetail {
  const { request, query, rawHeaders, requestBody, responseHeaders, responseBody, hint } = logged;
  return {
    request,
    query,
    requestHeaders: shownHeaders(rawHeaders),
    requestBody: requestBody?.toString() ?? null,
    responseHeaders: Object.entries(responseHeaders).map(([name, value]) => [name, String(value)]),
    responseBody,
    hint,
  };
}

/** API keys are shortened, so that a reader can pass the request on. */
function shownHeaders(rawHeaders: readonly string[]): [string, string][] {
  return headerPairs(rawHeaders).map(([name, value]) =>
    name.toLowerCase() === 'authorization'
      ? [name, value.replace(/^(Bearer \w{0,8}).*$/is, '$1…')]
      : [name, value],
  );
}
