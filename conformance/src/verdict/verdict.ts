import type { Finding } from './findings.ts';

/** How much a requirement binds: its keyword. */
export type Level = 'must' | 'should' | 'may';

/** What a run can say about one check, heaviest first. */
export const VERDICTS = [
  'fail',
  'harness-error',
  'inconclusive',
  'could-not-run',
  'known',
  'advice',
  'info',
  'pass',
  'locked',
  'not-applicable',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Sorts the heaviest verdict first. */
export function byWeight(one: Judged, other: Judged): number {
  return VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict);
}

interface Judged {
  readonly verdict: Verdict;
}

const VERDICT_OF_VIOLATION: Record<Level, Verdict> = {
  must: 'fail',
  should: 'advice',
  may: 'info',
};

/** A violation gets the verdict of its requirement's keyword; every other finding is its own verdict. */
export function verdictOf(finding: Finding, level: Level): Verdict {
  return finding.kind === 'violation' ? VERDICT_OF_VIOLATION[level] : finding.kind;
}

/** What a whole run says about its target. */
export type Outcome =
  | 'conformant'
  | 'violated'
  | 'outdated-baseline'
  | 'incomplete'
  | 'no-result'
  | 'interrupted';

/** 0 conformant, 1 violated or outdated baseline, 3 incomplete or no result, 4 unreachable, 5 error of the suite, 130 interrupted. (2 is wrong usage: no report.) */
export type ExitCode = 0 | 1 | 3 | 4 | 5 | 130;

const RESULTS: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'known', 'advice', 'info']);
const OPEN: ReadonlySet<Verdict> = new Set(['could-not-run', 'inconclusive', 'harness-error']);

/**
 * In this order: any failure, no verdict on the target at all, any check without one. `gaps` counts errors of the suite
 * and required parts that did not run. A locked check leaves no gap: the user chose not to unlock it.
 */
export function outcomeOf(verdicts: readonly Verdict[], gaps: number): Outcome {
  if (verdicts.includes('fail')) return 'violated';
  if (!verdicts.some((verdict) => RESULTS.has(verdict))) return 'no-result';
  const open = gaps > 0 || verdicts.some((verdict) => OPEN.has(verdict));
  return open ? 'incomplete' : 'conformant';
}

/** The part of a report that decides its exit code. */
interface Decided {
  readonly outcome: Outcome;
  readonly unreachable: unknown;
  readonly suiteErrors: readonly string[];
  readonly checks: readonly { readonly verdict: Verdict }[];
}

/**
 * Returns the exit code of a run. A confirmed violation counts even when another check met an error of the suite.
 *
 * @example
 * ```ts
 * import { outcomeExitCode, runConformance } from '@hookproof/conformance';
 *
 * export async function exitCodeFor(baseUrl: string): Promise<number> {
 *   return outcomeExitCode(await runConformance({ baseUrl }));
 * }
 * ```
 */
export function outcomeExitCode(report: Decided): ExitCode {
  if (report.outcome === 'interrupted') return 130;
  if (report.unreachable !== null) return 4;
  if (report.outcome === 'violated' || report.outcome === 'outdated-baseline') return 1;
  const broken = report.checks.some(({ verdict }) => verdict === 'harness-error');
  if (broken || report.suiteErrors.length > 0) return 5;
  return report.outcome === 'conformant' ? 0 : 3;
}
