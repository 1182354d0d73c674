import { countsOf, headlineOf, requirementsOf } from '../report/describe-run.ts';
import type { BaselineProblem, CheckReport, Report } from '../report/model.ts';
import { counted } from '../report/wording.ts';
import { outcomeExitCode, outcomeOf } from '../verdict/verdict.ts';
import type { Baseline, KnownFailure } from './baseline.ts';

/**
 * Returns the report with the verdict `known` for each failure that the baseline accepts. A known failure does not
 * violate. A line whose day has passed, or whose check passes now, makes the outcome `outdated-baseline` (exit code 1),
 * unless there is a weightier one. The day is that of the start of the run, in UTC.
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
  const checks = report.checks.map((check) => accepted(check, lines.get(check.id), today));
  const problems = baseline.failures.flatMap((line) => problemsOf(line, report.checks, today));
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
  const outcome = before === 'violated' ? outcomeOf(verdicts, gaps) : before;
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
