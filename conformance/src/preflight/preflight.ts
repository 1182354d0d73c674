import type { ApiClient, ApiResponse } from '../clients/api-client.ts';
import type { ControlClient, World } from '../clients/control-client.ts';
import type { ReceiverClient } from '../clients/receiver-client.ts';
import { isRecord } from '../http/message.ts';
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
  /** The target's clock minus the suite's, from the Date header, to the second; null without that header. */
  readonly clockOffsetMilliseconds: number | null;
}

export interface ReachedControl {
  readonly world: World | null;
  readonly clockMode: 'real' | 'virtual' | null;
  /** Why the control interface is unusable, or null. */
  readonly problem: string | null;
}

export interface ReachedReceiver {
  readonly clockOffsetMilliseconds: number | null;
}

/**
 * Reads the identity behind the main key. Throws `Unreachable` when neither of two operations responds with JSON: a
 * defect in one of them is left to the checks.
 */
export async function reachApi(
  baseUrl: string,
  api: ApiClient,
  hasKey: boolean,
  now: () => number,
): Promise<ReachedApi> {
  const key = hasKey ? 'main' : null;
  const sentAt = now();
  const check = await reach(baseUrl, () => api.sample({ path: '/v1/auth/check', key }));
  const clockOffsetMilliseconds = clockOffset(check, (sentAt + now()) / 2);
  const list = await reach(baseUrl, () =>
    api.sample({ path: '/v1/dataset-review-requests', query: { limit: 100 }, key }),
  );
  if (check.json === undefined && list.json === undefined) {
    const type = check.header('content-type') ?? 'no content type';
    throw new Unreachable(
      baseUrl,
      `GET /v1/auth/check: expected JSON, got ${check.status} with ${type}. Check the URL.`,
    );
  }
  const refused = hasKey && check.status === 401 && list.status === 401;
  return {
    identity: identityOf(check),
    keyProblem: refused ? 'the API refused the key with 401' : null,
    clockOffsetMilliseconds,
  };
}

/** Reads the world and the mode of the clock. `fresh` creates a new world for this run. Throws `Unreachable`. */
export async function reachControl(
  url: string,
  control: ControlClient,
  fresh: boolean,
): Promise<ReachedControl> {
  try {
    const { mode } = await control.clock();
    const world = await (fresh ? control.createWorld() : control.world());
    return { world, clockMode: mode, problem: null };
  } catch (error) {
    if (error instanceof NoResponse) throw new Unreachable(url, error.message, { cause: error });
    if (!(error instanceof Inconclusive)) throw error;
    return { world: null, clockMode: null, problem: error.message };
  }
}

/** Any response to a GET will do: a receiver accepts POST only. Throws `Unreachable`. */
export async function reachReceiver(
  url: string,
  receiver: ReceiverClient,
  now: () => number,
): Promise<ReachedReceiver> {
  const sentAt = now();
  const response = await reach(url, () =>
    receiver.deliver({ method: 'GET', headers: [], body: '' }),
  );
  return { clockOffsetMilliseconds: clockOffset(response, (sentAt + now()) / 2) };
}

async function reach(url: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    throw new Unreachable(url, error.message, { cause: error });
  }
}

/** A Date header has whole seconds; half a second is the best estimate of the rest. */
function clockOffset(response: ApiResponse, midway: number): number | null {
  const date = Date.parse(response.header('date') ?? '');
  return Number.isNaN(date) ? null : Math.round(date + 500 - midway);
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
