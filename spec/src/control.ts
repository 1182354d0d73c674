import { readFileSync } from 'node:fs';

import type { ControlOperations } from './generated/control-operations.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { resolveOperations } from './operations.ts';
import type { ResolvedOperation } from './operations.ts';

export type * from './generated/control-types.ts';
export type { ControlOperations } from './generated/control-operations.ts';
export { DELIVERY_FAULT_NAMES, WORLD_FIXTURE_NAMES } from './generated/control-names.ts';
export { CONNECTION_PROBLEMS, REFUSAL_FIX } from './app-fixes.ts';
export { RECEIVER_FIXES } from './receiver-fixes.ts';

/** The control interface as an OpenAPI document. */
export type ControlDocument = Omit<OpenApiDocument, 'webhooks'>;

/** One operation of the control interface. Its references are resolved, except references to schemas. */
export interface ControlOperation extends ResolvedOperation {
  /**
   * Whether the conformance suite needs the operation. Without a `required` operation, the checks that
   * need it could not run. Without an `optional` one, they do not apply. Null if the suite never calls it.
   */
  readonly suite: 'required' | 'optional' | null;
}

/**
 * Reads the control interface as an OpenAPI 3.1 document from a JSON file of this package. The document
 * is self-contained: it includes the schemas of `openapi.yaml` that it uses. Each call returns a new copy.
 *
 * @example
 * ```ts
 * import { loadControl } from '@hookproof/spec/control';
 *
 * const { paths } = loadControl();
 * console.log(Object.keys(paths));
 * ```
 */
export function loadControl(): ControlDocument {
  const document: ControlDocument = JSON.parse(
    readFileSync(new URL('../generated/control.json', import.meta.url), 'utf8'),
  );
  return document;
}

/**
 * Lists the operations of the control interface, in the order of the document.
 *
 * @example
 * ```ts
 * import { listControlOperations, loadControl } from '@hookproof/spec/control';
 *
 * const required = listControlOperations(loadControl()).filter(({ suite }) => suite === 'required');
 * console.log(required.map(({ operationId }) => operationId));
 * ```
 */
export function listControlOperations(document: ControlDocument): ControlOperation[] {
  return resolveOperations(document).map(([operation, resolved]) =>
    marked(resolved, operation['x-suite'] ?? null),
  );
}

function marked(resolved: ResolvedOperation, suite: ControlOperation['suite']): ControlOperation {
  return { ...resolved, suite };
}

/** The request that calls an operation of the control interface. */
export interface ControlRequest {
  readonly method: ControlOperation['method'];
  /** To append to the URL of the interface. Includes the query. */
  readonly path: string;
  /** JSON. Null for an operation without a body. */
  readonly body: string | null;
}

/**
 * Makes the request that calls an operation. `members` are its parameters and the members of its body, in one object
 * as in {@link ControlOperations}.
 *
 * @example
 * ```ts
 * import { controlRequest, listControlOperations, loadControl } from '@hookproof/spec/control';
 *
 * const operations = listControlOperations(loadControl());
 * const moveRun = operations.find(({ operationId }) => operationId === 'moveRun');
 * if (moveRun === undefined) throw new Error('moveRun is not an operation.');
 * const { path, body } = controlRequest(moveRun, { runId: 'exec_1', status: 'running' });
 * console.log(path, body); // /runs/exec_1/moves {"status":"running"}
 * ```
 */
export function controlRequest(
  { method, path, parameters, requestBody }: ControlOperation,
  members: object,
): ControlRequest {
  const places = new Map(parameters.map((one) => [one.name, one.in]));
  const values = new Map<string, unknown>();
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const place = places.get(name);
    if (place === undefined) body[name] = value;
    else if (place === 'query') query.set(name, String(value));
    else values.set(name, value);
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  return {
    method,
    path: query.size === 0 ? filled : `${filled}?${query.toString()}`,
    body: requestBody === undefined ? null : JSON.stringify(body),
  };
}

/**
 * Makes a client of the control interface: a method for each operation but the event stream. `call` sends the request
 * of {@link controlRequest} and returns the JSON of the response; nothing for a 204.
 *
 * @example
 * ```ts
 * import {
 *   controlClient,
 *   controlRequest,
 *   listControlOperations,
 *   loadControl,
 * } from '@hookproof/spec/control';
 *
 * const control = controlClient(listControlOperations(loadControl()), async (operation, members) => {
 *   const { method, path, body } = controlRequest(operation, members);
 *   const response = await fetch(`http://127.0.0.1:4010/_control${path}`, {
 *     method,
 *     headers: { authorization: 'Bearer hpc_…', 'content-type': 'application/json' },
 *     body,
 *   });
 *   if (!response.ok) throw new Error(`${operation.operationId} got ${response.status}.`);
 *   return response.status === 204 ? undefined : response.json();
 * });
 * console.log((await control.getClock()).mode);
 * ```
 */
export function controlClient(
  operations: readonly ControlOperation[],
  call: (operation: ControlOperation, members: object) => Promise<unknown>,
): ControlOperations {
  const methods = operations
    .filter(({ responses }) => responses['200']?.content?.['text/event-stream'] === undefined)
    .map((operation) => [
      operation.operationId,
      (members: object = {}) => call(operation, members),
    ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type is generated from the same document
  return Object.fromEntries(methods) as ControlOperations;
}
