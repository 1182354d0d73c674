import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { noAccess } from '../../../check-kit/expect.ts';
import { once } from '../../../check-kit/once.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { World } from '../../../clients/control-client.ts';
import { isSuccess } from '../../../http/message.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { absenceOf } from './absence.ts';
import { isRedirect } from './files.ts';
import { requestOf, titleOf } from './operation.ts';
import type { ApiOperation, ValidRequest } from './operation.ts';
import { sandboxIn } from './sandbox.ts';
import { OPERATIONS } from './table.ts';

/** The world in which every request is refused, so that it stays unchanged. */
const refusingWorld = once(sharedWorld);
/** The world in which every valid request is made once. */
const acceptingWorld = once(sharedWorld);
const accepted = new Map(
  OPERATIONS.map((operation) => [
    operation,
    once((context: CheckContext) => acceptedResponse(context, operation)),
  ]),
);

function sharedWorld({ control }: CheckContext): Promise<World> {
  return control.createSharedWorld();
}

async function acceptedResponse(
  context: CheckContext,
  operation: ApiOperation,
): Promise<ApiResponse> {
  const sandbox = await sandboxIn(context, () => acceptingWorld(context));
  if (operation.acceptedOnce !== undefined && !sandbox.disposable) {
    return operation.acceptedOnce(context);
  }
  return sandbox.api.send(requestOf(operation, await operation.request(sandbox)));
}

/** The response to the valid request of an operation, made once for the checks of a run. */
export async function validResponse(
  context: CheckContext,
  operation: ApiOperation,
): Promise<ApiResponse> {
  if (operation.access !== 'read') {
    return accepted.get(operation)?.(context) ?? acceptedResponse(context, operation);
  }
  const { path, query, headers } = requestOf(operation, await operation.request(context));
  return context.api.sample({ path, ...(query && { query }), ...(headers && { headers }) });
}

/** Whether a response grants what was asked: a success, or a redirect to the content. */
export function isGranted(response: ApiResponse): boolean {
  return isSuccess(response) || isRedirect(response);
}

/** Inconclusive unless the valid request of the operation succeeds with the key of its sandbox. */
export async function assumeGranted(
  context: CheckContext,
  operation: ApiOperation,
): Promise<ApiResponse> {
  const response = await validResponse(context, operation);
  if (isGranted(response)) return response;
  const { exchange, status } = response;
  const title = titleOf(operation);
  if (status === 403) throw noAccess(response, title);
  throw new Inconclusive(
    `Cannot judge: expected the valid request ${title} to succeed, got ${status}.`,
    { exchange },
  );
}

/** What responds to ids that exist nowhere, once in a run. */
const ofNothing = new Map(
  OPERATIONS.map((operation) => [
    operation,
    once(async (context: CheckContext) => {
      const nothing = await operation.toNothing?.(context);
      if (nothing === undefined) return null;
      const response = await context.api.send(requestOf(operation, nothing));
      return { response, cause: await absenceOf(context.api, response) };
    }),
  ]),
);

/** The response of an operation to ids that exist nowhere; null when it has no such request. */
export async function responseToNothing(
  context: CheckContext,
  operation: ApiOperation,
): Promise<{ readonly response: ApiResponse; readonly cause: string | null } | null> {
  return (await ofNothing.get(operation)?.(context)) ?? null;
}

/** Points to the check of the operation when nothing serves it. */
export async function assumeServed(context: CheckContext, operation: ApiOperation): Promise<void> {
  const found = await responseToNothing(context, operation);
  if (found === null || found.cause === null) return;
  throw new Inconclusive(
    `Cannot judge: ${titleOf(operation)} gets ${found.response.status} for ids that exist nowhere.`,
    { reportedBy: `api.operation.${operation.name}` },
  );
}

/** What is wrong with a request, in place of the valid one. */
type Change = (valid: ValidRequest) => ApiRequest;

/** The response to a request that must be refused. It differs from the valid one as `change` says. */
export async function refusedResponse(
  context: CheckContext,
  operation: ApiOperation,
  change: Change,
): Promise<ApiResponse> {
  const sandbox = await refusingSandbox(context, operation);
  return send(sandbox, operation, change(await operation.request(sandbox)));
}

async function refusingSandbox(
  context: CheckContext,
  { access }: ApiOperation,
): Promise<CheckContext> {
  return access === 'read' ? context : sandboxIn(context, () => refusingWorld(context));
}

/**
 * The same to an operation that need not be tried on something that exists: outside a world, the ids exist nowhere, but
 * for those in `known`, which are of the fixtures.
 */
export async function refusedToNothing(
  context: CheckContext,
  operation: ApiOperation,
  change: Change,
  known?: readonly string[],
): Promise<ApiResponse> {
  const { toNothing } = operation;
  if (toNothing === undefined || controlOrNull(context) !== null) {
    await assumeGranted(context, operation);
    return refusedResponse(context, operation, change);
  }
  await assumeServed(context, operation);
  return send(context, operation, change(await toNothing(context, known)));
}

/** Checks of one operation send many equal reads: they are sent once. */
export function send(
  sandbox: CheckContext,
  { access }: ApiOperation,
  request: ApiRequest,
): Promise<ApiResponse> {
  if (access !== 'read') return sandbox.api.send(request);
  const { method: _get, json: _none, body: _nothing, ...read } = request;
  return sandbox.api.sample(read);
}
