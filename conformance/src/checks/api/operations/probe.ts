import { isDeepStrictEqual } from 'node:util';

import type { CheckContext } from '../../../check-kit/check.ts';
import { show, violation } from '../../../check-kit/expect.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import { CouldNotRun, Inconclusive } from '../../../verdict/findings.ts';
import { isRedirect } from './files.ts';
import { requestOf, titleOf } from './operation.ts';
import type { ApiOperation, RightRequest } from './operation.ts';
import type { Sandbox } from './sandbox.ts';
import { refusedPlace, rightResponse } from './shared-worlds.ts';
import { isSuccess } from '../../../http/message.ts';

/** Whether a response grants what was asked: a success, or a redirect to the content. */
export function isGranted(response: ApiResponse): boolean {
  return isSuccess(response) || isRedirect(response);
}

/** Inconclusive unless the right request of the operation succeeds with the key of its place. */
export async function assumeGranted(
  context: CheckContext,
  operation: ApiOperation,
): Promise<ApiResponse> {
  const response = await rightResponse(context, operation);
  if (isGranted(response)) return response;
  if (response.status === 403) {
    throw new CouldNotRun(`the key lacks a scope for ${titleOf(operation)}`, 'use a wildcard key');
  }
  throw new Inconclusive(
    `Cannot judge: expected the valid request ${titleOf(operation)} to succeed, got ${response.status}.`,
  );
}

/** A request that must be refused, in its place. */
export interface Probe {
  readonly place: Sandbox;
  readonly right: RightRequest;
  readonly response: ApiResponse;
}

/** Sends a request that differs from the right one as `change` says. */
export async function probe(
  context: CheckContext,
  operation: ApiOperation,
  change: (place: Sandbox, right: RightRequest) => ApiRequest,
): Promise<Probe> {
  const place = await refusedPlace(context, operation);
  const right = await operation.request(place);
  return { place, right, response: await send(place, operation, change(place, right)) };
}

/** The right request with another key. */
export function withKey(
  operation: ApiOperation,
  keyOf: (place: Sandbox) => ApiRequest['key'],
): (place: Sandbox, right: RightRequest) => ApiRequest {
  return (place, right) => {
    const key = keyOf(place);
    return { ...requestOf(operation, right), ...(key === undefined ? {} : { key }) };
  };
}

/** Like `probe`, for a request that would show an effect. Throws a violation for one. */
export async function probeEffect(
  context: CheckContext,
  operation: ApiOperation,
  change: (place: Sandbox, right: RightRequest) => ApiRequest,
): Promise<Probe> {
  const place = await refusedPlace(context, operation);
  const right = await operation.request(place);
  const before = await operation.effect?.(place, right);
  const visible = { ...right, ...(right.changing === undefined ? {} : { json: right.changing }) };
  const response = await send(place, operation, change(place, visible));
  const after = await operation.effect?.(place, right);
  if (isDeepStrictEqual(before, after)) return { place, right, response };
  throw violation(`no effect: ${show(before)}`, show(after), response);
}

/** Checks of one operation send many equal reads: they are sent once. */
function send(place: Sandbox, { access }: ApiOperation, request: ApiRequest): Promise<ApiResponse> {
  if (access !== 'read') return place.api.send(request);
  const { method: _get, json: _none, body: _nothing, ...read } = request;
  return place.api.sample(read);
}
