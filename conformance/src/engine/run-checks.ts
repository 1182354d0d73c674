import { runCheck } from './run-check.ts';
import type { Check } from '../check-kit/check.ts';
import { runTasks } from './engine.ts';
import type { Plan, Progress } from '../options/plan.ts';
import type { Discovery } from '../discover/discovery.ts';
import { obstacleTo } from '../select/select.ts';
import type { CheckReport } from '../report/model.ts';
import { attemptOpener } from '../context/run-context.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Finding } from '../verdict/verdict.ts';

/** How a finding becomes a row of the report. */
export type Describe = (check: Check, finding: Finding, milliseconds: number) => CheckReport;

/** Settles the checks that may not run, runs the others, and gives a row for each; errors of no check go to `suiteErrors`. */
export async function runChecks(
  selected: readonly Check[],
  discovery: Discovery,
  runContext: RunContext,
  report: {
    readonly describe: Describe;
    readonly suiteErrors: string[];
    readonly onProgress: ((progress: Progress) => void) | undefined;
  },
): Promise<readonly CheckReport[]> {
  const rows = new Map<string, CheckReport>();
  const settle = (check: Check, finding: Finding, milliseconds: number): void => {
    const row = report.describe(check, finding, milliseconds);
    rows.set(check.id, row);
    report.onProgress?.({
      done: rows.size,
      total: selected.length,
      check: check.id,
      verdict: row.verdict,
    });
  };

  const runnable = selected.filter((check) => {
    const obstacle = obstacleTo(check, runContext.plan, discovery);
    if (obstacle !== null) settle(check, obstacle, 0);
    return obstacle === null;
  });
  const open = attemptOpener(runContext, {
    facts: discovery.facts,
    receiverClockOffsetMilliseconds: discovery.receiver?.clockOffsetMilliseconds ?? null,
  });
  const { byTask, others } = await runTasks(
    runnable.map((check) => ({
      id: check.id,
      exclusive: runsAlone(check, runContext.plan, discovery),
      async run() {
        const started = performance.now();
        settle(check, await runCheck(check, open), Math.round(performance.now() - started));
      },
    })),
  );
  report.suiteErrors.push(...others);
  return selected.map((check) => {
    const error = byTask.get(check.id);
    const row = error === undefined ? rows.get(check.id) : undefined;
    const message = error ?? 'no verdict was kept';
    return row ?? report.describe(check, { kind: 'harness-error', message }, 0);
  });
}

function runsAlone({ side, exclusive }: Check, plan: Plan, { control }: Discovery): boolean {
  // A signed delivery that waited in line behind those of other checks would be older than its check means it to be.
  if (side === 'receiver' && plan.deliveriesPerSecond !== null) return true;
  if (exclusive === 'always') return true;
  if (exclusive === 'without-worlds') return control === null;
  return exclusive === 'on-virtual-clock' && control?.clockMode === 'virtual';
}
