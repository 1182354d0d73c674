import { readFileSync } from 'node:fs';

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
