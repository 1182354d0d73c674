import * as fc from 'fast-check';

import { area } from '../../../check-kit/area.ts';
import type { Fault } from '../../../check-kit/exchange-rules.ts';
import type { Check, CheckContext, Requirements } from '../../../check-kit/check.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { NoResponse, NotApplicable, Violation } from '../../../verdict/findings.ts';
import { frameOf, titleOf } from '../operations/operation.ts';
import type { ApiOperation } from '../operations/operation.ts';
import { OPERATIONS } from '../operations/table.ts';
import { openSandbox } from '../operations/sandbox.ts';
import { fuzzedFault } from './fault.ts';
import { requestsFor } from './requests.ts';
import type { FuzzedRequest } from './requests.ts';

/** How long a run generates requests, and from which seed. */
interface FuzzOptions {
  /** For all operations together. */
  readonly seconds: number;
  readonly seed: number;
}

const REQUIREMENTS: Requirements = [
  'status-code.400',
  'envelope.every-error',
  'envelope.request-id.header-equals-body',
  'status-code.503.retry-after',
  'status-code.429.retry-after',
];
/** Requests of one property; their number also bounds what a find can cost to shrink. */
const BATCH = 25;
const MAX_SHRINKS = 80;
const MAX_SILENCES = 3;
/** Statuses after which the same request is sent again. */
const WAITS: ReadonlySet<number> = new Set([429, 503]);

/** One check of each operation, which sends generated requests for its share of the time. */
export function fuzzChecks({ seconds, seed }: FuzzOptions): readonly Check[] {
  const milliseconds = (seconds * 1000) / OPERATIONS.length;
  return OPERATIONS.map((operation) => fuzzCheck(operation, milliseconds, seed));
}

function fuzzCheck(operation: ApiOperation, milliseconds: number, seed: number): Check {
  // The confirming attempt sends the request that the first attempt found, and generates none.
  let found: FuzzedRequest | null = null;
  const frame = { ...frameOf(operation), exclusive: 'always' } as const;
  return area('api.fuzz', { ...frame, timeoutMilliseconds: milliseconds + 120_000 }).check({
    name: operation.name,
    requirements: REQUIREMENTS,
    title: `${titleOf(operation)} follows the contract for generated requests`,
    async run(context) {
      const sandbox = await openSandbox(context);
      if (operation.access !== 'read' && !sandbox.disposable) {
        throw new NotApplicable('generated writes need a world of their own: a control interface');
      }
      const send = sender(sandbox, operation);
      if (context.attempt === 1) {
        found = await search(context, sandbox, operation, { milliseconds, seed });
      }
      if (found === null) return;
      const { response, fault } = await send(found);
      if (fault === null) return;
      const { expected, actual } = fault;
      const again = `Again: --fuzz SECONDS,${seed} --only api.fuzz.${operation.name}.`;
      throw new Violation({
        expected,
        actual,
        message: `expected ${expected}, got ${actual}. ${again}`,
        ...(response === null ? {} : { exchange: response.exchange }),
      });
    },
  });
}

/** Generates requests until the time is over; resolves with the smallest one that shows a fault, or null. */
async function search(
  context: CheckContext,
  sandbox: CheckContext,
  operation: ApiOperation,
  { milliseconds, seed }: { readonly milliseconds: number; readonly seed: number },
): Promise<FuzzedRequest | null> {
  const requests = requestsFor(operation, await operation.request(sandbox));
  const send = sender(sandbox, operation);
  const end = context.now() + milliseconds;
  for (let batch = 0; batch === 0 || context.now() < end; batch += 1) {
    let sent = 0;
    const property = fc.asyncProperty(requests, async (request) => {
      sent += 1;
      if (sent > BATCH + MAX_SHRINKS || context.signal.aborted) return true;
      return (await send(request)).fault === null;
    });
    const { counterexample } = await fc.check(property, { seed: seed + batch, numRuns: BATCH });
    if (counterexample !== null) return counterexample[0];
    if (context.signal.aborted) return null;
  }
  return null;
}

/** Sends a generated request. Without a response three times in a row, that is the fault. */
function sender(
  sandbox: CheckContext,
  { operationId }: ApiOperation,
): (fuzzed: FuzzedRequest) => Promise<{ response: ApiResponse | null; fault: Fault | null }> {
  return async (fuzzed) => {
    for (let silences = 1; ; silences += 1) {
      try {
        const { request } = fuzzed;
        const first = await sandbox.api.sendOnce(request);
        const fault = fuzzedFault(operationId, fuzzed, first);
        if (fault !== null || !WAITS.has(first.status)) return { response: first, fault };
        const response = await sandbox.api.send(request);
        return { response, fault: fuzzedFault(operationId, fuzzed, response) };
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        if (silences < MAX_SILENCES) continue;
        return { response: null, fault: { expected: 'a response', actual: error.message } };
      }
    }
  };
}
