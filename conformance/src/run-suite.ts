import { loadRequirements } from '@hookproof/spec/requirements';
import type { Requirement } from '@hookproof/spec/requirements';

import type { Check } from './check-kit/check.ts';
import { checks } from './checks/catalogue.ts';
import { createRunContext } from './context/context.ts';
import type { RunContext } from './context/context.ts';
import { discover } from './discover/discover.ts';
import { claimEngine } from './engine/engine.ts';
import { runChecks } from './engine/run-checks.ts';
import type { CheckResult } from './engine/run-checks.ts';
import type { ConformanceOptions, RejectionSource } from './options/options.ts';
import { planFrom } from './options/plan.ts';
import { describeCheck, requirementOf } from './report/describe-check.ts';
import { describeRun } from './report/describe-run.ts';
import type { Report } from './report/model.ts';
import { selectChecks } from './select/select.ts';
import { CouldNotRun, Unreachable } from './verdict/findings.ts';
import type { Finding } from './verdict/findings.ts';
import { verdictOf } from './verdict/verdict.ts';

/** The checks of a run, and the requirements that they test. */
export interface Catalogue {
  readonly checks: readonly Check[];
  readonly requirements: readonly Requirement[];
}

const CONTRACT: Catalogue = { checks, requirements: loadRequirements() };

/**
 * Judges a target by the contract and resolves with a report, also when the target is unreachable. Sends only reads
 * unless `allowWrites` or `allowDeletes` unlock more.
 *
 * Throws `TypeError` for wrong options (exit code 2 on the command line) and `RunInProgress`, code `run_in_progress`,
 * while another run of this process is in progress.
 *
 * @example
 * ```ts
 * import { outcomeExitCode, renderTerminal, runConformance } from '@hookproof/conformance';
 *
 * export async function judge(baseUrl: string, key: string): Promise<void> {
 *   const report = await runConformance({ baseUrl, key });
 *   console.log(renderTerminal(report, { color: process.stdout.isTTY }));
 *   process.exitCode = outcomeExitCode(report);
 * }
 * ```
 */
export function runConformance(options: ConformanceOptions): Promise<Report> {
  return runSuite(options, CONTRACT);
}

/** One run of any catalogue. Throws as `runConformance` does. */
export async function runSuite(options: ConformanceOptions, catalogue: Catalogue): Promise<Report> {
  const { now = Date.now, rejections } = options;
  const plan = planFrom(options);
  const selected = selectChecks(catalogue.checks, plan);
  // A check without its requirement must throw before the first request, not in the report.
  for (const check of selected) requirementOf(check, catalogue.requirements);

  const run = createRunContext(plan, now);
  const release = claimEngine();
  const suiteErrors: string[] = [];
  const stopListening = listenTo(rejections, suiteErrors);
  try {
    return await reportOn(selected, run, suiteErrors, options, catalogue);
  } finally {
    stopListening();
    await run.gate.close();
    release();
  }
}

/** Discovers, runs the checks and describes the results. */
async function reportOn(
  selected: readonly Check[],
  run: RunContext,
  suiteErrors: string[],
  { onProgress }: ConformanceOptions,
  { requirements }: Catalogue,
): Promise<Report> {
  const { plan, redactor } = run;
  const started = performance.now();
  // The report also describes a run that ends here.
  const discovery = await discover(run).catch(asError);
  let done = 0;
  const settled = ({ check, finding }: CheckResult): void => {
    done += 1;
    const verdict = verdictOf(finding, requirementOf(check, requirements).keyword);
    onProgress?.({ done, total: selected.length, check: check.id, verdict });
  };
  const results =
    discovery instanceof Error
      ? selected.map((check) => notRun(check, discovery))
      : await runChecks(selected, run, discovery, { settled, suiteErrors });
  const durationMilliseconds = Math.round(performance.now() - started);
  const reports = results.map((result) =>
    describeCheck(result.check, result.finding, result.durationMilliseconds, plan, requirements),
  );
  return redactor.redactAll(
    describeRun({ run, discovery, checks: reports, suiteErrors, durationMilliseconds }),
  );
}

/** An unhandled rejection is an error of the suite, not of the target. */
function listenTo(rejections: RejectionSource | undefined, suiteErrors: string[]): () => void {
  const listener = (reason: unknown): void => {
    suiteErrors.push(`unhandled rejection: ${asError(reason).message}`);
  };
  rejections?.on('unhandledRejection', listener);
  return () => rejections?.off('unhandledRejection', listener);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The result of every check when the run ended before them. */
function notRun(check: Check, error: Error): CheckResult {
  return { check, finding: findingWithoutRun(error), durationMilliseconds: 0 };
}

function findingWithoutRun(error: Error): Finding {
  const { message } = error;
  if (error instanceof Unreachable) {
    return { kind: 'could-not-run', message, remedy: `make ${error.url} reachable` };
  }
  if (error instanceof CouldNotRun) {
    return { kind: 'could-not-run', message, remedy: error.remedy };
  }
  return { kind: 'harness-error', message };
}
