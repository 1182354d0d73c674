import type { Check, CheckContext } from '../check-kit/check.ts';
import { createApiClient } from '../clients/create-api-client.ts';
import { createControlClient } from '../clients/create-control-client.ts';
import { createReceiverClient } from '../clients/receiver-client.ts';
import type { Facts } from '../options/facts.ts';
import { REMEDIES } from '../options/remedies.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import type { GateSession } from '../wire/gate.ts';
import type { RunContext } from './run-context.ts';

/** What is known about the target when a context is opened. */
export interface Known {
  readonly facts: Facts;
  readonly receiverClockOffsetMilliseconds: number | null;
}

/** Opens what one attempt needs: a gate session bound to the signal, and the context on top of it. */
export type OpenAttempt = (
  check: Check,
  attempt: number,
  signal: AbortSignal,
) => { readonly context: CheckContext; readonly session: GateSession };

/** Opens attempts with the access of the check. A second attempt uses new connections. */
export function attemptOpener(run: RunContext, known: Known): OpenAttempt {
  return ({ access }, attempt, signal) => {
    const session = run.gate.session({ access, signal, fresh: attempt > 1 });
    return { session, context: contextOf(run, known, session, attempt) };
  };
}

/** A read-only context for the requests of the run itself, before its first check. */
export function readingContext(run: RunContext, known: Known): CheckContext {
  const signal = new AbortController().signal;
  const session = run.gate.session({ access: 'read', signal, fresh: false });
  return contextOf(run, known, session, 1);
}

function contextOf(
  run: RunContext,
  { facts, receiverClockOffsetMilliseconds }: Known,
  session: GateSession,
  attempt: number,
): CheckContext {
  const { plan, redactor, samples, redirects, now } = run;
  const { baseUrl, appUrl } = plan;
  const target = { baseUrl, appUrl, keys: facts.keys, samples, redirects };
  return {
    api: createApiClient(target, session, attempt > 1, run),
    get control() {
      if (plan.control === null) throw new CouldNotRun('no control interface', REMEDIES.control);
      return createControlClient(plan.control, session, redactor);
    },
    get receiver() {
      if (plan.receiver === null) throw new CouldNotRun('no receiver', REMEDIES.receiver);
      const offset = receiverClockOffsetMilliseconds;
      return createReceiverClient(plan.receiver, offset, session, redactor);
    },
    fixture(name) {
      const known = facts.fixtures[name];
      if (known !== undefined) return known.value;
      throw new CouldNotRun(`no fixture ${name}`, REMEDIES.fixture(name));
    },
    attempt,
    signal: session.signal,
    now,
    retryWindowMilliseconds: plan.retryWindowMilliseconds,
    redact: redactor.redact,
  };
}
