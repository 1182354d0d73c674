import type { HeaderPair } from '../http/exchange.ts';
import { redirectTarget } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { REMEDIES } from '../options/facts.ts';
import type { KeyName } from '../options/facts.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import type { Channel } from '../wire/gate-rules.ts';
import type { Gate, GateSession } from '../wire/gate.ts';
import { sendWithRetries } from '../wire/rate.ts';
import type { ApiClient, ApiRequest, ApiResponse } from './api-client.ts';
import { responseOf } from './response.ts';

/** What all attempts of a run share about the API under test. */
export interface ApiTarget {
  readonly baseUrl: string | null;
  readonly appUrl: string | null;
  readonly keys: Readonly<Partial<Record<KeyName, { readonly value: string }>>>;
  /** Responses of `sample`, by request; one map for the run. */
  readonly samples: Map<string, Promise<ApiResponse>>;
  /** The targets of redirects. */
  readonly redirects: WeakMap<ApiResponse, string>;
}

/** Long enough for a signature, and without the slash of a media type. */
const LOOKS_SIGNED = /^[\w.~+=-]{20,}$/;

/** The API client of one attempt. `confirming`: takes nothing from the shared samples. */
export function createApiClient(
  target: ApiTarget,
  session: GateSession,
  confirming: boolean,
  run: { readonly gate: Gate; readonly redactor: Redactor; readonly now: () => number },
): ApiClient {
  const withRetries =
    (channel: Channel) =>
    (outgoing: Outgoing): Promise<Incoming> =>
      sendWithRetries(outgoing, {
        send: () => session.send(channel, outgoing),
        pause: (milliseconds) => run.gate.pause(milliseconds),
        now: run.now,
      });

  const exchange = async (
    request: ApiRequest,
    through: (outgoing: Outgoing) => Promise<Incoming>,
  ): Promise<ApiResponse> => {
    const outgoing = compose(request, target);
    const incoming = await through(outgoing);
    const location = redirectTarget(outgoing.url, incoming);
    if (location !== null) hideSignature(new URL(location), run.redactor);
    const response = responseOf(outgoing, incoming, run.redactor);
    if (location !== null) target.redirects.set(response, location);
    return response;
  };

  const send = (request: ApiRequest): Promise<ApiResponse> => exchange(request, withRetries('api'));

  return {
    send,
    sendOnce: (request) => exchange(request, (outgoing) => session.send('api', outgoing)),
    sample(request) {
      const name = JSON.stringify(compose(request, target));
      const known = confirming ? undefined : target.samples.get(name);
      if (known !== undefined) return known;
      const fresh = send(request);
      target.samples.set(name, fresh);
      // A failed sample is not shared: the next check sends its own request.
      fresh.catch(() => target.samples.delete(name));
      return fresh;
    },
    async follow(redirect) {
      const url = target.redirects.get(redirect);
      if (url === undefined) throw new TypeError('follow expects a redirect of this run');
      const outgoing: Outgoing = { method: 'GET', url, headers: [], body: null };
      return responseOf(outgoing, await withRetries('storage')(outgoing), run.redactor);
    },
  };
}

/** A signed URL gives access to whoever knows it: hides its query and every long value in it. */
function hideSignature({ search, searchParams }: URL, redactor: Redactor): void {
  redactor.add('STORAGE_QUERY', search);
  for (const value of searchParams.values()) {
    if (LOOKS_SIGNED.test(value)) redactor.add('STORAGE_QUERY', value);
  }
}

function compose(request: ApiRequest, target: ApiTarget): Outgoing {
  const body = bodyOf(request);
  const given = request.headers ?? [];
  const has = (wanted: string): boolean => given.some(([name]) => name.toLowerCase() === wanted);
  const added: HeaderPair[] = [];
  if (request.key !== null && !has('authorization')) {
    added.push(['authorization', `Bearer ${keyOf(request.key ?? 'main', target)}`]);
  }
  if (request.json !== undefined && !has('content-type')) {
    added.push(['content-type', 'application/json']);
  }
  return {
    method: request.method ?? 'GET',
    url: urlOf(request, target),
    headers: [...added, ...given],
    body,
  };
}

function bodyOf({ json, body }: ApiRequest): Uint8Array | null {
  if (json !== undefined && body !== undefined) throw new TypeError('pass json or body, not both');
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return typeof body === 'string' ? Buffer.from(body) : (body ?? null);
}

function keyOf(key: KeyName | { readonly value: string }, target: ApiTarget): string {
  if (typeof key === 'object') return key.value;
  const known = target.keys[key];
  if (known === undefined) throw new CouldNotRun(`no ${key} key`, REMEDIES.key(key));
  return known.value;
}

function urlOf({ path, query }: ApiRequest, target: ApiTarget): string {
  const app = path.startsWith('/api/');
  const url = app ? target.appUrl : target.baseUrl;
  if (url === null) {
    throw app
      ? new CouldNotRun('no app URL', REMEDIES.appUrl)
      : new CouldNotRun('no base URL', REMEDIES.baseUrl);
  }
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) parameters.append(name, String(value));
  const encoded = parameters.toString();
  if (encoded === '') return url + path;
  return `${url}${path}${path.includes('?') ? '&' : '?'}${encoded}`;
}
