import { chain } from '@hookproof/conformance/hooks';
import type { Hooks } from '@hookproof/conformance/hooks';

import type { Defect, Variant } from './kit/defect.ts';
import { gatherKnowledge } from './kit/knowledge.ts';
import type { KnownFromOptions } from './kit/knowledge.ts';

/**
 * Returns the hooks of several transformations as one. The first transformation stands nearest to the suite.
 *
 * @example
 * ```ts
 * import { defects, openTransformations } from '@hookproof/conformance/proof';
 *
 * const known = { keys: {}, receiverSecret: undefined, random: Math.random };
 * console.log(Object.keys(openTransformations(defects.slice(0, 1), known)));
 * ```
 */
export function openTransformations(
  transformations: readonly (Defect | Variant)[],
  known: KnownFromOptions,
): Hooks {
  const { knowledge, hooks } = gatherKnowledge(known);
  return chain([...transformations.map(({ open }) => open(knowledge)), hooks]);
}
