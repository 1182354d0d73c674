import type { Check } from '../check-kit/check.ts';
import { attemptOpener } from '../context/context.ts';
import type { OpenAttempt, RunContext } from '../context/context.ts';
import type { Discovery } from '../discover/discover.ts';
import type { Plan } from '../options/plan.ts';
import { obstacleTo } from '../select/select.ts';
import { CouldNotRun, Inconclusive, NotApplicable, Violation } from '../verdict/findings.ts';
import type { Finding } from '../verdict/findings.ts';
import type { GateSession } from '../wire/gate.ts';
import { runTasks } from './engine.ts';

/** The finding of one selected check. */
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

/** A check that hangs ends here. Each request has a shorter limit, so that a slow target stays below this one. */
const DEFAULT_TIMEOUT_MILLISECONDS = 60_000;

/** Runs a check. A violation counts only when a second attempt, on new connections, finds one too. */
async function runCheck(check: Check, open: OpenAttempt): Promise<Finding> {
  const first = await runAttempt(check, 1, open);
  if (first.kind !== 'violation') return first;
  const second = await runAttempt(check, 2, open);
  if (second.kind === 'violation') return { ...second, confirmed: 2 };
  if (second.kind === 'harness-error') return second;
  const { expected, actual } = first.detail;
  const outcome = second.kind === 'pass' ? 'passed.' : `was ${second.kind}: ${second.message}`;
  return {
    kind: 'inconclusive',
    message: `Failure not reproduced: expected ${expected}, got ${actual}. The second attempt ${outcome}`,
  };
}

async function runAttempt(check: Check, attempt: number, open: OpenAttempt): Promise<Finding> {
  const controller = new AbortController();
  const { context, session } = open(check, attempt, controller.signal);
  const finding = await Promise.race([
    check.run(context).then(pass, findingOf),
    timeout(check.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS, session, controller),
  ]);
  // Ends what the check still has in flight, so that it cannot affect the next attempt.
  controller.abort();
  await session.close();
  if (session.refusals.length === 0) return finding;
  return { kind: 'harness-error', message: `refused before sending: ${session.refusals[0]}` };
}

function pass(): Finding {
  return { kind: 'pass' };
}

/** What a check throws is its finding; anything else that it throws is an error of the suite. */
function findingOf(error: unknown): Finding {
  if (error instanceof Violation) return { kind: 'violation', detail: error.detail, confirmed: 1 };
  if (error instanceof CouldNotRun) {
    return { kind: 'could-not-run', message: error.message, remedy: error.remedy };
  }
  if (error instanceof Inconclusive) return { kind: 'inconclusive', message: error.message };
  if (error instanceof NotApplicable) {
    return { kind: 'not-applicable', message: error.message, locked: false };
  }
  return { kind: 'harness-error', message: error instanceof Error ? error.message : String(error) };
}

/** Resolves after the given time. Time spent waiting for a turn at the gate is added. */
function timeout(
  milliseconds: number,
  session: GateSession,
  { signal }: AbortController,
): Promise<Finding> {
  return new Promise((resolve) => {
    let granted = 0;
    const expire = (): void => {
      const extension = session.waitedMilliseconds - granted;
      if (extension > 0) {
        granted += extension;
        timer = setTimeout(expire, extension);
        return;
      }
      resolve({ kind: 'inconclusive', message: `No verdict within ${milliseconds} ms.` });
    };
    let timer = setTimeout(expire, milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
