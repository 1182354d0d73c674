import { readFileSync } from 'node:fs';

import type { OpenApiDocument } from '@hookproof/spec/openapi';

/** Reads the document of this server: the contract, and the companions with `x-companion: true`. */
export function loadServerDocument(): OpenApiDocument {
  const file = new URL('../../generated/openapi.json', import.meta.url);
  const document: OpenApiDocument = JSON.parse(readFileSync(file, 'utf8'));
  return document;
}
