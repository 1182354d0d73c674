import type { ApiResponse } from '../clients/api-client.ts';
import { CouldNotRun, Inconclusive, Violation } from '../verdict/findings.ts';
import { isSuccess } from '../http/message.ts';
import { firstDifference } from './first-difference.ts';

/** A violation that shows this response. */
export function violation(expected: string, actual: string, response: ApiResponse): Violation {
  return new Violation({ expected, actual, exchange: response.exchange });
}

export function expectStatus(response: ApiResponse, status: number): void {
  if (response.status !== status) {
    throw violation(`status ${status}`, `status ${response.status}`, response);
  }
}

/** The contract names a success status for the inbox only; elsewhere any 2xx will do. */
export function expectSuccess(response: ApiResponse): void {
  if (!isSuccess(response)) throw violation('a 2xx', `status ${response.status}`, response);
}

/** A 2xx for the key of the run. The contract does not state the scopes of every operation, so that a 403 only means that the run needs another key. */
export function expectAllowed(response: ApiResponse): void {
  requireScope(response);
  expectSuccess(response);
}

/** Throws `CouldNotRun` for a 403: another key may be allowed to do this. */
function requireScope(response: ApiResponse): void {
  if (response.status !== 403) return;
  const { method, url } = response.exchange.request;
  throw noAccess(response, `${method} ${new URL(url).pathname}`);
}

/** What a 403 to a valid request means: the key lacks a scope, or it is not the API that refuses. */
export function noAccess(response: ApiResponse, what: string): CouldNotRun {
  const { exchange } = response;
  if (isOfApi(response)) {
    return new CouldNotRun(`the key lacks a scope for ${what}`, 'use a wildcard key', { exchange });
  }
  const type = response.header('content-type') ?? 'no content type';
  return new CouldNotRun(
    `something in front of the API refuses ${what}: 403 with ${type}`,
    'let the requests of the suite pass what stands in front of the API',
    { exchange },
  );
}

/** Whether an error may be one of the API: it has JSON. A login page or a filter for requests has its own form. */
export function isOfApi({ json }: ApiResponse): boolean {
  return json !== undefined;
}

/** For refusals whose status the contract leaves open. */
export function expectRefusal(response: ApiResponse): void {
  if (response.status < 400 || response.status > 499) {
    throw violation('a 4xx', `status ${response.status}`, response);
  }
}

/** Whether the API refuses what a request says: a 403 only means that the run needs another key. */
export function isRefused({ status }: ApiResponse): boolean {
  return status >= 400 && status <= 499 && status !== 403;
}

/** A precondition: unless this request succeeds, the check is inconclusive; after a 403, it could not run. */
export function assumeSuccess(response: ApiResponse): void {
  if (isSuccess(response)) return;
  requireScope(response);
  const { exchange } = response;
  const { method, url } = exchange.request;
  throw new Inconclusive(
    `Cannot judge: expected the valid request ${method} ${url} to succeed, got ${response.status}.`,
    { exchange },
  );
}

/** Shows the first difference alone. */
export function expectEqual(
  what: string,
  actual: unknown,
  expected: unknown,
  response: ApiResponse,
): void {
  const found = firstDifference(expected, actual, what);
  if (found === null) return;
  throw violation(`${found.path} ${show(found.before)}`, show(found.after), response);
}

export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
