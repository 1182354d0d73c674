import { titleOf } from '../checks/api/operations/operation.ts';
import type { ApiOperation } from '../checks/api/operations/operation.ts';
import { OPERATIONS } from '../checks/api/operations/table.ts';
import type { HttpExchange } from '../http/exchange.ts';
import { operationOf } from '../http/operation-of.ts';
import { checkRemedy } from '../options/remedies.ts';
import type { Finding } from '../verdict/findings.ts';
import type { CheckResult } from './check-result.ts';

/** The operation does not exist, or the key may not call it. */
const REFUSALS = new Set([403, 404, 405, 501]);

/** Fewer operations may share a fault by accident. */
const MIN_OPERATIONS = 3;

/** What another check reports, in words, and the id of that check. */
interface Cause {
  readonly what: string;
  readonly by: string;
  /** Whether an exchange shows it, so that the other check need not have failed. Default false. */
  readonly isShown?: true;
}

/** A check that says why it has no result. */
const OPEN: ReadonlySet<Finding['kind']> = new Set(['could-not-run', 'inconclusive']);

type Results = ReadonlyMap<string, CheckResult>;

/** What is looked up for each result. */
interface Known {
  readonly results: Results;
  readonly sharedFault: SharedFault | null;
}

/** A fault that the errors of all operations have, and the first check of errors, which reports it. */
interface SharedFault {
  readonly actual: string;
  readonly by: string;
}

/**
 * The results with one failure for each cause: what follows from the failure of another check could not run, and refers
 * to that check.
 */
export function foldFollowUps(results: readonly CheckResult[]): readonly CheckResult[] {
  const byId: Results = new Map(results.map((result) => [result.check.id, result]));
  const known = { results: byId, sharedFault: sharedFaultOf(byId) };
  return results.map((result) => {
    const cause = causeOf(result, known);
    return { ...result, finding: cause === null ? naming(result.finding) : reference(cause) };
  });
}

/** A check that did not fail, or was not selected, may still say more. */
function naming(finding: Finding): Finding {
  if (finding.kind !== 'inconclusive' || finding.reportedBy == null) return finding;
  return { ...finding, message: `${finding.message} See the check ${finding.reportedBy}.` };
}

function reference({ what, by }: Cause): Finding {
  return {
    kind: 'could-not-run',
    message: `${what}: see ${by}`,
    remedies: [checkRemedy(by)],
  };
}

/** The cause of a failure that another check reports, and in turn the cause of that one. */
function causeOf(
  { check, finding }: CheckResult,
  known: Known,
  asked: ReadonlySet<string> = new Set(),
): Cause | null {
  if (asked.has(check.id)) return null;
  const { results, sharedFault } = known;
  const suspected = [
    reportedCause(finding),
    // A delivery to an endpoint is no request of an operation.
    ...(check.side === 'api'
      ? [refusedOperation(finding, results), sameFault(finding, sharedFault)]
      : []),
  ];
  for (const cause of suspected) {
    const reporting = cause === null ? undefined : results.get(cause.by);
    if (reporting === undefined || reporting.check.id === check.id) continue;
    const root = causeOf(reporting, known, new Set([...asked, check.id]));
    if (root !== null) return root;
    const { kind } = reporting.finding;
    if (kind === 'violation' || (cause?.isShown === true && OPEN.has(kind))) return cause;
  }
  return null;
}

/** What the check itself says. */
function reportedCause(finding: Finding): Cause | null {
  if (finding.kind !== 'inconclusive' || finding.reportedBy == null) return null;
  const what = finding.message.replace(/^Cannot judge: /, '').replace(/\.$/, '');
  return { what, by: finding.reportedBy };
}

/** An operation whose valid request got the same status as the exchange that decided the check. */
function refusedOperation(finding: Finding, results: Results): Cause | null {
  const exchange = exchangeOf(finding);
  const operation = exchange === null ? undefined : operationIn(exchange);
  const status = exchange?.response?.status ?? 0;
  if (operation === undefined || !REFUSALS.has(status)) return null;
  const own = results.get(`api.operation.${operation.name}`);
  if (own === undefined || exchangeOf(own.finding)?.response?.status !== status) return null;
  const { name, access } = operation;
  return {
    what: `${titleOf(operation)} gets ${status} for a valid request`,
    // A key that lacks a scope for several operations is one cause.
    by: status === 403 ? `api.wildcard-key.${access}s` : `api.operation.${name}`,
    isShown: true,
  };
}

/** The fault that every error has. */
function sameFault(finding: Finding, shared: SharedFault | null): Cause | null {
  if (shared === null || finding.kind !== 'violation') return null;
  const { actual, exchange } = finding.detail;
  if ((exchange?.response?.status ?? 0) < 400 || actual !== shared.actual) return null;
  return { what: `the errors of all operations have the same fault (${actual})`, by: shared.by };
}

function sharedFaultOf(results: Results): SharedFault | null {
  const judged = OPERATIONS.flatMap(({ name }) => results.get(`api.envelope.${name}`) ?? []).filter(
    ({ finding }) => finding.kind === 'violation' || finding.kind === 'pass',
  );
  const faults = judged.map(({ finding }) =>
    finding.kind === 'violation' ? finding.detail.actual : null,
  );
  const [first] = judged;
  const [actual = null] = faults;
  if (first === undefined || actual === null || judged.length < MIN_OPERATIONS) return null;
  return faults.every((fault) => fault === actual) ? { actual, by: first.check.id } : null;
}

function exchangeOf(finding: Finding): HttpExchange | null {
  if (finding.kind === 'violation') return finding.detail.exchange ?? null;
  if (finding.kind === 'could-not-run' || finding.kind === 'inconclusive') {
    return finding.exchange ?? null;
  }
  return null;
}

function operationIn({ request }: HttpExchange): ApiOperation | undefined {
  const asked = operationOf(request);
  return OPERATIONS.find(({ operationId }) => operationId === asked?.operationId);
}
