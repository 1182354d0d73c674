import type { Hooks } from '../http/between.ts';
import type { Side } from '../options/options.ts';
import type { Knowledge } from './knowledge.ts';

/**
 * A change of the exchanges between a target and the suite, as if the target were another implementation. It is a
 * plain function: it runs in the suite, in a proxy before any target, and in the reference server.
 */
interface Transformation {
  /** Unique in the catalogue: `<what>-<how>`. */
  readonly id: string;
  readonly side: Side;
  /** One sentence about the implementation: "Retries after 400." */
  readonly does: string;
  /** Starts the change for one run, with memory of its own. */
  readonly open: (knowledge: Knowledge) => Hooks;
}

/** An implementation with exactly one defect. At least one check of the requirement must find a violation. */
export interface Defect extends Transformation {
  /** The id of the requirement that it breaks. */
  readonly breaks: string;
}

/** An implementation that uses a freedom of the contract differently from the reference server. No check may object. */
export interface Variant extends Transformation {
  /** The id of the freedom, or of the requirement, that permits it. */
  readonly takes: string;
  /** Ids of checks that do not apply or cannot run then. Every other check passes. Default none. */
  readonly silences?: readonly string[];
}

/**
 * Returns whether a transformation is a defect, and not a variant.
 *
 * @example
 * ```ts
 * import { defects, isDefect, variants } from '@hookproof/conformance/proof';
 *
 * const broken = [...defects, ...variants].filter(isDefect).map(({ breaks }) => breaks);
 * console.log(broken.length);
 * ```
 */
export function isDefect(one: Defect | Variant): one is Defect {
  return 'breaks' in one;
}
