import type { ApiResponse } from '../clients/api-client.ts';
import type { Plan } from '../options/plan.ts';
import { createRedactor, keyVariable } from '../redaction/redactor.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { createGate } from '../wire/gate.ts';
import type { Gate } from '../wire/gate.ts';
import type { GateRules } from '../wire/gate-rules.ts';
import { createPacer, monotonicClock } from '../wire/pacer.ts';

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
