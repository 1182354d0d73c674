import { readFileSync } from 'node:fs';

/** The strength of a rule: the contract requires it (`must`), recommends it (`should`) or permits it (`may`). */
export type RequirementKeyword = 'must' | 'should' | 'may';

/** The part of an implementation that must follow a rule: API, webhook sender or webhook receiver. */
export type RequirementSide = 'api' | 'sender' | 'receiver';

/** Why no check tests a rule: it is impossible (`excluded`), or something is missing (`open`). */
export type RequirementEvidence =
  | { readonly excluded?: never; readonly open?: never }
  | { readonly excluded: string; readonly open?: never }
  | { readonly open: string; readonly excluded?: never };

/** One rule of the contract. */
export type Requirement = {
  /** Area and rule, such as `inbox.limit.range`; assigned once and never reused. */
  readonly id: string;
  readonly keyword: RequirementKeyword;
  readonly side: RequirementSide;
  /** Heading path in the contract, parts joined by ` > `. */
  readonly clause: string;
  /** A fact about a conforming implementation. */
  readonly rule: string;
} & RequirementEvidence;

/** One point that the contract leaves open. */
export interface Freedom {
  /** Area and point, such as `inbox.order`; assigned once and never reused. */
  readonly id: string;
  /** Heading path in the contract, parts joined by ` > `. */
  readonly clause: string;
  /** The point that the contract does not specify. */
  readonly open: string;
  /** The choice of the reference implementation. */
  readonly reference: string;
  /** Other choices that also conform. At least one. */
  readonly variants: readonly string[];
  /** What the conformance suite never asserts for this reason. */
  readonly neverAsserted: string;
}

/**
 * Returns every rule of the contract in its order. Reads a JSON file of this package.
 *
 * @example
 * ```ts
 * import { loadRequirements } from '@hookproof/spec/requirements';
 *
 * const musts = loadRequirements().filter(({ keyword }) => keyword === 'must');
 * console.log(musts.map(({ id, rule }) => `${id}: ${rule}`));
 * ```
 */
export function loadRequirements(): readonly Requirement[] {
  return JSON.parse(generated('requirements.json'));
}

/**
 * Returns every open point of the contract in its order. Reads a JSON file of this package.
 *
 * @example
 * ```ts
 * import { loadFreedoms } from '@hookproof/spec/requirements';
 *
 * for (const { id, open, reference } of loadFreedoms()) console.log(id, open, reference);
 * ```
 */
export function loadFreedoms(): readonly Freedom[] {
  return JSON.parse(generated('freedoms.json'));
}

function generated(name: string): string {
  return readFileSync(new URL(`../generated/${name}`, import.meta.url), 'utf8');
}
