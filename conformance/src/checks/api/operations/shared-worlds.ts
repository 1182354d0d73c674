import type { CheckContext } from '../../../check-kit/check.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { World } from '../../../clients/control-client.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { requestOf } from './operation.ts';
import type { ApiOperation } from './operation.ts';
import { standingPlace, worldPlace } from './sandbox.ts';
import type { Sandbox } from './sandbox.ts';

/** What the checks of the table share in one run. */
interface Shared {
  /** The world in which every request is refused, so that it stays unchanged. */
  refused?: Promise<World>;
  /** The world in which every right request is made once. */
  accepted?: Promise<World>;
  readonly right: Map<ApiOperation, Promise<ApiResponse>>;
}

const runs = new WeakMap<object, Shared>();

/** The confirming attempt shares nothing with the first. */
function sharedOf({ run, attempt }: CheckContext): Shared {
  const known = attempt === 1 ? runs.get(run) : undefined;
  if (known !== undefined) return known;
  const fresh: Shared = { right: new Map() };
  if (attempt === 1) runs.set(run, fresh);
  return fresh;
}

/** Where a request that must be refused is sent: a shared world, or the tenant of the run's key. */
export async function refusedPlace(
  context: CheckContext,
  { access }: ApiOperation,
): Promise<Sandbox> {
  if (access === 'read') return standingPlace(context);
  const shared = sharedOf(context);
  return placeIn(context, () => worldOf(context, shared, 'refused'));
}

/** The response to the right request of an operation, made once in the run. */
export async function rightResponse(
  context: CheckContext,
  operation: ApiOperation,
): Promise<ApiResponse> {
  if (operation.access === 'read') {
    const place = standingPlace(context);
    const { path, query, headers } = requestOf(operation, await operation.request(place));
    return context.api.sample({ path, ...(query && { query }), ...(headers && { headers }) });
  }
  const shared = sharedOf(context);
  const known = shared.right.get(operation);
  if (known !== undefined) return known;
  const fresh = acceptedResponse(context, operation, shared);
  shared.right.set(operation, fresh);
  fresh.catch(() => shared.right.delete(operation));
  return fresh;
}

async function acceptedResponse(
  context: CheckContext,
  operation: ApiOperation,
  shared: Shared,
): Promise<ApiResponse> {
  const place = await placeIn(context, () => worldOf(context, shared, 'accepted'));
  const request = requestOf(operation, await operation.request(place));
  return place.api.send({ ...request, key: place.key });
}

function worldOf(
  context: CheckContext,
  shared: Shared,
  name: 'refused' | 'accepted',
): Promise<World> {
  const known = shared[name];
  if (known !== undefined) return known;
  const fresh = context.control.createSharedWorld();
  shared[name] = fresh;
  fresh.catch(() => delete shared[name]);
  return fresh;
}

async function placeIn(context: CheckContext, world: () => Promise<World>): Promise<Sandbox> {
  try {
    return worldPlace(context, await world());
  } catch (error) {
    if (!(error instanceof CouldNotRun)) throw error;
    return standingPlace(context);
  }
}
