import { countsOf, headlineOf, requirementsOf } from '../report/describe-run.ts';
import type { BaselineProblem, CheckReport, Report } from '../report/model.ts';
import { counted } from '../report/wording.ts';
import { outcomeExitCode, outcomeOf } from '../verdict/verdict.ts';
import type { AcceptedGap, Baseline, KnownFailure } from './baseline.ts';

/**
 * Returns the report with the verdict `known` for each failure that the baseline accepts. A known failure does not
 * violate. A line whose day has passed, or whose check passes now, makes the outcome `outdated-baseline` (exit code 1),
 * unless there is a weightier one. A check that could not run, and lacks only what the baseline accepts, counts as not
 * applicable. The day is that of the start of the run, in UTC.
 *
 * @example
 * ```ts
 * import { applyBaseline } from '@hookproof/conformance';
 * import type { Baseline, Report } from '@hookproof/conformance';
 *
 * export function isAcceptable(report: Report, baseline: Baseline): boolean {
 *   return applyBaseline(report, baseline).exitCode === 0;
 * }
 * ```
 */
export function applyBaseline(report: Report, baseline: Baseline): Report {
  const today = report.startedAt.slice(0, 10);
  const lines = new Map(baseline.failures.map((line) => [line.check, line]));
  const gaps = baseline.couldNotRun ?? [];
  const valid = gaps.filter(({ expires }) => expires >= today);
  const checks = report.checks.map((check) =>
    withoutGap(accepted(check, lines.get(check.id), today), valid),
  );
  const problems = [
    ...baseline.failures.flatMap((line) => problemsOf(line, report.checks, today)),
    ...gaps.flatMap((line) => problemsOfGap(line, report.checks, today)),
  ];
  const outcome = outcomeWith(report, checks, problems);
  const counts = countsOf(checks.map(({ verdict }) => verdict));
  const headline = headlineOf(outcome, counts, { ...report, checks });
  return {
    ...report,
    outcome,
    exitCode: outcomeExitCode({ ...report, outcome, checks }),
    headline: [headline, ...noteOn(problems)].join('; '),
    counts,
    requirements: requirementsOf(checks),
    baseline: { known: counts.known, problems },
    checks,
  };
}

function accepted(check: CheckReport, line: KnownFailure | undefined, today: string): CheckReport {
  if (check.verdict !== 'fail' || line === undefined || line.expires < today) return check;
  const { reason, owner, expires } = line;
  return { ...check, verdict: 'known', known: { reason, owner, expires } };
}

/** A check that lacks only what is accepted does not apply to this target. */
function withoutGap(check: CheckReport, gaps: readonly AcceptedGap[]): CheckReport {
  if (check.verdict !== 'could-not-run') return check;
  const whole = gaps.find(({ needs }) => needs === check.id);
  const found = (check.remedies ?? []).map(({ need }) => gaps.find(({ needs }) => needs === need));
  const line = whole ?? (found.includes(undefined) ? undefined : found[0]);
  if (line === undefined) return check;
  const { reason, owner, expires } = line;
  return {
    ...check,
    verdict: 'not-applicable',
    message: `accepted until ${expires}: ${reason} (${owner}): ${check.message}`,
  };
}

function problemsOfGap(
  { needs, owner, expires }: AcceptedGap,
  checks: readonly CheckReport[],
  today: string,
): BaselineProblem[] {
  const isUsed = checks.some(
    ({ id, verdict, remedies = [] }) =>
      verdict === 'could-not-run' && (id === needs || remedies.some(({ need }) => need === needs)),
  );
  if (!isUsed) return [];
  if (expires >= today) return [];
  const message = `${needs} was accepted as missing until ${expires}. ${owner} must supply it, or write a new reason and date.`;
  return [{ check: needs, kind: 'expired', message }];
}

function problemsOf(
  { check: id, owner, expires }: KnownFailure,
  checks: readonly CheckReport[],
  today: string,
): BaselineProblem[] {
  if (checks.find((check) => check.id === id)?.verdict === 'pass') {
    const message = `${id} passes now. Remove its line from the baseline.`;
    return [{ check: id, kind: 'stale', message }];
  }
  if (expires >= today) return [];
  const message = `${id} was accepted until ${expires}. ${owner} must fix it, or write a new reason and date.`;
  return [{ check: id, kind: 'expired', message }];
}

/** An interrupted run and an unreachable target keep their outcome: they say nothing about the baseline. */
function outcomeWith(
  report: Report,
  checks: readonly CheckReport[],
  problems: readonly BaselineProblem[],
): Report['outcome'] {
  const { outcome: before, suiteErrors, notPutBack, unreachable } = report;
  const verdicts = checks.map(({ verdict }) => verdict);
  const gaps = suiteErrors.length + notPutBack;
  const isChanged = checks.some((check, index) => check !== report.checks[index]);
  const isOpen = before === 'violated' || (before === 'incomplete' && isChanged);
  const outcome = isOpen ? outcomeOf(verdicts, gaps) : before;
  const decided = outcome === 'conformant' || outcome === 'incomplete';
  return decided && unreachable === null && problems.length > 0 ? 'outdated-baseline' : outcome;
}

function noteOn(problems: readonly BaselineProblem[]): string[] {
  if (problems.length === 0) return [];
  return [
    counted(
      problems.length,
      'line of the baseline is outdated',
      'lines of the baseline are outdated',
    ),
  ];
}
