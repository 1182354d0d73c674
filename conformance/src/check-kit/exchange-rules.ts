import type { Operation } from '@hookproof/spec/openapi';

import type { ApiResponse } from '../clients/api-client.ts';
import type { Diagnosis } from '../diagnosis/diagnosis.ts';
import { membersOf } from '../http/message.ts';
import { Violation } from '../verdict/findings.ts';
import { partSchema, contractFaults } from './schema.ts';

/** What every exchange is judged by. */
export const EXCHANGE_RULES = ['response', 'envelope', 'status'] as const;
export type ExchangeRule = (typeof EXCHANGE_RULES)[number];

/** How a response differs from a rule. */
export interface Fault {
  readonly expected: string;
  readonly actual: string;
  readonly diagnosis?: Diagnosis;
}

/**
 * Errors of the service itself. 429 and 503 occur in passing, so that only the checks that cause them judge them. The
 * contract has no status of a gateway, such as 502.
 */
const OWN_ERRORS = new Set([400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 500]);

const schemas = new Map<string, ((value: unknown) => string | null) | null>();

/** The fault of a response by a rule; null for none, undefined when the rule does not apply to it. */
export function faultOf(
  rule: ExchangeRule,
  operation: Operation,
  response: ApiResponse,
): Fault | null | undefined {
  if (rule === 'response') return responseFault(operation, response);
  if (rule === 'status') return statusFault(operation, response);
  return OWN_ERRORS.has(response.status) ? errorFault(response) : undefined;
}

/** The operation whose errors the contract lists. */
const LISTED = 'listDatasetReviewRequests';
const LISTED_ERRORS = new Set([400, 401, 403, 404, 413, 429, 500, 503]);

/** An error without an envelope may be that of something in front of the API. */
function statusFault({ operationId }: Operation, response: ApiResponse): Fault | null | undefined {
  const { status } = response;
  if (operationId !== LISTED || status < 400 || envelopeFault(response) !== null) return undefined;
  if (LISTED_ERRORS.has(status)) return null;
  return { expected: `one of ${[...LISTED_ERRORS].join(', ')}`, actual: `status ${status}` };
}

/** Whether the contract states the body of the operation's success. */
export function hasResponseSchema(operation: Operation): boolean {
  return schemaOf(operation) !== null;
}

/** A success without a body is a freedom of every operation. */
function responseFault(operation: Operation, response: ApiResponse): Fault | null | undefined {
  const faults = schemaOf(operation);
  const { status } = response;
  if (faults === null || status < 200 || status > 299 || status === 204) return undefined;
  const json = jsonFault(response);
  if (json !== null) return json;
  const found = faults(response.json);
  return found === null ? null : { expected: 'a body that fits its schema', actual: found };
}

/** An object with exactly the documented members, whatever the status. */
export function envelopeFault(response: ApiResponse): Fault | null {
  const json = jsonFault(response);
  if (json !== null) return json;
  const found = contractFaults('ErrorEnvelope', response.json);
  if (found !== null) return { expected: 'an error envelope', actual: found };
  return conflictFault(response);
}

/** A conflict of workflow names says with which workflow, wherever it occurs. */
function conflictFault({ status, json }: ApiResponse): Fault | null {
  const { issues, conflictingWorkflowId } = membersOf(json);
  const isConflict =
    status === 409 &&
    Array.isArray(issues) &&
    issues.some((issue) => membersOf(issue)['code'] === 'workflow_name_conflict');
  if (!isConflict || typeof conflictingWorkflowId === 'string') return null;
  const expected = 'conflictingWorkflowId beside workflow_name_conflict';
  return { expected, actual: 'an envelope without it' };
}

/** The fault of an envelope, or of its header; null for none. */
export function errorFault(response: ApiResponse): Fault | null {
  return envelopeFault(response) ?? requestIdFault(response);
}

/** Throws a violation unless the response has an error envelope whose requestId is also its header. */
export function expectEnvelope(response: ApiResponse): void {
  const fault = errorFault(response);
  if (fault !== null) throw new Violation({ ...fault, exchange: response.exchange });
}

/** Whole seconds after which a request may succeed, in a 429. A 503 has the header too, in a form that is not stated. */
export function retryAfterFault(response: ApiResponse): Fault | null {
  const retryAfter = response.header('retry-after');
  const isRight =
    response.status === 429 ? /^[0-9]+$/.test(retryAfter?.trim() ?? '') : retryAfter !== undefined;
  if (isRight) return null;
  const expected = response.status === 429 ? 'Retry-After in whole seconds' : 'Retry-After';
  return { expected, actual: retryAfter === undefined ? 'none' : JSON.stringify(retryAfter) };
}

const OTHER_REQUEST_ID: Diagnosis = {
  cause: 'Something in front of the API, such as a gateway, may set the header itself.',
  fix: 'Let it pass the header of the API on, or let the API take the id of the request for its requestId.',
};

function requestIdFault(response: ApiResponse): Fault | null {
  const { requestId } = membersOf(response.json);
  const header = response.header('x-request-id');
  if (header === requestId) return null;
  return {
    expected: 'x-request-id equal to requestId',
    actual: header === undefined ? 'no x-request-id' : 'another x-request-id',
    ...(header === undefined ? {} : { diagnosis: OTHER_REQUEST_ID }),
  };
}

/** The contract leaves the header of a JSON body open, but one that names another format is wrong. */
function jsonFault(response: ApiResponse): Fault | null {
  const type = response.header('content-type');
  if (type !== undefined && !/^application\/(?:[\w.-]+\+)?json\b/i.test(type.trim())) {
    return { expected: 'JSON', actual: `content-type ${type}` };
  }
  if (response.json === undefined) return { expected: 'JSON', actual: 'a body that is not JSON' };
  return null;
}

function schemaOf(operation: Operation): ((value: unknown) => string | null) | null {
  const { operationId, responses } = operation;
  const known = schemas.get(operationId);
  if (known !== undefined) return known;
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const schema = success?.content?.['application/json']?.schema;
  const faults =
    schema === undefined || Object.keys(schema).length === 0 ? null : partSchema(schema);
  schemas.set(operationId, faults);
  return faults;
}
