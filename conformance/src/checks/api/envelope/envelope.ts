import { errorFault } from '../../../check-kit/exchange-rules.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { Violation } from '../../../verdict/findings.ts';

/** Throws a violation unless the response has an error envelope whose requestId is also its header. */
export function expectEnvelope(response: ApiResponse): void {
  const fault = errorFault(response);
  if (fault !== null) throw new Violation({ ...fault, exchange: response.exchange });
}
