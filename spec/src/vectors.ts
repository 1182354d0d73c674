import { readFileSync } from 'node:fs';

import type { OrderingVectors } from './ordering-vector.ts';
import type { SignatureVectors } from './signature-vector.ts';

export type {
  OrderingEvent,
  OrderingVector,
  OrderingVectorGroup,
  OrderingVectorNote,
  OrderingVectors,
} from './ordering-vector.ts';
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

/**
 * Reads `vectors/ordering.json` of this package.
 *
 * @example
 * ```ts
 * import { loadOrderingVectors } from '@hookproof/spec/vectors';
 *
 * for (const { vectors } of loadOrderingVectors().groups) {
 *   console.log(vectors.map(({ id, timeline }) => `${id}: ${timeline.steps.join(' ')}`));
 * }
 * ```
 */
export function loadOrderingVectors(): OrderingVectors {
  return JSON.parse(readFileSync(new URL('../vectors/ordering.json', import.meta.url), 'utf8'));
}
