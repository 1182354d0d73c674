import type { Check } from '../check-kit/check.ts';
import { attemptOpener } from '../context/check-context.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Discovery } from '../discover/discover.ts';
import type { Plan } from '../options/plan.ts';
import { obstacleTo } from '../select/select.ts';
import type { Finding } from '../verdict/findings.ts';
import { runTasks } from './engine.ts';
import { runCheck } from './run-check.ts';

/** What came of one selected check. */
export interface CheckResult {
  readonly check: Check;
  readonly finding: Finding;
  readonly durationMilliseconds: number;
}

/**
 * One result for each selected check, in their order. A check with an obstacle gets its finding without running.
 * Errors of the suite that belong to no check go to `suiteErrors`.
 */
export async function runChecks(
  selected: readonly Check[],
  run: RunContext,
  discovery: Discovery,
  report: {
    readonly settled: (result: CheckResult) => void;
    readonly suiteErrors: string[];
  },
): Promise<readonly CheckResult[]> {
  const results = new Map<string, CheckResult>();
  const settle = (check: Check, finding: Finding, durationMilliseconds: number): void => {
    const result = { check, finding, durationMilliseconds };
    results.set(check.id, result);
    report.settled(result);
  };

  const runnable = selected.filter((check) => {
    const obstacle = obstacleTo(check, run.plan, discovery);
    if (obstacle !== null) settle(check, obstacle, 0);
    return obstacle === null;
  });
  const open = attemptOpener(run, {
    facts: discovery.facts,
    receiverClockOffsetMilliseconds: discovery.receiver?.clockOffsetMilliseconds ?? null,
  });
  const { byTask, others } = await runTasks(
    runnable.map((check) => ({
      id: check.id,
      exclusive: runsAlone(check, run.plan, discovery),
      async run() {
        const started = performance.now();
        settle(check, await runCheck(check, open), Math.round(performance.now() - started));
      },
    })),
  );
  report.suiteErrors.push(...others);
  return selected.map((check) => {
    const error = byTask.get(check.id);
    const result = error === undefined ? results.get(check.id) : undefined;
    const message = error ?? 'the check has no verdict';
    return (
      result ?? { check, finding: { kind: 'harness-error', message }, durationMilliseconds: 0 }
    );
  });
}

function runsAlone({ side, exclusive }: Check, plan: Plan, { control }: Discovery): boolean {
  // A signed delivery that waits behind those of other checks would become older than its check intends.
  if (side === 'receiver' && plan.deliveriesPerSecond !== null) return true;
  if (exclusive === 'always') return true;
  if (exclusive === 'without-worlds') return control === null;
  return exclusive === 'on-virtual-clock' && control?.clockMode === 'virtual';
}
