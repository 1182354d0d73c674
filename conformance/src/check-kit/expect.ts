import type { ApiResponse } from '../clients/api-client.ts';
import { CouldNotRun, Inconclusive, Violation } from '../verdict/findings.ts';

/** A violation that shows this answer. */
export function violation(expected: string, actual: string, response: ApiResponse): Violation {
  return new Violation({ expected, actual, exchange: response.exchange });
}

export function isSuccess(response: ApiResponse): boolean {
  return response.status >= 200 && response.status < 300;
}

export function expectStatus(response: ApiResponse, status: number): void {
  if (response.status !== status) {
    throw violation(`status ${status}`, `status ${response.status}`, response);
  }
}

/** The contract gives no success code but 200 for the inbox: any 2xx will do. */
export function expectSuccess(response: ApiResponse): void {
  if (!isSuccess(response)) throw violation('a 2xx', `status ${response.status}`, response);
}

/**
 * A 2xx to the key of the run. Which scopes an operation asks for is not stated, so that a 403 says
 * nothing but that another key is needed.
 */
export function expectAllowed(response: ApiResponse): void {
  if (response.status === 403) {
    const { method, url } = response.exchange.request;
    throw new CouldNotRun(
      `the key lacks a scope for ${method} ${new URL(url).pathname}`,
      'use a wildcard key',
    );
  }
  expectSuccess(response);
}

/** For refusals whose status the contract leaves open. */
export function expectRefusal(response: ApiResponse): void {
  if (response.status < 400 || response.status > 499) {
    throw violation('a 4xx', `status ${response.status}`, response);
  }
}

/** The request beside a negative probe: when it does not pass either, the probe shows nothing. */
export function assumeSuccess(response: ApiResponse): void {
  if (isSuccess(response)) return;
  const { method, url } = response.exchange.request;
  throw new Inconclusive(
    `the valid request beside the probe, ${method} ${url}, was answered ${response.status}; without it the probe shows nothing`,
  );
}

export function expectEqual(
  what: string,
  actual: unknown,
  expected: unknown,
  response: ApiResponse,
): void {
  if (!sameJson(actual, expected)) {
    throw violation(`${what} ${show(expected)}`, show(actual), response);
  }
}

/** Equal as JSON values: the order of members does not count, a member that is undefined is absent. */
export function sameJson(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, member: unknown) =>
      isRecord(member)
        ? Object.fromEntries(
            Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)),
          )
        : member,
    ) ?? 'undefined'
  );
}
