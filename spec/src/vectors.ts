import { readFileSync } from 'node:fs';

import type { SignatureVectors } from './signature-vector.ts';

export type {
  HeaderPair,
  KeyForm,
  SignatureVector,
  SignatureVectorGroup,
  SignatureVectorNote,
  SignatureVectors,
} from './signature-vector.ts';
export { prepareVector } from './vector-recipe.ts';
export type { PreparedVector } from './vector-recipe.ts';

/**
 * Reads `vectors/signature.json` of this package.
 *
 * @example
 * ```ts
 * import { loadSignatureVectors } from '@hookproof/spec/vectors';
 *
 * for (const { secret, now, vectors } of loadSignatureVectors().groups) {
 *   console.log(secret, now, vectors.map(({ id, result }) => `${id}: ${result}`));
 * }
 * ```
 */
export function loadSignatureVectors(): SignatureVectors {
  return JSON.parse(readFileSync(new URL('../vectors/signature.json', import.meta.url), 'utf8'));
}
