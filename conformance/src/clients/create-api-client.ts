import type { HeaderPair } from '../http/exchange.ts';
import { redirectTarget } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { keyRemedy, optionRemedy } from '../options/remedies.ts';
import type { KeyName } from '../options/facts.ts';
import { NEAR_KEY, UNKNOWN_KEY } from '../redaction/redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import type { Channel } from '../wire/gate-rules.ts';
import type { Gate, GateSession } from '../wire/gate.ts';
import { monotonicClock, sendUntilReceived, sendWithRetries } from '../wire/rate.ts';
import type { ApiClient, ApiRequest, ApiResponse } from './api-client.ts';
import type { Effects } from './effects.ts';
import { responseOf } from './response.ts';
import type { Samples } from './samples.ts';
import { nearKey, unknownKeyLike } from './unknown-key.ts';

/** What all attempts of a run share about the API under test. */
export interface ApiTarget {
  readonly baseUrl: string | null;
  readonly appUrl: string | null;
  readonly keys: Readonly<Partial<Record<KeyName, { readonly value: string }>>>;
  /** Headers of every request, for a gateway in front of the API. */
  readonly headers: readonly HeaderPair[];
  /** Responses of `sample`: one store for all first attempts of the run, another for all second ones. */
  readonly samples: Samples;
  /** Sees every exchange with the API. */
  readonly note: (request: ApiRequest, outgoing: Outgoing, response: ApiResponse) => void;
  /** Sees every 429 and 503 of the API, after which a request is sent again. */
  readonly notePassing: (response: ApiResponse) => void;
  readonly effects: Pick<Effects, 'lagMilliseconds'>;
  /** Called with each request. Resolves when it may be sent, with what is called with its response. */
  readonly writing: (outgoing: Outgoing) => Promise<(response: ApiResponse) => Promise<void>>;
  /** The targets of redirects. */
  readonly redirects: WeakMap<ApiResponse, string>;
  /** What redirects led to. */
  readonly followed: WeakMap<ApiResponse, Promise<ApiResponse>>;
  readonly redactor: Redactor;
}

/** Long enough for a signature, and without the slash of a media type. */
const LOOKS_SIGNED = /^[\w.~+=:%-]{20,}$/;
const LOOKS_LIKE_ID = /^(?:[a-z]{2,8}_[\da-z]{1,32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

const MAX_REDIRECTS = 10;
/** A larger download is requested again. */
const MAX_FOLLOWED_BYTES = 8 * 1024 * 1024;

/** The API client of one attempt. */
export function createApiClient(
  target: ApiTarget,
  session: GateSession,
  run: { readonly gate: Gate; readonly now: () => number },
): ApiClient {
  const { redactor } = target;
  const withRetries =
    (channel: Channel) =>
    (outgoing: Outgoing): Promise<Incoming> =>
      sendWithRetries(outgoing, {
        send: async (repeat) => {
          const incoming = await session.send(channel, outgoing, repeat);
          if (channel === 'api' && isPassing(incoming)) {
            target.notePassing(responseOf(outgoing, incoming, redactor));
          }
          return incoming;
        },
        pause: (milliseconds) => run.gate.pause(milliseconds),
        now: run.now,
      });

  let wroteAt: number | null = null;
  /** A read shows every earlier write of this attempt, or that a refused one had no effect. */
  const settle = async (): Promise<void> => {
    if (wroteAt === null) return;
    const left = wroteAt + target.effects.lagMilliseconds - monotonicClock.now();
    if (left > 0) await session.wait(left);
  };

  const exchange = async (
    request: ApiRequest,
    through: (outgoing: Outgoing) => Promise<Incoming>,
  ): Promise<ApiResponse> => {
    const outgoing = compose(request, target);
    const isRead = outgoing.method === 'GET' || outgoing.method === 'HEAD';
    if (isRead) await settle();
    const written = await target.writing(outgoing);
    const incoming = await through(outgoing);
    if (!isRead) wroteAt = monotonicClock.now();
    const location = redirectTarget(outgoing.url, incoming);
    if (location !== null) hideSignature(outgoing.url, new URL(location), redactor);
    const response = responseOf(outgoing, incoming, redactor);
    await written(response);
    if (location !== null) target.redirects.set(response, location);
    target.note(request, outgoing, response);
    return response;
  };

  /** The last response of a chain of redirects. Object stores redirect again, for example to another region. */
  const followFrom = async (url: string, hop: number): Promise<ApiResponse> => {
    const outgoing: Outgoing = { method: 'GET', url, headers: [], body: null };
    const incoming = await withRetries('storage')(outgoing);
    const location = redirectTarget(url, incoming);
    if (location === null || hop === MAX_REDIRECTS) {
      return responseOf(outgoing, incoming, redactor);
    }
    hideSignature(outgoing.url, new URL(location), redactor);
    return followFrom(location, hop + 1);
  };
  const once = (outgoing: Outgoing): Promise<Incoming> =>
    outgoing.method === 'GET' || outgoing.method === 'HEAD'
      ? sendUntilReceived((repeat) => session.send('api', outgoing, repeat))
      : session.send('api', outgoing);

  const followAgain = async (redirect: ApiResponse): Promise<ApiResponse> => {
    const url = target.redirects.get(redirect);
    if (url === undefined) throw new TypeError('follow expects a redirect of this run');
    return followFrom(url, 1);
  };

  const send = (request: ApiRequest): Promise<ApiResponse> => exchange(request, withRetries('api'));

  return {
    send,
    sendOnce: (request) => exchange(request, once),
    sample(request) {
      const name = JSON.stringify(compose(request, target));
      return target.samples.get(name, () => send(request));
    },
    follow(redirect) {
      const known = target.followed.get(redirect);
      if (known !== undefined) return known;
      const fresh = followAgain(redirect);
      target.followed.set(redirect, fresh);
      const forget = (): unknown => target.followed.delete(redirect);
      fresh.then(({ bytes }) => bytes.byteLength > MAX_FOLLOWED_BYTES && forget(), forget);
      return fresh;
    },
    followAgain,
  };
}

function isPassing({ status }: Incoming): boolean {
  return status === 429 || status === 503;
}

/**
 * A signed URL gives access to whoever knows it: hides its query, and every long value in query and path that the
 * request did not have itself, as it has the id of a file.
 */
function hideSignature(asked: string, url: URL, redactor: Redactor): void {
  redactor.add('STORAGE_QUERY', url.search);
  for (const value of url.searchParams.values()) {
    if (looksSigned(value, asked)) redactor.add('STORAGE_QUERY', value);
  }
  for (const segment of url.pathname.split('/')) {
    if (looksSigned(segment, asked)) redactor.add('STORAGE_PATH', segment);
  }
}

/** An id is shorter, has a prefix of its kind, or is a UUID. */
function looksSigned(text: string, asked: string): boolean {
  return (
    LOOKS_SIGNED.test(text) &&
    /\d/.test(text) &&
    /[a-z]/i.test(text) &&
    !LOOKS_LIKE_ID.test(text) &&
    !asked.includes(text)
  );
}

function compose(request: ApiRequest, target: ApiTarget): Outgoing {
  const body = bodyOf(request);
  const given = request.headers ?? [];
  const has = (wanted: string): boolean => given.some(([name]) => name.toLowerCase() === wanted);
  const added: HeaderPair[] = [];
  if (request.key !== null && !has('authorization')) {
    const key = keyOf(request.key ?? 'main', target);
    added.push(['authorization', [request.scheme ?? 'Bearer', key].join(' ').trim()]);
  }
  if (request.json !== undefined && !has('content-type')) {
    added.push(['content-type', 'application/json']);
  }
  return {
    method: request.method ?? 'GET',
    url: urlOf(request, target),
    headers: [...added, ...target.headers, ...given],
    body,
  };
}

function bodyOf({ json, body }: ApiRequest): Uint8Array | null {
  if (json !== undefined && body !== undefined) throw new TypeError('pass json or body, not both');
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return typeof body === 'string' ? Buffer.from(body) : (body ?? null);
}

/** A made-up key is hidden too: a target that accepts it takes it for a key. */
function keyOf(key: NonNullable<ApiRequest['key']>, target: ApiTarget): string {
  if (typeof key === 'object') {
    if ('unlike' in key) {
      return hidden(target, UNKNOWN_KEY, unknownKeyLike(keyOf(key.unlike, target)));
    }
    if ('like' in key) return hidden(target, NEAR_KEY, nearKey(keyOf(key.like, target), key.but));
    return key.value;
  }
  const known = target.keys[key];
  if (known === undefined) throw new CouldNotRun(`no ${key} key`, keyRemedy(key));
  return known.value;
}

function hidden({ redactor }: ApiTarget, variable: string, key: string): string {
  redactor.add(variable, key);
  return key;
}

function urlOf({ path, query }: ApiRequest, target: ApiTarget): string {
  const app = path.startsWith('/api/');
  const url = app ? target.appUrl : target.baseUrl;
  if (url === null) {
    throw app
      ? new CouldNotRun('no app URL', optionRemedy('appUrl'))
      : new CouldNotRun('no base URL', optionRemedy('baseUrl'));
  }
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) parameters.append(name, String(value));
  const encoded = parameters.toString();
  if (encoded === '') return url + path;
  return `${url}${path}${path.includes('?') ? '&' : '?'}${encoded}`;
}
