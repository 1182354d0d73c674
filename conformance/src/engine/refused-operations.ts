import type { Check, CheckContext } from '../check-kit/check.ts';
import { titleOf } from '../checks/api/operations/operation.ts';
import type { ApiOperation } from '../checks/api/operations/operation.ts';
import { validResponse } from '../checks/api/operations/shared-worlds.ts';
import { OPERATIONS } from '../checks/api/operations/table.ts';
import type { HttpExchange } from '../http/exchange.ts';
import { operationOf } from '../http/operation-of.ts';
import { CouldNotRun, Inconclusive, Violation } from '../verdict/findings.ts';

/** The operation does not exist, or the key may not call it. */
const CAUSES = new Set([403, 404, 405, 501]);

/**
 * What an attempt of a check threw, or a reference to the one check that reports the cause: an operation that does not
 * exist, or that the key may not call. That is so when the exchange that decided the attempt got the same status as a
 * valid request of its operation gets.
 */
export async function causeOf(
  error: unknown,
  check: Check,
  context: CheckContext,
  selected: readonly Check[],
): Promise<unknown> {
  // A delivery to an endpoint is no request of an operation.
  const exchange = check.side === 'api' ? exchangeOf(error) : null;
  const operation = exchange === null ? undefined : operationIn(exchange);
  const status = exchange?.response?.status ?? 0;
  if (operation === undefined || !CAUSES.has(status)) return error;
  const reporting = reporterOf(operation, status);
  if (check.id === reporting || !selected.some(({ id }) => id === reporting)) return error;
  if (!(await isRefused(operation, status, context))) return error;
  return new CouldNotRun(
    `${titleOf(operation)} gets ${status} for a valid request: see ${reporting}`,
    `make ${reporting} pass`,
  );
}

function exchangeOf(error: unknown): HttpExchange | null {
  if (error instanceof Violation) return error.detail.exchange ?? null;
  if (error instanceof CouldNotRun || error instanceof Inconclusive) return error.exchange;
  return null;
}

function operationIn({ request }: HttpExchange): ApiOperation | undefined {
  const asked = operationOf(request);
  return OPERATIONS.find(({ operationId }) => operationId === asked?.operationId);
}

/** Whether a valid request gets this status. */
async function isRefused(
  operation: ApiOperation,
  status: number,
  context: CheckContext,
): Promise<boolean> {
  try {
    return (await validResponse(context, operation)).status === status;
  } catch (error) {
    if (error instanceof CouldNotRun || error instanceof Inconclusive) return false;
    throw error;
  }
}

/** A key that lacks a scope for several operations is one cause. */
function reporterOf({ name, access }: ApiOperation, status: number): string {
  return status === 403 ? `api.wildcard-key.${access}s` : `api.operation.${name}`;
}
