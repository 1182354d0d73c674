import { loadRequirements } from '@hookproof/spec/requirements';
import type { Requirement } from '@hookproof/spec/requirements';

import type { Check } from './check-kit/check.ts';
import { checks } from './checks/catalogue.ts';
import { createRunContext, UNKNOWN_TARGET } from './context/context.ts';
import type { RunContext } from './context/context.ts';
import { discover } from './discover/discover.ts';
import { claimEngine } from './engine/engine.ts';
import { INTERRUPTED, runChecks } from './engine/run-checks.ts';
import type { CheckResult } from './engine/check-result.ts';
import type { Hooks } from './http/between.ts';
import type { ConformanceOptions, RejectionSource } from './options/options.ts';
import { planFrom } from './options/plan.ts';
import type { Plan } from './options/plan.ts';
import { restore } from './context/restore.ts';
import { describeCheck, requirementOf } from './report/describe-check.ts';
import { describeRun } from './report/describe-run.ts';
import { OWN_MEMBERS } from './report/model.ts';
import type { Report } from './report/model.ts';
import { selectChecks } from './select/select.ts';
import { CouldNotRun, Unreachable } from './verdict/findings.ts';
import type { Finding } from './verdict/findings.ts';
import { verdictOf } from './verdict/verdict.ts';

/** The checks of a run, and the requirements that they test. */
interface Catalogue {
  readonly checks: readonly Check[];
  readonly requirements: readonly Requirement[];
}

export const CONTRACT: Catalogue = { checks, requirements: loadRequirements() };

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

/** What stands between suite and target in a proof. */
interface Interposed {
  readonly hooks: Hooks;
}

/**
 * One run of any catalogue. Throws as `runConformance` does. A run with `interposed` does not confirm violations: a
 * defect of a proof is in every exchange.
 */
export async function runSuite(
  options: ConformanceOptions,
  catalogue: Catalogue,
  interposed?: Interposed,
): Promise<Report> {
  const { now = Date.now, rejections, journal, signal, onNotice } = options;
  const plan = planFrom(options);
  const generated = plan.fuzz === null ? [] : await generatedChecks(plan.fuzz);
  const selected = selectChecks([...catalogue.checks, ...generated], plan);
  // A check without its requirement must throw before the first request, not in the report.
  for (const check of selected) requirementOf(check, catalogue.requirements);

  const hooks = interposed?.hooks ?? {};
  const confirms = interposed === undefined;
  const run = createRunContext(plan, { now, hooks, confirms, journal, signal, onNotice });
  const release = claimEngine();
  const suiteErrors: string[] = [];
  const stopListening = listenTo(rejections, suiteErrors);
  try {
    return await reportOn(selected, run, suiteErrors, options, catalogue);
  } finally {
    stopListening();
    await run.close();
    release();
  }
}

/** The generator takes a second to load: only a run that uses it does. */
async function generatedChecks(options: NonNullable<Plan['fuzz']>): Promise<readonly Check[]> {
  const { fuzzChecks } = await import('./checks/api/fuzz/fuzz.ts');
  return fuzzChecks(options);
}

/** Discovers, runs the checks, puts back what they changed, and describes the results. */
async function reportOn(
  selected: readonly Check[],
  run: RunContext,
  suiteErrors: string[],
  { onProgress }: ConformanceOptions,
  { requirements }: Catalogue,
): Promise<Report> {
  const { plan, redactor } = run;
  for (const text of paceTexts(plan)) run.notice(text);
  const started = performance.now();
  // The report also describes a run that ends here.
  const discovery = await discover(run, selected).catch(asError);
  let done = 0;
  const settled = ({ check, finding }: CheckResult): void => {
    done += 1;
    const verdict = verdictOf(finding, requirementOf(check, requirements).keyword);
    onProgress?.({ done, total: selected.length, check: check.id, verdict });
  };
  const results =
    discovery instanceof Error
      ? selected.map((check) => notRun(check, discovery, run.signal))
      : await runChecks(selected, run, discovery, { settled, suiteErrors });
  const isInterrupted = run.signal.aborted;
  const known = discovery instanceof Error ? UNKNOWN_TARGET : discovery;
  if (run.journal !== null) {
    await restore(run, known, run.journal.outstanding(), 'end');
    await run.journal.close();
  }
  const durationMilliseconds = Math.round(performance.now() - started);
  const reports = results.map(({ check, finding, durationMilliseconds: duration }) =>
    describeCheck(check, finding, duration, { plan, facts: known.facts }, requirements),
  );
  return redactor.redactAll(
    describeRun({
      run,
      discovery,
      isInterrupted,
      checks: reports,
      suiteErrors,
      durationMilliseconds,
    }),
    OWN_MEMBERS,
  );
}

/** Why a run against a host that is not loopback takes longer. */
function paceTexts({ requestsPerSecond, deliveriesPerSecond, baseUrl, receiver }: Plan): string[] {
  const paces = [
    ['requests to the API', baseUrl === null ? null : requestsPerSecond],
    ['deliveries to the receiver', receiver === null ? null : deliveriesPerSecond],
  ] as const;
  return paces.flatMap(([what, pace]) =>
    pace === null ? [] : [`Sending at most ${pace} ${what} a second.`],
  );
}

/** What no code catches is an error of the suite, not of the target. The run puts its changes back all the same. */
function listenTo(rejections: RejectionSource | undefined, suiteErrors: string[]): () => void {
  const rejected = (reason: unknown): void => {
    suiteErrors.push(`unhandled rejection: ${asError(reason).message}`);
  };
  const thrown = (reason: unknown): void => {
    suiteErrors.push(`uncaught exception: ${asError(reason).message}`);
  };
  rejections?.on('unhandledRejection', rejected);
  rejections?.on('uncaughtException', thrown);
  return () => {
    rejections?.off('unhandledRejection', rejected);
    rejections?.off('uncaughtException', thrown);
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The result of every check when the run ended before them. */
function notRun(check: Check, error: Error, { aborted }: AbortSignal): CheckResult {
  const finding = aborted ? INTERRUPTED : findingWithoutRun(error);
  return { check, finding, durationMilliseconds: 0 };
}

function findingWithoutRun(error: Error): Finding {
  const { message } = error;
  if (error instanceof Unreachable) {
    // The report says why once, in its member "unreachable".
    const headline = `see unreachable: ${error.headline}`;
    return { kind: 'could-not-run', message: headline, remedies: [error.remedy] };
  }
  if (error instanceof CouldNotRun) {
    return { kind: 'could-not-run', message, remedies: [error.remedy] };
  }
  return { kind: 'harness-error', message };
}
