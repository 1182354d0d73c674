import { serverMutants } from './all.ts';
import type { Room } from './build.ts';
import type { Mutant, Variant } from './mutant.ts';
import { receiverMutants } from './receiver-mutants.ts';
import { receiverVariants, serverVariants } from './variants.ts';

/** A mutant or a variant of a room. */
export type Defect =
  | { readonly room: Room; readonly kind: 'mutant'; readonly patch: Mutant }
  | { readonly room: Room; readonly kind: 'variant'; readonly patch: Variant };

/** Every defect of the suite's proof. */
export const DEFECTS: readonly Defect[] = [
  ...serverMutants.map((patch) => mutant('server-reference', patch)),
  ...receiverMutants.map((patch) => mutant('receiver', patch)),
  ...serverVariants.map((patch) => variant('server-reference', patch)),
  ...receiverVariants.map((patch) => variant('receiver', patch)),
];

function mutant(room: Room, patch: Mutant): Defect {
  return { room, kind: 'mutant', patch };
}

function variant(room: Room, patch: Variant): Defect {
  return { room, kind: 'variant', patch };
}

/** The defect or the other choice, in one sentence. */
export function description(defect: Defect): string {
  return defect.kind === 'mutant' ? defect.patch.defect : defect.patch.freedom;
}

/**
 * Differences between the verdicts of a run and the predicted ones, one line each.
 *
 * @param verdicts - by check id; a check that did not run is not judged
 */
export function differences(defect: Defect, verdicts: ReadonlyMap<string, string>): string[] {
  const failures = new Set(defect.kind === 'mutant' ? defect.patch.fails : []);
  const notApplicable = new Set(defect.kind === 'variant' ? defect.patch.notApplicable : []);
  return [...verdicts].flatMap(([id, verdict]) => {
    if (failures.has(id)) return FAILED.has(verdict) ? [] : [`${id} must fail, got ${verdict}`];
    if (FAILED.has(verdict)) return [`${id} must not fail, got ${verdict}`];
    // With a defect, a check can have nothing to test. With a variant, only the listed checks can.
    if (defect.kind === 'mutant') return [];
    const expected = notApplicable.has(id) ? 'not-applicable' : 'pass';
    return verdict === expected ? [] : [`${id} must be ${expected}, got ${verdict}`];
  });
}

const FAILED = new Set(['fail', 'advice', 'info']);
