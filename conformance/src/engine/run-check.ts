import type { Check } from '../check-kit/check.ts';
import type { OpenAttempt } from '../context/check-context.ts';
import { CouldNotRun, Inconclusive, NotApplicable, Violation } from '../verdict/findings.ts';
import type { Finding } from '../verdict/findings.ts';
import type { GateSession } from '../wire/gate.ts';

/** A check that hangs ends here. Each request has a shorter limit, so that a slow target stays below this one. */
const DEFAULT_TIMEOUT_MILLISECONDS = 60_000;

/** Runs a check. A violation counts only when a second attempt, on new connections, finds one too. */
export async function runCheck(check: Check, open: OpenAttempt): Promise<Finding> {
  const first = await runAttempt(check, 1, open);
  if (first.kind !== 'violation') return first;
  const second = await runAttempt(check, 2, open);
  if (second.kind === 'violation') return { ...second, confirmed: 2 };
  if (second.kind === 'harness-error') return second;
  const { expected, actual } = first.detail;
  const outcome = second.kind === 'pass' ? 'passed' : `was ${second.kind}: ${second.message}`;
  return {
    kind: 'inconclusive',
    message: `failure not reproduced: expected ${expected}, got ${actual}; the second attempt ${outcome}`,
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
      resolve({ kind: 'inconclusive', message: `no verdict within ${milliseconds} ms` });
    };
    let timer = setTimeout(expire, milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
