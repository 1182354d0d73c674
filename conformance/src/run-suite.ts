import type { Requirement } from '@hookproof/spec/requirements';

import type { Check } from './check-kit/check.ts';
import { claimEngine } from './engine/engine.ts';
import { CouldNotRun } from './verdict/findings.ts';
import { runChecks } from './engine/run-checks.ts';
import type { Describe } from './engine/run-checks.ts';
import { planFrom } from './options/plan.ts';
import type { ConformanceOptions, RejectionSource } from './options/plan.ts';
import { discover } from './discover/discover.ts';
import { selectChecks } from './select/select.ts';
import { Unreachable } from './verdict/unreachable.ts';
import { describeCheck, requirementOf } from './report/describe-check.ts';
import { describeRun } from './report/describe-run.ts';
import type { Report } from './report/model.ts';
import { createRunContext } from './context/run-context.ts';
import type { RunContext } from './context/run-context.ts';
import type { Finding } from './verdict/verdict.ts';

/** The questions and what they weigh. */
export interface Catalogue {
  readonly checks: readonly Check[];
  readonly requirements: readonly Requirement[];
}

/** One run, from options to report. Throws for wrong options and when another run has the engine; never after that. */
export async function runSuite(options: ConformanceOptions, catalogue: Catalogue): Promise<Report> {
  const { now = Date.now, rejections } = options;
  const plan = planFrom(options);
  const selected = selectChecks(catalogue.checks, plan);
  for (const check of selected) requirementOf(check, catalogue.requirements);

  const runContext = createRunContext(plan, now);
  const release = claimEngine();
  const suiteErrors: string[] = [];
  const silence = listenTo(rejections, suiteErrors);
  try {
    return await inspect(selected, runContext, suiteErrors, options, catalogue);
  } finally {
    silence();
    await runContext.gate.close();
    release();
  }
}

/** Preflight and learn, judge, report. */
async function inspect(
  selected: readonly Check[],
  runContext: RunContext,
  suiteErrors: string[],
  { onProgress }: ConformanceOptions,
  { requirements }: Catalogue,
): Promise<Report> {
  const { plan, redactor } = runContext;
  const started = performance.now();
  const describe: Describe = (check, finding, milliseconds) =>
    describeCheck(check, finding, milliseconds, plan, requirements);

  const discovery = await discover(runContext).catch(asError);
  const checks =
    discovery instanceof Error
      ? selected.map((check) => describe(check, notPrepared(discovery), 0))
      : await runChecks(selected, discovery, runContext, { describe, suiteErrors, onProgress });
  const durationMilliseconds = Math.round(performance.now() - started);
  return redactor.redactAll(
    describeRun({ runContext, discovery, checks, suiteErrors, durationMilliseconds }),
  );
}

/** A rejection that nobody waited for is an error of the suite, not of the target. */
function listenTo(rejections: RejectionSource | undefined, suiteErrors: string[]): () => void {
  const listen = (reason: unknown): void => {
    suiteErrors.push(`unhandled rejection: ${asError(reason).message}`);
  };
  rejections?.on('unhandledRejection', listen);
  return () => rejections?.off('unhandledRejection', listen);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** What every check gets when the run did not come as far as its checks. */
function notPrepared(error: Error): Finding {
  const { message } = error;
  if (error instanceof Unreachable) {
    return { kind: 'could-not-run', message, remedy: `make ${error.address} reachable` };
  }
  if (error instanceof CouldNotRun) {
    return { kind: 'could-not-run', message, remedy: error.remedy };
  }
  return { kind: 'harness-error', message };
}
