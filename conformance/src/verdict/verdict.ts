import type { Finding } from './findings.ts';

/** How much a requirement binds: its keyword. */
export type Level = 'must' | 'should' | 'may';

/** What a run says about one check. */
export const VERDICTS = [
  'pass',
  'fail',
  'advice',
  'info',
  'not-applicable',
  'could-not-run',
  'inconclusive',
  'harness-error',
] as const;
export type Verdict = (typeof VERDICTS)[number];

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
export type Outcome = 'conformant' | 'violated' | 'incomplete' | 'nothing-established';

/** 0 conformant, 1 violated, 3 incomplete or nothing established, 4 unreachable, 5 error of the suite. (2 is wrong usage: no report.) */
export type ExitCode = 0 | 1 | 3 | 4 | 5;

const ESTABLISHED: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'advice', 'info']);
const OPEN: ReadonlySet<Verdict> = new Set(['could-not-run', 'inconclusive', 'harness-error']);

/** In this order: any failure, no verdict on the target at all, any check without one. */
export function outcomeOf(verdicts: readonly Verdict[], suiteErrors: number): Outcome {
  if (verdicts.includes('fail')) return 'violated';
  if (!verdicts.some((verdict) => ESTABLISHED.has(verdict))) return 'nothing-established';
  const open = suiteErrors > 0 || verdicts.some((verdict) => OPEN.has(verdict));
  return open ? 'incomplete' : 'conformant';
}

/** The part of a report that decides its exit code. */
export interface Decided {
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
  if (report.unreachable !== null) return 4;
  if (report.outcome === 'violated') return 1;
  const broken = report.checks.some(({ verdict }) => verdict === 'harness-error');
  if (broken || report.suiteErrors.length > 0) return 5;
  return report.outcome === 'conformant' ? 0 : 3;
}
