import { createHash } from 'node:crypto';

import type { Check } from '../check-kit/check.ts';
import type { AttemptHistory } from '../clients/attempt-history.ts';
import { attemptOpener } from '../context/context.ts';
import type { KnownTarget, OpenAttempt, RunContext } from '../context/context.ts';
import type { Discovery } from '../discover/discover.ts';
import type { Plan } from '../options/plan.ts';
import { restore } from '../context/restore.ts';
import { obstacleTo } from '../select/select.ts';
import { CouldNotRun, Inconclusive, NotApplicable, Violation } from '../verdict/findings.ts';
import type { Finding } from '../verdict/findings.ts';
import type { GateSession } from '../wire/gate.ts';
import { isLostConnection } from '../wire/transport.ts';
import type { CheckResult } from './check-result.ts';
import { runTasks } from './engine.ts';
import { foldFollowUps } from './follow-ups.ts';
import { seenBefore } from './seen-fault.ts';
import { StoppedTargets } from './stopped-targets.ts';

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
  const results = new Map<Check, CheckResult>();
  const settle = (check: Check, finding: Finding, milliseconds = 0): void => {
    const result = { check, finding, durationMilliseconds: Math.round(milliseconds) };
    results.set(check, result);
    report.settled(result);
  };

  const runnable = selected.filter((check) => {
    const obstacle =
      obstacleTo(check, run.plan, discovery) ?? seenBefore(check, selected, discovery);
    if (obstacle !== null) settle(check, obstacle);
    return obstacle === null;
  });
  const stopped = new StoppedTargets(run, discovery);
  const attempts = { run, known: discovery, open: attemptOpener(run, discovery), stopped };
  const runAll = async (
    checks: readonly Check[],
    work: (check: Check) => Promise<void>,
  ): Promise<void> => {
    if (checks.length === 0) return;
    const tasks = checks.map((check) => ({
      id: check.id,
      side: check.side,
      exclusive: runsAlone(check, run.plan, discovery),
      run: () => work(check).catch((error: unknown) => settle(check, findingOf(error))),
    }));
    report.suiteErrors.push(...(await runTasks(tasks, run.plan.concurrency)));
  };
  const deferred: Check[] = [];
  const judge = async (checks: readonly Check[], isFirst: boolean): Promise<void> => {
    const suspects = new Map<Check, Timed<FoundViolation>>();
    await runAll(checks, async (check) => {
      if (isFirst && isDeferred(check, run)) {
        deferred.push(check);
        return;
      }
      const { finding, milliseconds } = await timed(() => runAttempt(check, 1, attempts));
      if (finding.kind === 'violation' && run.confirms) {
        suspects.set(check, { finding, milliseconds });
      } else settle(check, finding, milliseconds);
    });
    await runAll([...suspects.keys()], async (check) => {
      const first = suspects.get(check);
      if (first === undefined) return;
      const second = await timed(() => runAttempt(check, 2, attempts));
      // A target that stopped responding takes nothing back.
      const finding = stopped.has(check) ? first.finding : confirmed(first.finding, second.finding);
      settle(check, finding, first.milliseconds + second.milliseconds);
    });
  };
  await judge(ordered(runnable, run.plan).toSorted(byPhase), true);
  for (const check of deferred) await judge([check], false);
  const missing = { kind: 'harness-error', message: 'the check has no verdict' } as const;
  return foldFollowUps(
    selected.map(
      (check) => results.get(check) ?? { check, finding: missing, durationMilliseconds: 0 },
    ),
  );
}

interface Timed<Found extends Finding> {
  readonly finding: Found;
  readonly milliseconds: number;
}

async function timed(attempt: () => Promise<Finding>): Promise<Timed<Finding>> {
  const started = performance.now();
  return { finding: await attempt(), milliseconds: performance.now() - started };
}

/** This part of the maximum is reserved for confirmations: a failure that is not confirmed is none. */
const RESERVED_FOR_CONFIRMATIONS = 0.25;

/**
 * Whether a check waits until the failures so far are confirmed, because few requests of the maximum are left. Checks
 * that judge the whole run do not wait: they send few requests, and find the most.
 */
function isDeferred({ exclusive }: Check, { plan, gate }: RunContext): boolean {
  const { maxRequests } = plan;
  if (maxRequests === null || exclusive === 'at-the-end') return false;
  return gate.wire.requests >= maxRequests * (1 - RESERVED_FOR_CONFIRMATIONS);
}

type FoundViolation = Extract<Finding, { kind: 'violation' }>;

/** The order of the catalogue, or one drawn from a number. */
function ordered(checks: readonly Check[], { orderSeed }: Plan): readonly Check[] {
  if (orderSeed === null) return checks;
  const draw = ({ id }: Check): string =>
    createHash('sha256').update(`${orderSeed} ${id}`).digest('hex');
  return checks.toSorted((a, b) => (draw(a) < draw(b) ? -1 : 1));
}

/** Checks that judge the whole run come last. */
function byPhase(one: Check, other: Check): number {
  return Number(one.exclusive === 'at-the-end') - Number(other.exclusive === 'at-the-end');
}

function runsAlone({ side, exclusive }: Check, plan: Plan, { control }: Discovery): boolean {
  // A signed delivery that waits behind those of other checks would become older than its check intends.
  if (side === 'receiver' && plan.deliveriesPerSecond !== null) return true;
  if (exclusive === 'always' || exclusive === 'at-the-end') return true;
  if (exclusive === 'without-worlds') return control === null;
  return exclusive === 'on-virtual-clock' && control?.clockMode === 'virtual';
}

/** A check that hangs ends here. Each request has a shorter limit, so that a slow target stays below this one. */
const DEFAULT_TIMEOUT_MILLISECONDS = 60_000;
const MAX_REPEATS = 4;

/** What the attempts of a run share. */
interface Attempts {
  readonly run: RunContext;
  readonly known: KnownTarget;
  readonly open: OpenAttempt;
  readonly stopped: StoppedTargets;
}

/**
 * Runs an attempt of a check, unless its target has stopped responding. One that lost a connection, which leaves open
 * what the request did, is repeated.
 */
async function runAttempt(check: Check, attempt: number, attempts: Attempts): Promise<Finding> {
  const { stopped } = attempts;
  for (let repeats = 0; ; repeats += 1) {
    const obstacle = stopped.obstacleTo(check);
    if (obstacle !== null) return obstacle;
    const { finding, used } = await runOnce(check, attempt, attempts);
    const isLost = finding.kind === 'inconclusive' && finding.isLost === true;
    if (!isLost || repeats === MAX_REPEATS) return stopped.examine(finding, used);
  }
}

/** What both attempts of a check with a violation in the first establish. */
function confirmed(first: FoundViolation, second: Finding): Finding {
  if (second.kind === 'violation') return { ...second, confirmed: 2 };
  if (second.kind === 'harness-error') return second;
  if (second.kind === 'inconclusive' && second.reportedBy != null) return second;
  const { expected, actual } = first.detail;
  const difference = `expected ${expected}, got ${actual}`;
  if (second.kind === 'could-not-run') {
    const message = `Failure not confirmed: ${difference}. The second attempt could not run: ${second.message}. Run this check with --only.`;
    return { kind: 'inconclusive', message };
  }
  const outcome = second.kind === 'pass' ? 'passed.' : `was ${second.kind}: ${second.message}`;
  return {
    kind: 'inconclusive',
    message: `Failure not reproduced: ${difference}. The second attempt ${outcome}`,
  };
}

/** Whatever ends the attempt, what it changed is put back. */
async function runOnce(
  check: Check,
  attempt: number,
  { run, known, open }: Attempts,
): Promise<{ readonly finding: Finding; readonly used: GateSession['used'] }> {
  if (run.signal.aborted) return { finding: INTERRUPTED, used: new Set() };
  const controller = new AbortController();
  const { context, session, changes, history } = open(check, attempt, controller.signal);
  const finding = await Promise.race([
    Promise.resolve()
      .then(() => check.run(context))
      .then(pass, findingOf),
    timeout(check.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS, session, controller),
    interruption(run.signal, controller.signal),
  ]);
  // Ends what the check still has in flight, so that it cannot affect the next attempt.
  controller.abort();
  await session.close();
  if (changes !== null) await restore(run, known, changes.outstanding(), 'attempt');
  const { used, refusals } = session;
  const [refusal] = refusals;
  if (refusal === undefined) return { finding: withEvidence(finding, history), used };
  const message = `refused before sending: ${refusal}`;
  return { finding: { kind: 'harness-error', message }, used };
}

/** A violation shows what the attempt did, where the check itself does not say more. */
function withEvidence(finding: Finding, history: AttemptHistory): Finding {
  if (finding.kind !== 'violation') return finding;
  const exchange = finding.detail.exchange ?? history.last();
  const control =
    finding.detail.control ?? (exchange === null ? null : history.controlOf(exchange));
  return {
    ...finding,
    steps: history.steps(),
    detail: {
      ...finding.detail,
      ...(exchange === null ? {} : { exchange }),
      ...(control === null ? {} : { control }),
    },
  };
}

/** The finding of a check that the caller of the run ended. */
export const INTERRUPTED: Finding = {
  kind: 'could-not-run',
  message: 'the run was interrupted',
  remedies: [{ text: 'run the same command again' }],
};

/** Resolves when the run is interrupted before the attempt ends. */
function interruption(run: AbortSignal, attempt: AbortSignal): Promise<Finding> {
  return new Promise((resolve) => {
    run.addEventListener('abort', () => resolve(INTERRUPTED), { signal: attempt });
  });
}

function pass(): Finding {
  return { kind: 'pass' };
}

/** What a check throws is its finding; anything else that it throws is an error of the suite. */
function findingOf(error: unknown): Finding {
  if (error instanceof Violation) {
    return { kind: 'violation', detail: error.detail, confirmed: 1, steps: [] };
  }
  if (error instanceof CouldNotRun) {
    const { message, remedy, exchange } = error;
    return { kind: 'could-not-run', message, remedies: [remedy], exchange };
  }
  if (error instanceof Inconclusive) {
    const { message, remedy, exchange, reportedBy } = error;
    const remedies = remedy === null ? {} : { remedies: [remedy] };
    const isLost = isLostConnection(error);
    return { kind: 'inconclusive', message, isLost, exchange, reportedBy, ...remedies };
  }
  if (error instanceof NotApplicable) {
    return { kind: 'not-applicable', message: error.message };
  }
  return { kind: 'harness-error', message: error instanceof Error ? error.message : String(error) };
}

/** Resolves after the given time. What the check waits for its turn or for responses is added. */
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
      resolve({
        kind: 'inconclusive',
        message: `No verdict within ${milliseconds / 1000} s, besides the time in which it waited for responses.`,
        remedies: [{ text: 'run this check alone with --only, on a machine that is less busy' }],
      });
    };
    let timer = setTimeout(expire, milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
