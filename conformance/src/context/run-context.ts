import type { ApiResponse } from '../clients/api-client.ts';
import type { OpenAttempt } from '../engine/run-check.ts';
import type { CheckContext, Access } from '../check-kit/check.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import type { Facts } from '../options/facts.ts';
import type { Plan } from '../options/plan.ts';
import { CONTROL_REMEDY, RECEIVER_REMEDY } from '../select/needs.ts';
import { createApiClient } from '../clients/create-api-client.ts';
import { monotonicClock } from '../wire/clock.ts';
import { createControlClient } from '../clients/create-control-client.ts';
import { createGate } from '../wire/gate.ts';
import type { Gate, GateSession } from '../wire/gate.ts';
import { createPacer } from '../wire/pacer.ts';
import { createReceiverClient } from '../clients/create-receiver-client.ts';
import { createRedactor, keyVariable } from '../redaction/redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';

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

/** Opens the gate for the addresses of the plan and makes its secrets known to the redactor. */
export function createRunContext(plan: Plan, now: () => number): RunContext {
  const { control, receiver } = plan;
  const redactor = createRedactor();
  for (const [name, key] of Object.entries(plan.keys)) redactor.add(keyVariable(name), key);
  if (control !== null) redactor.add('HOOKPROOF_CONTROL_TOKEN', control.token);
  if (receiver !== null) redactor.add('HOOKPROOF_SECRET', receiver.secret);
  for (const url of [receiver?.url, receiver?.observerUrl]) {
    for (const value of new URL(url ?? 'http://none').searchParams.values()) {
      redactor.add('HOOKPROOF_RECEIVER_QUERY', value);
    }
  }
  const rules = {
    allowWrites: plan.allowWrites,
    allowDeletes: plan.allowDeletes,
    origins: {
      api: origins(plan.baseUrl, plan.appUrl),
      control: origins(control?.url),
      receiver: origins(receiver?.url, receiver?.observerUrl),
    },
  };
  const pacers = {
    api: createPacer(plan.requestsPerSecond, monotonicClock),
    receiver: createPacer(plan.deliveriesPerSecond, monotonicClock),
  };
  const gate = createGate(rules, plan.maxRequests, pacers, monotonicClock);
  return {
    plan,
    gate,
    redactor,
    now,
    startedAt: now(),
    samples: new Map(),
    redirects: new WeakMap(),
  };
}

function origins(...urls: (string | null | undefined)[]): string[] {
  return urls.filter((url) => url != null).map((url) => new URL(url).origin);
}

/** What a run learned and an attempt uses. */
export interface Usable {
  readonly facts: Facts;
  readonly receiverClockOffsetMilliseconds: number | null;
}

/** Opens attempts: a gate session for the check's effect, with clients on top; the second on fresh connections. */
export function attemptOpener(runContext: RunContext, usable: Usable): OpenAttempt {
  return ({ access }, attempt, signal) => {
    const session = runContext.gate.session({ access, signal, fresh: attempt > 1 });
    return { session, context: contextOf(runContext, usable, session, attempt) };
  };
}

/** A context for the run's own questions before the first check: it only reads. */
export function readingContext(runContext: RunContext, usable: Usable): CheckContext {
  const access: Access = 'read';
  const signal = new AbortController().signal;
  const session = runContext.gate.session({ access, signal, fresh: false });
  return contextOf(runContext, usable, session, 1);
}

function contextOf(
  runContext: RunContext,
  { facts, receiverClockOffsetMilliseconds }: Usable,
  session: GateSession,
  attempt: number,
): CheckContext {
  const { plan, redactor, samples, redirects, now } = runContext;
  const { baseUrl, appUrl } = plan;
  const target = { baseUrl, appUrl, keys: facts.keys, samples, redirects };
  return {
    api: createApiClient(target, session, attempt > 1, runContext),
    get control() {
      if (plan.control === null) throw new CouldNotRun('no control interface', CONTROL_REMEDY);
      return createControlClient(plan.control, session, redactor);
    },
    get receiver() {
      if (plan.receiver === null) throw new CouldNotRun('no receiver', RECEIVER_REMEDY);
      const offset = receiverClockOffsetMilliseconds;
      return createReceiverClient(plan.receiver, offset, session, redactor);
    },
    fixture(name) {
      const known = facts.fixtures[name];
      if (known !== undefined) return known.value;
      throw new CouldNotRun(
        `no ${name} was given or found`,
        `--fixtures FILE with { "${name}": "<value>" }`,
      );
    },
    attempt,
    signal: session.signal,
    now,
    retryWindowMilliseconds: plan.retryWindowMilliseconds,
    redact: redactor.redact,
  };
}
