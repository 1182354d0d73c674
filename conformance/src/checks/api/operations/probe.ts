import type { CheckContext } from '../../../check-kit/check.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { CouldNotRun, Inconclusive } from '../../../verdict/findings.ts';
import { isRedirect } from './files.ts';
import { titleOf } from './operation.ts';
import type { ApiOperation, ValidRequest } from './operation.ts';
import type { Sandbox } from './sandbox.ts';
import { refusedSandbox, validResponse } from './shared-worlds.ts';
import { isSuccess } from '../../../http/message.ts';

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
  if (status === 403) {
    throw new CouldNotRun(`the key lacks a scope for ${title}`, 'use a wildcard key', { exchange });
  }
  throw new Inconclusive(
    `Cannot judge: expected the valid request ${title} to succeed, got ${status}.`,
    { exchange },
  );
}

/** A request that must be refused, and the sandbox in which it was sent. */
export interface Probe {
  readonly sandbox: Sandbox;
  readonly valid: ValidRequest;
  readonly response: ApiResponse;
}

/** Sends a request that differs from the valid one as `change` says. */
export async function probe(
  context: CheckContext,
  operation: ApiOperation,
  change: (sandbox: Sandbox, valid: ValidRequest) => ApiRequest,
): Promise<Probe> {
  const sandbox = await refusedSandbox(context, operation);
  const valid = await operation.request(sandbox);
  return { sandbox, valid, response: await send(sandbox, operation, change(sandbox, valid)) };
}

/** Checks of one operation send many equal reads: they are sent once. */
export function send(
  sandbox: Sandbox,
  { access }: ApiOperation,
  request: ApiRequest,
): Promise<ApiResponse> {
  if (access !== 'read') return sandbox.api.send(request);
  const { method: _get, json: _none, body: _nothing, ...read } = request;
  return sandbox.api.sample(read);
}
