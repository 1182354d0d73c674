import { chain } from '../http/between.ts';
import type { Hooks } from '../http/between.ts';
import { gatherKnowledge } from './knowledge.ts';
import type { KnownFromOptions } from './knowledge.ts';
import type { Defect, Variant } from './kit/defect.ts';

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
