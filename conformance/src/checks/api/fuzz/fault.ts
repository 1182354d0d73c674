import { contract } from '../../../http/contract.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { partSchema, contractFaults } from '../../../check-kit/schema.ts';
import { listOperations } from '@hookproof/spec/openapi';
import type { JsonSchema } from '@hookproof/spec/openapi';
import type { FuzzedRequest } from './requests.ts';
import { isSuccess } from '../../../http/message.ts';

/** A rule that a response breaks. */
export interface Fault {
  readonly expected: string;
  readonly actual: string;
}

/** Statuses that something in front of the API gives, before the API sees the request. */
const OF_THE_WAY: ReadonlySet<number> = new Set([408, 414, 421, 431, 502, 504]);
const RETRY_AFTER_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** The rule that a response to a generated request breaks; null when it breaks none. */
export function faultOf(
  operationId: string,
  { refused }: FuzzedRequest,
  response: ApiResponse,
): Fault | null {
  const { status } = response;
  if (OF_THE_WAY.has(status)) return null;
  if (RETRY_AFTER_STATUSES.has(status)) {
    return response.header('retry-after') === undefined
      ? { expected: `Retry-After with ${status}`, actual: 'no Retry-After' }
      : null;
  }
  if (status >= 500) return { expected: 'a response below 500', actual: `status ${status}` };
  if (status >= 400) return envelopeFault(response);
  if (status >= 300) return null;
  if (status < 200) return { expected: 'a final status', actual: `status ${status}` };
  if (refused !== null)
    return { expected: `a 4xx, because of ${refused}`, actual: `status ${status}` };
  return bodyFault(operationId, response);
}

function envelopeFault(response: ApiResponse): Fault | null {
  const found = contractFaults('ErrorEnvelope', response.json);
  if (found !== null) {
    return { expected: 'an error envelope', actual: `status ${response.status}: ${found}` };
  }
  const { requestId }: { requestId?: unknown } = Object(response.json);
  const header = response.header('x-request-id');
  if (header === requestId) return null;
  return {
    expected: `x-request-id ${String(requestId)}, the requestId of the envelope`,
    actual: header ?? 'no x-request-id',
  };
}

type Validate = (value: unknown) => string | null;

let validators: ReadonlyMap<string, Validate> | undefined;

function bodyFault(operationId: string, response: ApiResponse): Fault | null {
  if (!isSuccess(response) || response.bytes.byteLength === 0) return null;
  validators ??= readValidators();
  const found = validators.get(operationId)?.(response.json) ?? null;
  return found === null ? null : { expected: 'a body as documented', actual: found };
}

/** Operations whose success has a JSON body. */
function readValidators(): ReadonlyMap<string, Validate> {
  const found = new Map<string, Validate>();
  for (const { operationId, responses } of listOperations(contract())) {
    const schema: JsonSchema | undefined = (responses['200'] ?? responses['2XX'])?.content?.[
      'application/json'
    ]?.schema;
    if (schema !== undefined) found.set(operationId, partSchema(schema));
  }
  return found;
}
