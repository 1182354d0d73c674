import type { ApiClient, ApiResponse } from '../clients/api-client.ts';
import type { ControlClient } from '../clients/control-client.ts';
import { Inconclusive, NoResponse } from '../verdict/findings.ts';
import type {
  Identity,
  ReachedApi,
  ReachedControl,
  ReachedReceiver,
} from '../discover/discovery.ts';
import type { ReceiverClient } from '../clients/receiver-client.ts';
import { Unreachable } from '../verdict/unreachable.ts';

/**
 * Asks the API who we are. Two operations are asked, so that a defect in one of them is left to the checks; only when
 * neither answers JSON, something else lives at this address. Throws `Unreachable`.
 */
export async function reachApi(
  baseUrl: string,
  api: ApiClient,
  hasKey: boolean,
  now: () => number,
): Promise<ReachedApi> {
  const key = hasKey ? 'main' : null;
  const asked = now();
  const check = await reach(baseUrl, () => api.sample({ path: '/v1/auth/check', key }));
  const clockOffsetMilliseconds = clockOffset(check, (asked + now()) / 2);
  const list = await reach(baseUrl, () =>
    api.sample({ path: '/v1/dataset-review-requests', query: { limit: 100 }, key }),
  );
  if (check.json === undefined && list.json === undefined) {
    const type = check.header('content-type') ?? 'no content type';
    throw new Unreachable(
      baseUrl,
      `something else answers there: GET /v1/auth/check came back ${check.status} with ${type}, not JSON`,
    );
  }
  const refused = hasKey && check.status === 401 && list.status === 401;
  return {
    identity: identityOf(check),
    keyProblem: refused ? 'the target refused the key with 401' : null,
    clockOffsetMilliseconds,
  };
}

/** Gets a world and the kind of clock. `fresh`: a world of this run's own. Throws `Unreachable`. */
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

/** Any answer to a GET will do: a receiver takes POST only. Throws `Unreachable`. */
export async function reachReceiver(
  url: string,
  receiver: ReceiverClient,
  now: () => number,
): Promise<ReachedReceiver> {
  const asked = now();
  const response = await reach(url, () =>
    receiver.deliver({ method: 'GET', headers: [], body: '' }),
  );
  return { clockOffsetMilliseconds: clockOffset(response, (asked + now()) / 2) };
}

async function reach(address: string, ask: () => Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    throw new Unreachable(address, error.message, { cause: error });
  }
}

/** A Date header has whole seconds; half a second is the best guess at the rest. */
function clockOffset(response: ApiResponse, midway: number): number | null {
  const date = Date.parse(response.header('date') ?? '');
  return Number.isNaN(date) ? null : Math.round(date + 500 - midway);
}

function identityOf({ status, json }: ApiResponse): Identity | null {
  if (status !== 200 || typeof json !== 'object' || json === null) return null;
  const fields = new Map<string, unknown>(Object.entries(json));
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
  const scope = fields.get('scope');
  return {
    tenantId: text('tenantId'),
    tenantSlug: text('tenantSlug'),
    userId: text('userId'),
    keyId: text('keyId'),
    scope: Array.isArray(scope) ? scope.map(String) : [],
    wildcardGranted: fields.get('wildcardGranted') === true,
  };
}
