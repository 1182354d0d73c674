import type { Report } from '../report/model.ts';
import { counted } from '../report/wording.ts';

/**
 * How the run of one target ended: with a report, with wrong options, with a crash, not in time, or before it started
 * because the user ended all runs.
 */
export type TargetStatus = 'finished' | 'wrong-options' | 'crashed' | 'timed-out' | 'not-started';

/** The result of one target. A target whose run has no report does not end the runs of the others. */
export interface TargetResult {
  readonly name: string;
  readonly status: TargetStatus;
  /** The headline of the report, or why there is none. */
  readonly message: string;
  /** That of the report; else 2 for wrong options, 5 for a crash, 3 for a run that did not end in time, 130 for one that did not start. */
  readonly exitCode: number;
  readonly durationMilliseconds: number;
  readonly report: Report | null;
}

/** The results of many targets; `targets.schema.json` describes it as JSON. */
export interface TargetsReport {
  readonly exitCode: number;
  /** All targets in one line. */
  readonly headline: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMilliseconds: number;
  /** In the order of the file. */
  readonly targets: readonly TargetResult[];
}

/** The exit codes, worst first: a confirmed violation is more certain than anything that kept a run from its end. */
const WORST_FIRST: readonly number[] = [130, 1, 5, 2, 4, 3, 0];

/**
 * Returns the report of many targets. Its exit code is the worst of theirs: 130 interrupted, then 1 violated, 5 error
 * of the suite, 2 wrong options, 4 unreachable, 3 incomplete, 0 conformant.
 *
 * @example
 * ```ts
 * import { summarizeTargets } from '@hookproof/conformance';
 * import type { TargetResult } from '@hookproof/conformance';
 *
 * export function exitCodeOf(targets: readonly TargetResult[]): number {
 *   const startedAt = new Date().toISOString();
 *   return summarizeTargets({ targets, startedAt, durationMilliseconds: 0 }).exitCode;
 * }
 * ```
 */
export function summarizeTargets(
  run: Pick<TargetsReport, 'targets' | 'startedAt' | 'durationMilliseconds'>,
): TargetsReport {
  const { targets } = run;
  const codes = targets.map(({ exitCode }) => exitCode);
  const exitCode = WORST_FIRST.find((code) => codes.includes(code)) ?? 5;
  const conformant = codes.filter((code) => code === 0).length;
  const headline = `${conformant} of ${counted(targets.length, 'target is', 'targets are')} conformant`;
  return { exitCode, headline, ...run };
}
