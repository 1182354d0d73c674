import { loadOpenApi } from '@hookproof/spec/openapi';
import type { OpenApiDocument } from '@hookproof/spec/openapi';

let document: OpenApiDocument | undefined;

/** The contract as an OpenAPI document, read once. */
export function contract(): OpenApiDocument {
  return (document ??= loadOpenApi());
}
