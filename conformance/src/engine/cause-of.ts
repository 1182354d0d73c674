import type { Check, CheckContext } from '../check-kit/check.ts';
import { titleOf } from '../checks/api/operations/operation.ts';
import type { ApiOperation } from '../checks/api/operations/operation.ts';
import { validResponse } from '../checks/api/operations/requests.ts';
import { OPERATIONS } from '../checks/api/operations/table.ts';
import type { HttpExchange } from '../http/exchange.ts';
import { operationOf } from '../http/operation-of.ts';
import { CouldNotRun, Inconclusive, ReportedElsewhere, Violation } from '../verdict/findings.ts';

/** The operation does not exist, or the key may not call it. */
const REFUSALS = new Set([403, 404, 405, 501]);

/** Fewer operations may share a fault by accident. */
const MIN_OPERATIONS = 3;

/** What another check reports, in words, and the id of that check. */
interface Suspicion {
  readonly what: string;
  readonly by: string;
}

/**
 * What an attempt of a check threw, or a reference to the one check that reports the cause. A cause counts only if it
 * shows in the exchanges, or if the other check fails here and now.
 */
export async function causeOf(
  error: unknown,
  check: Check,
  context: CheckContext,
  selected: readonly Check[],
): Promise<unknown> {
  // A delivery to an endpoint is no request of an operation.
  if (check.side !== 'api') return error;
  const refused = await refusal(error, check, context, selected);
  if (refused !== null) return refused;
  // What a check finds by itself is first found again.
  if (error instanceof Violation && context.attempt === 1) return error;
  return (await suspected(error, check, context, selected)) ?? error;
}

async function refusal(
  error: unknown,
  check: Check,
  context: CheckContext,
  selected: readonly Check[],
): Promise<ReportedElsewhere | null> {
  const found = await refusedOperation(error, context);
  return found !== null && isOther(found, check, selected) ? reference(found) : null;
}

async function suspected(
  error: unknown,
  check: Check,
  context: CheckContext,
  selected: readonly Check[],
): Promise<ReportedElsewhere | null> {
  const suspicion = suspicionOf(error, context, selected);
  const reporting = selected.find(({ id }) => id === suspicion?.by);
  if (suspicion === null || reporting === undefined || reporting.id === check.id) return null;
  const found = await violationOf(reporting, check, context);
  if (found === null) return null;
  return (
    (await refusal(found, reporting, context, selected)) ??
    (await suspected(found, reporting, context, selected)) ??
    reference(suspicion)
  );
}

function isOther({ by }: Suspicion, { id }: Check, selected: readonly Check[]): boolean {
  return by !== id && selected.some((one) => one.id === by);
}

function reference({ what, by }: Suspicion): ReportedElsewhere {
  return new ReportedElsewhere(what, by);
}

/** An operation whose valid request gets the same status as the exchange that decided the attempt. */
async function refusedOperation(error: unknown, context: CheckContext): Promise<Suspicion | null> {
  const exchange = exchangeOf(error);
  const operation = exchange === null ? undefined : operationIn(exchange);
  const status = exchange?.response?.status ?? 0;
  if (operation === undefined || !REFUSALS.has(status)) return null;
  if (!(await isRefused(operation, status, context))) return null;
  return {
    what: `${titleOf(operation)} gets ${status} for a valid request`,
    by: reporterOf(operation, status),
  };
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

/** What the check itself suspects; and for a fault that the errors of all operations have, the first check of errors. */
function suspicionOf(
  error: unknown,
  { exchanges }: CheckContext,
  selected: readonly Check[],
): Suspicion | null {
  if (error instanceof Inconclusive && error.reportedBy !== null) {
    const what = error.message.replace(/^Cannot judge: /, '').replace(/\.$/, '');
    return { what, by: error.reportedBy };
  }
  if (!(error instanceof Violation) || (error.detail.exchange?.response?.status ?? 0) < 400) {
    return null;
  }
  const records = OPERATIONS.map(({ operationId }) => exchanges.record(operationId, 'envelope'));
  const seen = records.filter(({ judged }) => judged > 0);
  const { actual } = error.detail;
  const isEverywhere =
    seen.length >= MIN_OPERATIONS &&
    seen.every(({ judged, bad, first }) => bad === judged && first?.fault.actual === actual);
  const first = OPERATIONS.map(({ name }) => `api.envelope.${name}`).find((id) =>
    selected.some((check) => check.id === id),
  );
  if (!isEverywhere || first === undefined) return null;
  return { what: `no error of this API has an envelope (${actual})`, by: first };
}

/** What a check finds here and now; null when it finds nothing, or may do more than the check that asks. */
async function violationOf(
  reporting: Check,
  { access }: Check,
  context: CheckContext,
): Promise<Violation | null> {
  if (reporting.access !== 'read' && reporting.access !== access) return null;
  try {
    await reporting.run(context);
    return null;
  } catch (error) {
    return error instanceof Violation ? error : null;
  }
}
