import type { Operation } from '@hookproof/spec/openapi';

import { operationWithId, pathOf } from '../../../http/contract.ts';
import type { Check, CheckContext, Need, Requirements } from '../../../check-kit/check.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { Access } from '../../../wire/gate-rules.ts';

/** A request that the operation must accept from a key with every scope. */
export interface ValidRequest {
  /** The same operation at another address. Default: that of the operation. */
  readonly operationId?: string;
  /** Values of the path parameters, by the names of the path template. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The slug of the automation in the path, where no fixture has it. */
  readonly slug?: string;
  readonly query?: ApiRequest['query'] & {};
  readonly headers?: ApiRequest['headers'] & {};
  /** A body with every field. In a sandbox that is not disposable, it changes nothing. */
  readonly json?: unknown;
  /** A body that changes something that a reader sees. Default: `json`. */
  readonly changing?: unknown;
}

/** What a reader sees of one kind of thing, such as every review request. */
export interface VisibleState {
  readonly name: string;
  /** A JSON value, equal as long as nothing changes. `before`: the value of the first reading. */
  read(before?: unknown): Promise<unknown>;
}

/** One operation of the contract, with everything that a check needs to call it. */
export interface ApiOperation {
  /** Its name in the ids of checks, such as `review-update`. */
  readonly name: string;
  readonly operationId: string;
  readonly method: Operation['method'];
  /** Path template, such as `/v1/files/{id}`. */
  readonly path: string;
  readonly access: Access;
  /** What its valid request needs. */
  readonly needs: readonly Need[];
  /** The requirement of an operation that the contract names and does not list: what it lacks is advice. */
  readonly advice?: string;
  /** The path parameters that are ids of resources. */
  readonly ids: readonly string[];
  /** Whether the contract requires a body, permits one, or names none. */
  readonly body: 'required' | 'optional' | 'none';
  /** Throws `CouldNotRun` when a fixture is missing. */
  request(sandbox: CheckContext): Promise<ValidRequest>;
  /**
   * For an operation that a deployment does not let everybody try: a request that changes nothing there, because its ids
   * exist nowhere. Those named in `known` are of the fixtures.
   */
  readonly toNothing?: (sandbox: CheckContext, known?: readonly string[]) => Promise<ValidRequest>;
  /** Makes the valid request outside a world, where it can be made once in a run. */
  readonly acceptedOnce?: (context: CheckContext) => Promise<ApiResponse>;
  /** The same request in the other forms that the contract has: by alias, or with each filter of a list. */
  readonly otherForms?: (sandbox: CheckContext, valid: ValidRequest) => readonly ValidRequest[];
  /** What a reader sees of the things that the operation may change. Absent where no operation shows them. */
  readonly visible?: (sandbox: CheckContext, valid: ValidRequest) => readonly VisibleState[];
}

/** What a row of the table declares; the specification supplies the rest. */
export type Row = Omit<ApiOperation, 'method' | 'path' | 'access' | 'body'>;

/** The row with method, path and body from the specification. */
export function operationFrom(row: Row): ApiOperation {
  const { method, path, requestBody } = operationWithId(row.operationId);
  return {
    ...row,
    method,
    path,
    access: accessOf(method),
    body: requestBody === undefined ? 'none' : requestBody.required ? 'required' : 'optional',
  };
}

function accessOf(method: Operation['method']): Access {
  if (method === 'GET') return 'read';
  return method === 'DELETE' ? 'delete' : 'write';
}

/** `GET /v1/files/{id}`, for titles and messages. */
export function titleOf({ method, path }: ApiOperation): string {
  return `${method} ${path}`;
}

/** The valid request, to send with some key. */
export function requestOf(
  { operationId: usual, method }: ApiOperation,
  { operationId = usual, parameters, query, headers, json }: ValidRequest,
): Omit<ApiRequest, 'key'> {
  return {
    method,
    path: pathOf(operationId, parameters),
    ...(query === undefined ? {} : { query }),
    ...(headers === undefined ? {} : { headers }),
    ...(json === undefined ? {} : { json }),
  };
}

/** The valid request with another value of one path parameter. */
export function withParameter(valid: ValidRequest, name: string, value: string): ValidRequest {
  return { ...valid, parameters: { ...valid.parameters, [name]: value } };
}

/** What a check of the operation tests: advice where the contract does not list the operation. */
export function requirementsOf({ advice }: ApiOperation, own: Requirements): Requirements {
  return advice === undefined ? own : [advice, ...own];
}

/** The frame of a check of refusals: what exists nowhere needs no fixture. */
export function refusalFrameOf(operation: ApiOperation): ReturnType<typeof frameOf> {
  const { toNothing, needs } = operation;
  return { ...frameOf(operation), needs: toNothing === undefined ? needs : ['key.main'] };
}

/** The frame of a check that calls the operation. */
export function frameOf({
  access,
  needs,
}: ApiOperation): Pick<Check, 'access' | 'needs' | 'exclusive'> {
  return { access, needs, ...(access === 'read' ? {} : { exclusive: 'without-worlds' }) };
}
