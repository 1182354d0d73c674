import type { Requirement } from '@hookproof/spec/requirements';

import type { Check } from './check.ts';
import { claimEngine } from './engine.ts';
import { CouldNotRun } from './findings.ts';
import { judgeChecks } from './judge-checks.ts';
import type { Describe } from './judge-checks.ts';
import { planFrom } from './options.ts';
import type { ConformanceOptions, RejectionSource } from './options.ts';
import { prepare } from './prepare/prepare.ts';
import { selectChecks } from './prepare/select.ts';
import { Unreachable } from './prepare/unreachable.ts';
import { describeCheck, requirementOf } from './report/describe-check.ts';
import { describeRun } from './report/describe-run.ts';
import type { Report } from './report/model.ts';
import { surroundingsOf } from './surroundings.ts';
import type { Surroundings } from './surroundings.ts';
import type { Finding } from './verdict.ts';

/** The questions and what they weigh. */
export interface Catalogue {
  readonly checks: readonly Check[];
  readonly requirements: readonly Requirement[];
}

/** One run, from options to report. Throws for wrong options and when another run has the engine; never after that. */
export async function conduct(options: ConformanceOptions, catalogue: Catalogue): Promise<Report> {
  const { now = Date.now, rejections } = options;
  const plan = planFrom(options);
  const selected = selectChecks(catalogue.checks, plan);
  for (const check of selected) requirementOf(check, catalogue.requirements);

  const surroundings = surroundingsOf(plan, now);
  const release = claimEngine();
  const suiteErrors: string[] = [];
  const silence = listenTo(rejections, suiteErrors);
  try {
    return await inspect(selected, surroundings, suiteErrors, options, catalogue);
  } finally {
    silence();
    await surroundings.gate.close();
    release();
  }
}

/** Preflight and learn, judge, report. */
async function inspect(
  selected: readonly Check[],
  surroundings: Surroundings,
  suiteErrors: string[],
  { onProgress }: ConformanceOptions,
  { requirements }: Catalogue,
): Promise<Report> {
  const { plan, redactor } = surroundings;
  const started = performance.now();
  const describe: Describe = (check, finding, milliseconds) =>
    describeCheck(check, finding, milliseconds, plan, requirements);

  const learned = await prepare(surroundings).catch(asError);
  const checks =
    learned instanceof Error
      ? selected.map((check) => describe(check, notPrepared(learned), 0))
      : await judgeChecks(selected, learned, surroundings, { describe, suiteErrors, onProgress });
  const durationMilliseconds = Math.round(performance.now() - started);
  return redactor.redactAll(
    describeRun({ surroundings, learned, checks, suiteErrors, durationMilliseconds }),
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
