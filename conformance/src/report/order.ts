import { SIDES } from '../check-kit/check.ts';
import type { Side } from '../check-kit/check.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { CheckReport } from './model.ts';

/** What a reader has to see first. */
export const BY_WEIGHT: readonly Verdict[] = [
  'fail',
  'harness-error',
  'inconclusive',
  'could-not-run',
  'advice',
  'info',
  'pass',
  'not-applicable',
];

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: 'fail',
  advice: 'advice',
  info: 'info',
  'not-applicable': 'not applicable',
  'could-not-run': 'could not run',
  inconclusive: 'inconclusive',
  'harness-error': 'harness error',
};

/** The checks of one side, heaviest verdict first. */
export interface SideGroup {
  readonly side: Side;
  readonly checks: readonly CheckReport[];
}

/** The checks of each side that has any, heaviest verdict first, else in the order of the catalogue. */
export function bySide(checks: readonly CheckReport[]): readonly SideGroup[] {
  return SIDES.map((side) => ({
    side,
    checks: checks
      .filter((check) => check.side === side)
      .toSorted((a, b) => BY_WEIGHT.indexOf(a.verdict) - BY_WEIGHT.indexOf(b.verdict)),
  })).filter((group) => group.checks.length > 0);
}

/** How often each verdict came, those that came, in the order of their weight. */
export function tally(checks: readonly CheckReport[]): { verdict: Verdict; count: number }[] {
  return BY_WEIGHT.map((verdict) => ({
    verdict,
    count: checks.filter((check) => check.verdict === verdict).length,
  })).filter(({ count }) => count > 0);
}
