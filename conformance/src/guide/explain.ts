import { loadFreedoms, loadRequirements } from '@hookproof/spec/requirements';
import type { Freedom, Requirement } from '@hookproof/spec/requirements';

import type { Check } from '../check-kit/check.ts';
import { checks } from '../checks/catalogue.ts';

/** What one requirement asks for, and what it leaves open. */
export interface Explanation {
  readonly requirement: Requirement;
  /** The checks that test it. */
  readonly checks: readonly Pick<Check, 'id' | 'title' | 'access' | 'needs'>[];
  /** Points near it that the contract leaves open, nearest first. The suite never asserts them. */
  readonly freedoms: readonly Freedom[];
}

const MAX_FREEDOMS = 5;

/**
 * Explains a check by its requirements, or one requirement by its id. Throws `TypeError` for an unknown id.
 *
 * @example
 * ```ts
 * import { explain } from '@hookproof/conformance';
 *
 * const [primary] = explain('delivery.success');
 * console.log(primary?.requirement.rule, primary?.freedoms.map(({ open }) => open));
 * ```
 */
export function explain(id: string): readonly Explanation[] {
  const rows = loadRequirements();
  const check = checks.find((one) => one.id === id);
  const wanted: readonly string[] = check?.requirements ?? [id];
  const found = wanted.flatMap((name) => rows.filter((row) => row.id === name));
  if (found.length === 0) {
    throw new TypeError(
      `explain must be the id of a check or a requirement, got "${id}". listChecks has the ids of all checks.`,
    );
  }
  const freedoms = loadFreedoms();
  return found.map((requirement) => ({
    requirement,
    checks: check === undefined ? testsOf(requirement) : [check],
    freedoms: near(requirement.id, freedoms),
  }));
}

function testsOf({ id }: Requirement): readonly Check[] {
  return checks.filter(({ requirements }) => requirements.includes(id));
}

/** The freedoms whose ids begin like that of the requirement. */
function near(id: string, freedoms: readonly Freedom[]): readonly Freedom[] {
  return freedoms
    .map((freedom) => ({ freedom, shared: sharedParts(id, freedom.id) }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, MAX_FREEDOMS)
    .map(({ freedom }) => freedom);
}

function sharedParts(one: string, other: string): number {
  const [left, right] = [one.split('.'), other.split('.')];
  const first = left.findIndex((part, index) => part !== right[index]);
  return first === -1 ? left.length : first;
}
