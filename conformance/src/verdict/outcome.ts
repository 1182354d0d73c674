import type { Verdict } from './verdict.ts';

/** What a whole run says about its target. */
export type Outcome = 'conformant' | 'violated' | 'incomplete' | 'nothing-established';

/** 0 conformant, 1 violated, 3 incomplete or nothing established, 4 unreachable, 5 error of the suite. (2 is wrong usage: no report.) */
export type ExitCode = 0 | 1 | 3 | 4 | 5;

const ESTABLISHED: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'advice', 'info']);
const OPEN: ReadonlySet<Verdict> = new Set(['could-not-run', 'inconclusive', 'harness-error']);

/** One confirmed red decides; then whether anything was judged at all; then whether anything stayed open. */
export function outcomeOf(verdicts: readonly Verdict[], suiteErrors: number): Outcome {
  if (verdicts.includes('fail')) return 'violated';
  if (!verdicts.some((verdict) => ESTABLISHED.has(verdict))) return 'nothing-established';
  const open = suiteErrors > 0 || verdicts.some((verdict) => OPEN.has(verdict));
  return open ? 'incomplete' : 'conformant';
}

/** What of a report decides its exit code. */
export interface Decided {
  readonly outcome: Outcome;
  readonly unreachable: unknown;
  readonly suiteErrors: readonly string[];
  readonly checks: readonly { readonly verdict: Verdict }[];
}

/** The exit code of a run. A confirmed violation stands even when another check met an error of the suite. */
export function outcomeExitCode(report: Decided): ExitCode {
  if (report.unreachable !== null) return 4;
  if (report.outcome === 'violated') return 1;
  const broken = report.checks.some(({ verdict }) => verdict === 'harness-error');
  if (broken || report.suiteErrors.length > 0) return 5;
  return report.outcome === 'conformant' ? 0 : 3;
}
