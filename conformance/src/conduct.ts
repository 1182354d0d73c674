import type { Requirement } from '@hookproof/spec/requirements';

import { judge } from './attempt.ts';
import type { Check } from './check.ts';
import { claimEngine, runTasks } from './engine.ts';
import { planFrom } from './options.ts';
import type { ConformanceOptions, Progress } from './options.ts';
import type { Learned } from './prepare/learned.ts';
import { prepare } from './prepare/prepare.ts';
import { obstacleTo, selectChecks } from './prepare/select.ts';
import { Unreachable } from './prepare/unreachable.ts';
import { describeCheck, requirementOf } from './report/describe-check.ts';
import { describeRun } from './report/describe-run.ts';
import type { CheckReport, Report } from './report/model.ts';
import { attemptOpener, surroundingsOf } from './surroundings.ts';
import type { Surroundings } from './surroundings.ts';
import type { Finding } from './verdict.ts';

/** The questions and what they weigh. */
export interface Catalogue {
  readonly checks: readonly Check[];
  readonly requirements: readonly Requirement[];
}

/** One run, from options to report: preflight and learn, select, judge, report. */
export async function conduct(options: ConformanceOptions, catalogue: Catalogue): Promise<Report> {
  const plan = planFrom(options);
  const selected = selectChecks(catalogue.checks, plan);
  for (const check of selected) requirementOf(check, catalogue.requirements);
  const release = claimEngine();
  const now = options.now ?? Date.now;
  const startedAt = now();
  const started = performance.now();
  const surroundings = surroundingsOf(plan, now);
  const suiteErrors: string[] = [];
  const describe = (check: Check, finding: Finding, milliseconds: number): CheckReport =>
    describeCheck(check, finding, milliseconds, plan, catalogue.requirements);
  const listen = (reason: unknown): void => {
    suiteErrors.push(
      `unhandled rejection: ${reason instanceof Error ? reason.message : String(reason)}`,
    );
  };

  options.rejections?.on('unhandledRejection', listen);
  try {
    const learned = await prepare(surroundings).catch((error: unknown) => {
      if (error instanceof Unreachable) return error;
      throw error;
    });
    const checks =
      learned instanceof Unreachable
        ? selected.map((check) => describe(check, notReached(learned), 0))
        : await judgeAll(
            selected,
            learned,
            surroundings,
            describe,
            suiteErrors,
            options.onProgress,
          );
    const durationMilliseconds = Math.round(performance.now() - started);
    return surroundings.redactor.redactAll(
      describeRun({ surroundings, learned, checks, suiteErrors, startedAt, durationMilliseconds }),
    );
  } finally {
    options.rejections?.off('unhandledRejection', listen);
    await surroundings.gate.close();
    release();
  }
}

function notReached({ address, message }: Unreachable): Finding {
  return { kind: 'could-not-run', message, remedy: `make ${address} reachable` };
}

async function judgeAll(
  selected: readonly Check[],
  learned: Learned,
  surroundings: Surroundings,
  describe: (check: Check, finding: Finding, milliseconds: number) => CheckReport,
  suiteErrors: string[],
  onProgress: ((progress: Progress) => void) | undefined,
): Promise<readonly CheckReport[]> {
  const reports = new Map<string, CheckReport>();
  const settle = (check: Check, finding: Finding, milliseconds: number): void => {
    const report = describe(check, finding, milliseconds);
    reports.set(check.id, report);
    onProgress?.({
      done: reports.size,
      total: selected.length,
      check: check.id,
      verdict: report.verdict,
    });
  };
  const runnable = selected.filter((check) => {
    const obstacle = obstacleTo(check, surroundings.plan, learned);
    if (obstacle !== null) settle(check, obstacle, 0);
    return obstacle === null;
  });
  const open = attemptOpener(surroundings, {
    facts: learned.facts,
    receiverClockOffsetMilliseconds: learned.receiver?.clockOffsetMilliseconds ?? null,
  });
  const { byTask, others } = await runTasks(
    runnable.map((check) => ({
      id: check.id,
      exclusive: check.exclusive ?? false,
      async run() {
        const started = performance.now();
        settle(check, await judge(check, open), Math.round(performance.now() - started));
      },
    })),
  );
  suiteErrors.push(...others);
  return selected.map((check) => {
    const error = byTask.get(check.id);
    const known = error === undefined ? reports.get(check.id) : undefined;
    const message = error ?? 'no verdict was kept';
    // A check with an obstacle never was a task, so the engine knows no error of it.
    return known ?? describe(check, { kind: 'harness-error', message }, 0);
  });
}
