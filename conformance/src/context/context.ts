import type { Check, CheckContext } from '../check-kit/check.ts';
import type { ApiResponse } from '../clients/api-client.ts';
import { createApiClient } from '../clients/create-api-client.ts';
import { createControlClient } from '../clients/create-control-client.ts';
import { createReceiverClient } from '../clients/receiver-client.ts';
import { REMEDIES } from '../options/facts.ts';
import type { Facts } from '../options/facts.ts';
import type { Plan } from '../options/plan.ts';
import { createRedactor, keyVariable } from '../redaction/redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import { createGate } from '../wire/gate.ts';
import type { Gate, GateSession } from '../wire/gate.ts';
import type { GateRules } from '../wire/gate-rules.ts';
import { createPacer, monotonicClock } from '../wire/rate.ts';

/** What lives as long as a run: the gate, the known secrets and the shared samples. */
export interface RunContext {
  readonly plan: Plan;
  readonly gate: Gate;
  readonly redactor: Redactor;
  readonly now: () => number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly samples: Map<string, Promise<ApiResponse>>;
  readonly redirects: WeakMap<ApiResponse, string>;
}

/** Opens the gate for the URLs of the plan, and gives the secrets of the plan to the redactor. */
export function createRunContext(plan: Plan, now: () => number): RunContext {
  const pacers = {
    api: createPacer(plan.requestsPerSecond, monotonicClock),
    receiver: createPacer(plan.deliveriesPerSecond, monotonicClock),
  };
  return {
    plan,
    gate: createGate(gateRulesOf(plan), plan.maxRequests, pacers, monotonicClock),
    redactor: redactorOf(plan),
    now,
    startedAt: now(),
    samples: new Map(),
    redirects: new WeakMap(),
  };
}

function gateRulesOf(plan: Plan): GateRules {
  const { allowWrites, allowDeletes, baseUrl, appUrl, control, receiver } = plan;
  return {
    allowWrites,
    allowDeletes,
    origins: {
      api: origins(baseUrl, appUrl),
      control: origins(control?.url),
      receiver: origins(receiver?.url, receiver?.observerUrl),
    },
  };
}

function origins(...urls: (string | null | undefined)[]): string[] {
  return urls.filter((url) => url != null).map((url) => new URL(url).origin);
}

function redactorOf({ keys, control, receiver }: Plan): Redactor {
  const redactor = createRedactor();
  for (const [name, key] of Object.entries(keys)) redactor.add(keyVariable(name), key);
  if (control !== null) redactor.add('HOOKPROOF_CONTROL_TOKEN', control.token);
  if (receiver === null) return redactor;
  redactor.add('HOOKPROOF_SECRET', receiver.secret);
  for (const url of [receiver.url, receiver.observerUrl]) {
    if (url === null) continue;
    for (const value of new URL(url).searchParams.values()) {
      redactor.add('HOOKPROOF_RECEIVER_QUERY', value);
    }
  }
  return redactor;
}

/** What is known about the target when a context is opened. */
export interface KnownTarget {
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
export function attemptOpener(run: RunContext, known: KnownTarget): OpenAttempt {
  return ({ access }, attempt, signal) => {
    const session = run.gate.session({ access, signal, fresh: attempt > 1 });
    return { session, context: contextOf(run, known, session, attempt) };
  };
}

/** A read-only context for the requests of the run itself, before its first check. */
export function readingContext(run: RunContext, known: KnownTarget): CheckContext {
  const signal = new AbortController().signal;
  const session = run.gate.session({ access: 'read', signal, fresh: false });
  return contextOf(run, known, session, 1);
}

function contextOf(
  run: RunContext,
  { facts, receiverClockOffsetMilliseconds }: KnownTarget,
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
