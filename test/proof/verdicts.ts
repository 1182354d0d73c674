import { checks } from '@hookproof/conformance';
import type { Defect, Variant } from '@hookproof/conformance/proof';

import type { Judged } from './order.ts';

const VIOLATIONS = new Set(['fail', 'advice', 'info']);
/** Nothing causes what they judge: most targets respond so to no request. */
const IN_PASSING = /^api\.status-code\.passing-/;
const QUIET = new Set(['not-applicable', 'could-not-run', 'inconclusive', 'advice']);
const REQUIREMENTS = new Map(checks.map((check) => [check.id, check.requirements]));

/** The checks that found a violation, sorted. */
export function findersOf({ checks: judged }: Judged): string[] {
  return judged
    .filter(({ verdict }) => VIOLATIONS.has(verdict))
    .map(({ id }) => id)
    .toSorted();
}

/** What is wrong with the verdicts on a defect, in sentences; empty when a check of its requirement found it. */
export function objectionsToDefect({ breaks }: Defect, judged: Judged): string[] {
  const finders = findersOf(judged);
  const named = finders.filter((id) => REQUIREMENTS.get(id)?.includes(breaks));
  return [
    ...judged.suiteErrors,
    ...harnessErrors(judged),
    ...(named.length > 0
      ? []
      : [`no check of ${breaks} finds it; found by: ${finders.join(', ')}`]),
  ];
}

/** What is wrong with the verdicts on permitted variants, in sentences. */
export function objectionsToVariants(variants: readonly Variant[], judged: Judged): string[] {
  const silenced = new Set(variants.flatMap(({ silences = [] }) => silences));
  const others = judged.checks.filter(
    ({ id, verdict }) =>
      verdict !== 'pass' &&
      !(silenced.has(id) && QUIET.has(verdict)) &&
      !(IN_PASSING.test(id) && verdict === 'not-applicable'),
  );
  return [
    ...judged.suiteErrors,
    ...others.map(({ id, verdict, message }) => `${verdict} ${id}: ${message ?? ''}`),
  ];
}

function harnessErrors({ checks: judged }: Judged): string[] {
  return judged
    .filter(({ verdict }) => verdict === 'harness-error')
    .map(({ id, message }) => `error of the suite in ${id}: ${message ?? ''}`);
}
