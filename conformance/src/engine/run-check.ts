import type { Check, CheckContext } from '../check-kit/check.ts';
import { CouldNotRun, Inconclusive, NotApplicable, Violation } from '../verdict/findings.ts';
import type { Finding } from '../verdict/verdict.ts';
import type { GateSession } from '../wire/gate.ts';

/** Opens what one attempt needs: a gate session bound to the signal, and the context on top of it. */
export type OpenAttempt = (
  check: Check,
  attempt: number,
  signal: AbortSignal,
) => { readonly context: CheckContext; readonly session: GateSession };

/** Bounds a check that hangs. Each request has a shorter limit, so a slow target or a busy machine stays below. */
const DEFAULT_TIMEOUT_MILLISECONDS = 60_000;

/** Runs a check; a red is tried once more on fresh connections and stands only when it repeats. */
export async function runCheck(check: Check, open: OpenAttempt): Promise<Finding> {
  const first = await attemptOnce(check, 1, open);
  if (first.kind !== 'violation') return first;
  const second = await attemptOnce(check, 2, open);
  if (second.kind === 'violation') return { ...second, confirmed: 2 };
  if (second.kind === 'harness-error') return second;
  const { expected, actual } = first.detail;
  const then = second.kind === 'pass' ? 'passed' : `was ${second.kind}: ${second.message}`;
  return {
    kind: 'inconclusive',
    message: `a red that did not repeat: expected ${expected}, got ${actual}; the second attempt ${then}`,
  };
}

async function attemptOnce(check: Check, attempt: number, open: OpenAttempt): Promise<Finding> {
  const controller = new AbortController();
  const { context, session } = open(check, attempt, controller.signal);
  const finding = await Promise.race([
    check.run(context).then(pass, findingOf),
    timeout(check.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS, session, controller),
  ]);
  // Whatever the check still has in flight ends here, so that it cannot meet the next attempt.
  controller.abort();
  await session.close();
  if (session.refusals.length === 0) return finding;
  return { kind: 'harness-error', message: `refused before the wire: ${session.refusals[0]}` };
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

/** Resolves when the time is over; time spent waiting for a turn at the gate is added to it. */
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
      resolve({ kind: 'inconclusive', message: `not decided within ${milliseconds} ms` });
    };
    let timer = setTimeout(expire, milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
