import type { ApiClient, ApiResponse } from '../clients/api-client.ts';
import { requireReadable } from '../clients/response.ts';
import { clockOffsetIn } from './clock-offset.ts';
import type { ControlClient, World } from '../clients/control-client.ts';
import { isRecord, membersOf } from '../http/message.ts';
import { Inconclusive, NoResponse, Unreachable } from '../verdict/findings.ts';

/** The owner of the main key, from `GET /v1/auth/check`. */
export interface Identity {
  readonly tenantId: string;
  readonly tenantSlug: string;
  readonly userId: string;
  readonly keyId: string;
  readonly scope: readonly string[];
  readonly wildcardGranted: boolean;
}

export interface ReachedApi {
  /** Null when the response is not an identity. */
  readonly identity: Identity | null;
  /** Why the main key is unusable, or null. */
  readonly keyProblem: string | null;
  /** Why the app URL is unusable, or null. */
  readonly appProblem: string | null;
  /** The target's clock minus the suite's, from the Date header, to the second; null without that header. */
  readonly clockOffsetMilliseconds: number | null;
}

export interface ReachedControl {
  readonly world: World | null;
  readonly clockMode: 'real' | 'virtual' | null;
  /** Why the control interface is unusable, or null. */
  readonly problem: string | null;
  /** Why its world is of no use to the key of the run, or null. */
  readonly foreignWorld?: string | null;
}

/**
 * Reads the identity behind the main key. Throws `Unreachable` when neither of two operations responds with JSON: a
 * defect in one of them is left to the checks.
 */
export async function reachApi(
  baseUrl: string,
  api: ApiClient,
  {
    hasKey,
    worldKey,
    appUrl,
  }: {
    readonly hasKey: boolean;
    /** A key that must be accepted, because the control interface has made it; null without one. */
    readonly worldKey: string | null;
    readonly appUrl: string | null;
  },
  now: () => number,
): Promise<ReachedApi> {
  const key = hasKey ? 'main' : null;
  const sentAt = now();
  const check = await reach(baseUrl, () => api.sample({ path: '/v1/auth/check', key }));
  const clockOffsetMilliseconds = clockOffsetIn(check, (sentAt + now()) / 2);
  const list = await reach(baseUrl, () =>
    api.sample({ path: '/v1/dataset-review-requests', query: { limit: 100 }, key }),
  );
  if (check.json === undefined && list.json === undefined) {
    throw new Unreachable(
      baseUrl,
      `GET /v1/auth/check: expected JSON, got ${otherResponse(check)}`,
    );
  }
  refuseOtherApi(baseUrl, check, list);
  const refused = hasKey && check.status === 401 && list.status === 401;
  if (refused && worldKey !== null) await requireAccepted(baseUrl, api, worldKey);
  return {
    identity: identityOf(check),
    keyProblem: refused ? 'the API refused the key with 401' : null,
    appProblem: appUrl === null || !hasKey || refused ? null : await appProblem(appUrl, api),
    clockOffsetMilliseconds,
  };
}

/** What responds in place of the API, and what to do about it. */
function otherResponse(response: ApiResponse): string {
  const { status } = response;
  const location = response.header('location');
  if (status >= 300 && status <= 399 && location !== undefined) {
    return `${status}, a redirect to ${location}. If that is the API, name it with --base-url; if it is a login, something in front of the API wants another header (--header NAME=VALUE).`;
  }
  if (status === 401 && /^basic\b/i.test(response.header('www-authenticate') ?? '')) {
    return '401 from something in front of the API, which asks for Basic authentication. That needs the header Authorization, which carries the API key. Let it take another header (--header NAME=VALUE), or allow this client.';
  }
  const type = response.header('content-type') ?? 'no content type';
  return `${status} with ${type}. Check the URL. A gateway in front of the API may want another header (--header NAME=VALUE) or refuse the User-Agent.`;
}

/** The agents have no 404. Something that is no API does not refuse a request without a key. */
async function appProblem(appUrl: string, api: ApiClient): Promise<string | null> {
  const path = '/api/v1/agents';
  try {
    const list = await api.sample({ path, query: { limit: 100 } });
    if (list.json !== undefined && list.status !== 404) return null;
    const isApi = list.json === undefined && (await api.sample({ path, key: null })).status === 401;
    if (isApi) return null;
    const type = list.header('content-type') ?? 'no content type';
    return `GET ${appUrl}${path}: expected a list, got ${list.status} with ${type}`;
  } catch (error) {
    if (error instanceof NoResponse) return error.message;
    if (error instanceof Inconclusive) return null;
    throw error;
  }
}

/** Throws `Unreachable` for an address at which another API responds, or none. A defect of this one shows in part only. */
function refuseOtherApi(baseUrl: string, check: ApiResponse, list: ApiResponse): void {
  const { status } = check;
  if (status === list.status && status >= 400 && status <= 499 && status !== 401) {
    const fix =
      status === 404 && /\/v[0-9]+$/.test(baseUrl)
        ? 'leave out /v1, which the suite appends'
        : 'check the URL';
    throw new Unreachable(
      baseUrl,
      `GET /v1/auth/check and GET /v1/dataset-review-requests: expected this API, got ${status} twice${reasonIn(check)}. Base URL ${baseUrl}: ${fix}.`,
    );
  }
  const isOther = [check, list].every(
    ({ status: own, json }) =>
      own < 300 && !(isRecord(json) && ('tenantId' in json || 'data' in json)),
  );
  if (!isOther) return;
  throw new Unreachable(
    baseUrl,
    `GET /v1/auth/check and GET /v1/dataset-review-requests: expected this API, got ${check.status} and ${list.status} with other bodies. Base URL ${baseUrl}: check the URL.`,
  );
}

const MAX_REASON_CHARACTERS = 300;

/** What the target itself says about a refusal: the messages and the hint of an envelope, else the body. */
function reasonIn({ exchange, json }: ApiResponse): string {
  const { issues, hint } = membersOf(json);
  const messages = Array.isArray(issues) ? issues.map((issue) => membersOf(issue)['message']) : [];
  const own = [...messages, hint].filter((text) => typeof text === 'string');
  const text = own.length > 0 ? own.join('; ') : (exchange.response?.body ?? '');
  return text === '' ? '' : `, with "${text.slice(0, MAX_REASON_CHARACTERS)}"`;
}

/** Throws `Unreachable` when the API refuses a key of its own control interface too: then no key will do. */
async function requireAccepted(baseUrl: string, api: ApiClient, value: string): Promise<void> {
  const check = await api.sample({ path: '/v1/auth/check', key: { value } });
  if (check.status !== 401) return;
  throw new Unreachable(
    baseUrl,
    `GET /v1/auth/check: expected the API to accept the wildcard key of its control interface, got 401${reasonIn(check)}. Do --base-url and --control-url name the same deployment, and does the request arrive with its header Authorization?`,
    {
      headline: 'the API refuses every key of its control interface with 401',
      remedy: 'make the API accept the keys of its control interface',
    },
  );
}

/** Reads the world and the mode of the clock. `fresh` creates a new world for this run. Throws `Unreachable`. */
export async function reachControl(
  url: string,
  control: ControlClient,
  fresh: boolean,
): Promise<ReachedControl> {
  try {
    const { mode } = await control.getClock();
    const world = await (fresh ? control.createWorld() : control.getWorld());
    return { world, clockMode: mode, problem: null };
  } catch (error) {
    if (error instanceof NoResponse) throw new Unreachable(url, error.message, { cause: error });
    if (!(error instanceof Inconclusive)) throw error;
    return { world: null, clockMode: null, problem: error.message };
  }
}

async function reach(url: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    const response = await send();
    requireReadable(response);
    return response;
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    throw new Unreachable(url, error.message, { cause: error });
  }
}

function identityOf({ status, json }: ApiResponse): Identity | null {
  if (status !== 200 || !isRecord(json)) return null;
  const string = (name: string): string => {
    const value = json[name];
    return typeof value === 'string' ? value : '';
  };
  const { scope } = json;
  return {
    tenantId: string('tenantId'),
    tenantSlug: string('tenantSlug'),
    userId: string('userId'),
    keyId: string('keyId'),
    scope: Array.isArray(scope) ? scope.map(String) : [],
    wildcardGranted: json['wildcardGranted'] === true,
  };
}
