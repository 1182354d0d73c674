import type { ApiClient, ApiRequest, ApiResponse } from '../api-client.ts';
import type { HeaderPair } from '../exchange.ts';
import { CouldNotRun } from '../findings.ts';
import type { KeyName } from '../facts.ts';
import { answerOf } from './answer.ts';
import type { Gate, GateSession } from './gate.ts';
import type { Redactor } from './redactor.ts';
import { sendPatiently } from './throttle.ts';
import type { Outgoing } from './transport.ts';

/** What all sessions of a run share about the API under test. */
export interface ApiTarget {
  readonly baseUrl: string | null;
  readonly appUrl: string | null;
  readonly keys: Readonly<Partial<Record<KeyName, { readonly value: string }>>>;
  /** Answers of `sample`, by request; one map for the run. */
  readonly samples: Map<string, Promise<ApiResponse>>;
}

/** The API client of one attempt. `confirming`: nothing is taken from the shared samples. */
export function createApiClient(
  target: ApiTarget,
  session: GateSession,
  confirming: boolean,
  surroundings: { readonly gate: Gate; readonly redactor: Redactor; readonly now: () => number },
): ApiClient {
  const { gate, redactor, now } = surroundings;

  const send = async (request: ApiRequest): Promise<ApiResponse> => {
    const outgoing = compose(request, target);
    const incoming = await sendPatiently(gate, session, 'api', outgoing, now);
    return answerOf(outgoing, incoming, redactor);
  };

  return {
    send,
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
  };
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
