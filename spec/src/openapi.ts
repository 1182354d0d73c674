import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from './openapi-document.ts';

export { listCompanions, listOperations } from './operations.ts';
export type { Operation, ResolvedResponse } from './operations.ts';
export type {
  HeaderObject,
  JsonSchema,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItemObject,
  Reference,
  RequestBodyObject,
  ResponseObject,
  SecuritySchemeObject,
} from './openapi-document.ts';

/**
 * Reads the contract as an OpenAPI 3.1 document from a JSON file of this package. References are not
 * resolved; {@link listOperations} resolves those of operations. Each call returns a new copy.
 *
 * @example
 * ```ts
 * import { loadOpenApi } from '@hookproof/spec/openapi';
 *
 * const { paths } = loadOpenApi();
 * console.log(Object.keys(paths));
 * ```
 */
export function loadOpenApi(): OpenApiDocument {
  const document: OpenApiDocument = JSON.parse(
    readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8'),
  );
  return document;
}
