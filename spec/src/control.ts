import { readFileSync } from 'node:fs';

import type { OpenApiDocument } from './openapi-document.ts';
import { resolveOperations } from './operations.ts';
import type { ResolvedOperation } from './operations.ts';

export type * from './generated/control-types.ts';

/** The control interface as an OpenAPI document. */
export type ControlDocument = Omit<OpenApiDocument, 'webhooks'>;

/** One operation of the control interface, with its references but those of schemas resolved. */
export interface ControlOperation extends ResolvedOperation {
  /**
   * Whether the conformance suite needs it: checks come to no verdict without one that is `required`, and
   * do not apply without one that is `optional`. Null for one that the suite does not call.
   */
  readonly suite: 'required' | 'optional' | null;
}

/**
 * Reads the control interface as an OpenAPI 3.1 document from the package's own JSON file, which stands
 * alone: what `control.yaml` takes from `openapi.yaml` is in it. Each call returns a fresh copy.
 */
export function loadControl(): ControlDocument {
  const document: ControlDocument = JSON.parse(
    readFileSync(new URL('../generated/control.json', import.meta.url), 'utf8'),
  );
  return document;
}

/** Lists the operations of the control interface, in the order of the document. */
export function listControlOperations(document: ControlDocument): ControlOperation[] {
  return resolveOperations(document).map(([operation, resolved]) =>
    marked(resolved, operation['x-suite'] ?? null),
  );
}

function marked(resolved: ResolvedOperation, suite: ControlOperation['suite']): ControlOperation {
  return { ...resolved, suite };
}
