import { readFileSync } from 'node:fs';

/** How binding a rule is: `must` is stated, `should` is advised, `may` is permitted by the contract. */
export type RequirementKeyword = 'must' | 'should' | 'may';

/** Who has to keep a rule: the API, the sender of webhooks or a receiver of them. */
export type RequirementSide = 'api' | 'sender' | 'receiver';

/** Why no check tests a rule: why none can, or what its checks wait for. A rule with neither is tested. */
export type RequirementEvidence =
  | { readonly excluded?: never; readonly open?: never }
  | { readonly excluded: string; readonly open?: never }
  | { readonly open: string; readonly excluded?: never };

/** One rule of the contract. */
export type Requirement = {
  /** Area and rule, such as `inbox.limit.range`; minted once and never reused. */
  readonly id: string;
  readonly keyword: RequirementKeyword;
  readonly side: RequirementSide;
  /** Heading path in the contract, parts joined by ` > `. */
  readonly clause: string;
  /** What has to be true. */
  readonly rule: string;
} & RequirementEvidence;

/** One point that the contract leaves open. */
export interface Freedom {
  /** Area and point, such as `inbox.order`; minted once and never reused. */
  readonly id: string;
  /** Heading path in the contract, parts joined by ` > `. */
  readonly clause: string;
  /** What the contract does not settle. */
  readonly open: string;
  /** What the reference implementation chose. */
  readonly reference: string;
  /** Other choices that conform just as well; at least one. */
  readonly variants: readonly string[];
  /** What the conformance suite therefore never asserts. */
  readonly neverAsserted: string;
}

/** Every rule of the contract, in its order. Reads one JSON file of this package from disk. */
export function loadRequirements(): readonly Requirement[] {
  return JSON.parse(generated('requirements.json'));
}

/** Every open point of the contract, in its order. Reads one JSON file of this package from disk. */
export function loadFreedoms(): readonly Freedom[] {
  return JSON.parse(generated('freedoms.json'));
}

function generated(name: string): string {
  return readFileSync(new URL(`../generated/${name}`, import.meta.url), 'utf8');
}
