import type { ApiClient, ApiRequest, ApiResponse } from './api-client.ts';
import type { HeaderPair } from '../verdict/exchange.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import type { KeyName } from '../options/facts.ts';
import { responseOf } from './response.ts';
import type { Gate, GateSession } from '../wire/gate.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { redirectTarget } from '../wire/redirect-target.ts';
import { sendWithRetries } from '../wire/throttle.ts';
import type { Incoming, Outgoing } from '../wire/transport.ts';

/** What all sessions of a run share about the API under test. */
export interface ApiTarget {
  readonly baseUrl: string | null;
  readonly appUrl: string | null;
  readonly keys: Readonly<Partial<Record<KeyName, { readonly value: string }>>>;
  /** Answers of `sample`, by request; one map for the run. */
  readonly samples: Map<string, Promise<ApiResponse>>;
  /** Where those answers lead that are redirects. */
  readonly redirects: WeakMap<ApiResponse, string>;
}

/** Long enough for a signature, and without the slash of a media type. */
const LOOKS_SIGNED = /^[\w.~+=-]{20,}$/;

/** The API client of one attempt. `confirming`: nothing is taken from the shared samples. */
export function createApiClient(
  target: ApiTarget,
  session: GateSession,
  confirming: boolean,
  runContext: { readonly gate: Gate; readonly redactor: Redactor; readonly now: () => number },
): ApiClient {
  const { gate, redactor, now } = runContext;

  const withRetries = (outgoing: Outgoing): Promise<Incoming> =>
    sendWithRetries(gate, session, 'api', outgoing, now);

  const exchange = async (
    request: ApiRequest,
    through: (outgoing: Outgoing) => Promise<Incoming>,
  ): Promise<ApiResponse> => {
    const outgoing = compose(request, target);
    const incoming = await through(outgoing);
    const location = redirectTarget(outgoing.url, incoming);
    if (location !== null) hideSignature(new URL(location), redactor);
    const response = responseOf(outgoing, incoming, redactor);
    if (location !== null) target.redirects.set(response, location);
    return response;
  };

  const send = (request: ApiRequest): Promise<ApiResponse> => exchange(request, withRetries);

  return {
    send,
    sendOnce: (request) => exchange(request, (outgoing) => session.send('api', outgoing)),
    sample(request) {
      const name = JSON.stringify(compose(request, target));
      const known = confirming ? undefined : target.samples.get(name);
      if (known !== undefined) return known;
      const fresh = send(request);
      target.samples.set(name, fresh);
      // A failed sample is not shared: the next check tries for itself.
      fresh.catch(() => target.samples.delete(name));
      return fresh;
    },
    async follow(redirect) {
      const url = target.redirects.get(redirect);
      if (url === undefined) throw new TypeError('only a redirect of this run can be followed');
      const outgoing: Outgoing = { method: 'GET', url, headers: [], body: null };
      const incoming = await sendWithRetries(gate, session, 'storage', outgoing, now);
      return responseOf(outgoing, incoming, redactor);
    },
  };
}

/** Who holds a signed address may read what is there: neither its query nor a long value in it is shown. */
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
    url: addressOf(request, target),
    headers: [...added, ...given],
    body,
  };
}

function bodyOf({ json, body }: ApiRequest): Uint8Array | null {
  if (json !== undefined && body !== undefined) throw new TypeError('give json or body, not both');
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return typeof body === 'string' ? Buffer.from(body) : (body ?? null);
}

function keyOf(key: KeyName | { readonly value: string }, target: ApiTarget): string {
  if (typeof key === 'object') return key.value;
  const known = target.keys[key];
  if (known === undefined) throw new CouldNotRun(`the ${key} key is not known`, `need key.${key}`);
  return known.value;
}

function addressOf({ path, query }: ApiRequest, target: ApiTarget): string {
  const app = path.startsWith('/api/');
  const address = app ? target.appUrl : target.baseUrl;
  if (address === null) {
    throw new CouldNotRun(
      `the ${app ? 'app' : 'base'} address is not known`,
      app ? '--app-url URL' : '--base-url URL',
    );
  }
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) parameters.append(name, String(value));
  const encoded = parameters.toString();
  if (encoded === '') return address + path;
  return `${address}${path}${path.includes('?') ? '&' : '?'}${encoded}`;
}
