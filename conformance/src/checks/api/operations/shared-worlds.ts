import type { CheckContext } from '../../../check-kit/check.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { ControlClient, World } from '../../../clients/control-client.ts';
import { REMEDIES } from '../../../options/facts.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { requestOf } from './operation.ts';
import type { ApiOperation } from './operation.ts';
import { sandboxIn, tenantSandbox } from './sandbox.ts';
import type { Sandbox } from './sandbox.ts';

/** What the checks of the table share in one run. */
interface Shared {
  /** The world in which every request is refused, so that it stays unchanged. */
  refused?: Promise<World>;
  /** The world in which every valid request is made once. */
  accepted?: Promise<World>;
  readonly responses: Map<ApiOperation, Promise<ApiResponse>>;
}

const runs = new WeakMap<object, Shared>();

/** The confirming attempt shares nothing with the first. */
function sharedOf({ run, attempt }: CheckContext): Shared {
  const cached = attempt === 1 ? runs.get(run) : undefined;
  if (cached !== undefined) return cached;
  const pending: Shared = { responses: new Map() };
  if (attempt === 1) runs.set(run, pending);
  return pending;
}

/** Where a request that must be refused is sent: a shared world, or the tenant of the run's key. */
export async function refusedSandbox(
  context: CheckContext,
  { access }: ApiOperation,
): Promise<Sandbox> {
  if (access === 'read') return tenantSandbox(context);
  const shared = sharedOf(context);
  return sandboxIn(context, (control) => worldOf(control, shared, 'refused'));
}

/** The response to the valid request of an operation, made once in the run. */
export async function validResponse(
  context: CheckContext,
  operation: ApiOperation,
): Promise<ApiResponse> {
  if (operation.access === 'read') {
    const sandbox = tenantSandbox(context);
    const { path, query, headers } = requestOf(operation, await operation.request(sandbox));
    return context.api.sample({ path, ...(query && { query }), ...(headers && { headers }) });
  }
  const shared = sharedOf(context);
  const cached = shared.responses.get(operation);
  if (cached !== undefined) return cached;
  const pending = acceptedResponse(context, operation, shared);
  shared.responses.set(operation, pending);
  pending.catch(() => shared.responses.delete(operation));
  return pending;
}

async function acceptedResponse(
  context: CheckContext,
  operation: ApiOperation,
  shared: Shared,
): Promise<ApiResponse> {
  const sandbox = await sandboxIn(context, (control) => worldOf(control, shared, 'accepted'));
  if (operation.irreversible && !sandbox.disposable) {
    throw new CouldNotRun('no control interface', REMEDIES.control);
  }
  const request = requestOf(operation, await operation.request(sandbox));
  return sandbox.api.send({ ...request, key: sandbox.key });
}

function worldOf(
  control: ControlClient,
  shared: Shared,
  name: 'refused' | 'accepted',
): Promise<World> {
  const cached = shared[name];
  if (cached !== undefined) return cached;
  const pending = control.createSharedWorld();
  shared[name] = pending;
  pending.catch(() => delete shared[name]);
  return pending;
}
