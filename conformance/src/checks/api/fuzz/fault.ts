import { envelopeFault, errorFault, faultOf } from '../../../check-kit/exchange-rules.ts';
import type { Fault } from '../../../check-kit/exchange-rules.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { operationWithId } from '../../../http/contract.ts';
import type { FuzzedRequest } from './requests.ts';

/** Statuses that something in front of the API gives, before the API sees the request. */
const BEFORE_THE_API: ReadonlySet<number> = new Set([408, 414, 421, 431, 502, 504]);
const RETRY_AFTER_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** The rule that a response to a generated request breaks; null when it breaks none. */
export function fuzzedFault(
  operationId: string,
  { refused }: FuzzedRequest,
  response: ApiResponse,
): Fault | null {
  const { status } = response;
  if (BEFORE_THE_API.has(status)) return null;
  if (RETRY_AFTER_STATUSES.has(status)) {
    if (response.header('retry-after') !== undefined) return null;
    // Without an envelope either, it is that of a gateway.
    if (status === 503 && envelopeFault(response) !== null) return null;
    return { expected: `Retry-After with ${status}`, actual: 'no Retry-After' };
  }
  if (status >= 500) return { expected: 'a response below 500', actual: `status ${status}` };
  if (status >= 400) return errorFault(response);
  if (status >= 300) return null;
  if (status < 200) return { expected: 'a final status', actual: `status ${status}` };
  if (refused !== null) {
    return { expected: `a 4xx, because of ${refused}`, actual: `status ${status}` };
  }
  if (response.bytes.byteLength === 0) return null;
  return faultOf('response', operationWithId(operationId), response) ?? null;
}
