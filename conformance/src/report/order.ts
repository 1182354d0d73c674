import { grouped } from '../grouped.ts';
import { SIDES } from '../options/options.ts';
import type { Side } from '../options/options.ts';
import { VERDICTS, byWeight } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { CheckReport } from './model.ts';

/** The checks of one side, heaviest verdict first. */
export interface SideGroup {
  readonly side: Side;
  readonly checks: readonly CheckReport[];
}

/** The checks of each side that has any: by verdict, then in the order of the catalogue. */
export function bySide(checks: readonly CheckReport[]): readonly SideGroup[] {
  return SIDES.map((side) => ({
    side,
    checks: checks.filter((check) => check.side === side).toSorted(byWeight),
  })).filter((group) => group.checks.length > 0);
}

/** The number of checks of each verdict that occurs, heaviest verdict first. */
export function tally(checks: readonly CheckReport[]): { verdict: Verdict; count: number }[] {
  return VERDICTS.map((verdict) => ({
    verdict,
    count: checks.filter((check) => check.verdict === verdict).length,
  })).filter(({ count }) => count > 0);
}

/** The checks in groups with the same primary requirement, each where its first check was. */
export function byRequirement(checks: readonly CheckReport[]): readonly (readonly CheckReport[])[] {
  return [...grouped(checks, ({ requirement }) => requirement).values()];
}
