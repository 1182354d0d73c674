import type { CheckReport, Report } from '../report/model.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** What changed from one report to another. Each check is in one list at most. */
export interface ReportDiff {
  /** Fails now, and had another verdict before. */
  readonly newFails: readonly Change[];
  /** Fails now, and did not run before: nobody knows since when it fails. */
  readonly firstFails: readonly Change[];
  /** Failed before, and passes now. */
  readonly fixed: readonly Change[];
  /** Has another verdict than before, in any other way. */
  readonly changed: readonly Change[];
  /** Ran before and not now, or now and not before, without failing now. */
  readonly onlyBefore: readonly Change[];
  readonly onlyAfter: readonly Change[];
}

/** One check with its verdicts; null where the report does not have it. */
export interface Change {
  readonly check: string;
  readonly before: Verdict | null;
  readonly after: Verdict | null;
  /** The message of the later report that has the check. */
  readonly message: string;
}

/**
 * Returns what changed between two reports, by the ids of their checks.
 *
 * @example
 * ```ts
 * import { diffReports } from '@hookproof/conformance';
 * import type { Report } from '@hookproof/conformance';
 *
 * export function isWorse(before: Report, after: Report): boolean {
 *   return diffReports(before, after).newFails.length > 0;
 * }
 * ```
 */
export function diffReports(before: Report, after: Report): ReportDiff {
  const earlier = new Map(before.checks.map((check) => [check.id, check]));
  const later = new Set(after.checks.map(({ id }) => id));
  const changes = [
    ...after.checks.map((check) => change(earlier.get(check.id), check)),
    ...before.checks.filter(({ id }) => !later.has(id)).map((check) => change(check, undefined)),
  ].filter((each) => each.before !== each.after);
  const fails = changes.filter((each) => each.after === 'fail');
  const others = changes.filter((each) => each.after !== 'fail');
  const both = others.filter((each) => each.before !== null && each.after !== null);
  return {
    newFails: fails.filter((each) => each.before !== null),
    firstFails: fails.filter((each) => each.before === null),
    fixed: both.filter(isFixed),
    changed: both.filter((each) => !isFixed(each)),
    onlyBefore: others.filter((each) => each.after === null),
    onlyAfter: others.filter((each) => each.before === null),
  };
}

function isFixed({ before, after }: Change): boolean {
  return (before === 'fail' || before === 'known') && after === 'pass';
}

function change(before: CheckReport | undefined, after: CheckReport | undefined): Change {
  const shown = after ?? before;
  return {
    check: shown?.id ?? '',
    before: before?.verdict ?? null,
    after: after?.verdict ?? null,
    message: shown?.message ?? '',
  };
}
