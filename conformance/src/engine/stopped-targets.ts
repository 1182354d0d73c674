import { setTimeout as sleep } from 'node:timers/promises';

import type { Check, CheckContext } from '../check-kit/check.ts';
import { ownContext } from '../context/context.ts';
import type { ReceiverRequest } from '../clients/receiver-client.ts';
import type { KnownTarget, RunContext } from '../context/context.ts';
import { signDelivery } from '../signing/delivery.ts';
import { testEvent } from '../signing/run-event.ts';
import { CouldNotRun, Inconclusive } from '../verdict/findings.ts';
import type { Finding } from '../verdict/findings.ts';
import type { Channel } from '../wire/gate-rules.ts';

/** The parts of a target that can stop. */
const PARTS = ['control', 'api', 'receiver'] as const;
type Part = (typeof PARTS)[number];

/** What a check cannot run without. Most reads of the API need no control interface. */
function partsOf({ side, access, needs }: Check): readonly Part[] {
  if (side === 'receiver') return ['receiver'];
  if (side === 'sender') return ['control', 'api'];
  const drives = access !== 'read' || needs.some((need) => need.startsWith('control'));
  return drives ? ['api', 'control'] : ['api'];
}

const NAMES: Readonly<Record<Part, string>> = {
  api: 'the API',
  control: 'the control interface',
  receiver: 'the receiver',
};
/** A target that restarts within some seconds has not stopped. */
const PROBES = { tries: 6, firstWaitMilliseconds: 50, withinMilliseconds: 12_000 };

/** The parts of a target that responded during this run and no longer do. Nothing after that is a result. */
export class StoppedTargets {
  readonly #run: RunContext;
  readonly #context: CheckContext;
  readonly #stopped = new Map<Part, { readonly message: string; isReported: boolean }>();
  readonly #decisions = new Map<Part, Promise<void>>();

  constructor(run: RunContext, { facts }: KnownTarget) {
    this.#run = run;
    this.#context = ownContext(run, 'read', facts.keys);
  }

  has(check: Check): boolean {
    return partsOf(check).some((part) => this.#stopped.has(part));
  }

  /** Why a check cannot run any more; null while its target responds. */
  obstacleTo(check: Check): Finding | null {
    const part = partsOf(check).find((one) => this.#stopped.has(one));
    return part === undefined ? null : this.#couldNotRun(part);
  }

  #couldNotRun(part: Part): Finding {
    const message = this.#stopped.get(part)?.message ?? '';
    const text = `look into the log of ${NAMES[part]}, start it again, and repeat the run`;
    return { kind: 'could-not-run', message, remedies: [{ text }] };
  }

  /** The finding of an attempt that has ended. The first one that a stopped target left open reports the stop. */
  async examine(finding: Finding, used: ReadonlySet<Channel>): Promise<Finding> {
    if (finding.kind !== 'inconclusive') return finding;
    for (const part of PARTS.filter((one) => used.has(one))) {
      await this.#decide(part);
      const stop = this.#stopped.get(part);
      if (stop === undefined) continue;
      if (stop.isReported) return this.#couldNotRun(part);
      stop.isReported = true;
      return { kind: 'inconclusive', message: stop.message };
    }
    return finding;
  }

  /** Checks that lose their target together wait for one decision. */
  async #decide(part: Part): Promise<void> {
    if (this.#stopped.has(part) || !this.#run.gate.health.isSilent(part)) return;
    const decision = this.#decisions.get(part) ?? this.#probe(part);
    this.#decisions.set(part, decision);
    await decision.finally(() => this.#decisions.delete(part));
  }

  async #probe(part: Part): Promise<void> {
    const { gate, signal } = this.#run;
    const endsAt = performance.now() + PROBES.withinMilliseconds;
    for (let tried = 0; tried < PROBES.tries && performance.now() < endsAt; tried += 1) {
      await sleep(PROBES.firstWaitMilliseconds * 2 ** tried, undefined, { signal }).catch(() => {});
      if (signal.aborted || !(await this.#isSilent(part))) return;
    }
    const message = `${NAMES[part]} stopped responding ${gate.health.turningPoint(part)}`;
    this.#stopped.set(part, { message, isReported: false });
  }

  /** Whether one more request gets no response. */
  async #isSilent(part: Part): Promise<boolean> {
    const context = this.#context;
    try {
      if (part === 'api') await context.api.sendOnce({ path: '/v1/auth/check' });
      else if (part === 'control') await context.control.getClock();
      else await context.receiver.deliver(testDelivery(context));
    } catch (error) {
      // Without a request of its own, a probe shows nothing.
      if (error instanceof CouldNotRun) return false;
      if (!(error instanceof Inconclusive)) throw error;
    }
    return this.#run.gate.health.isSilent(part);
  }
}

function testDelivery(context: CheckContext): ReceiverRequest {
  const at = context.now();
  return signDelivery(testEvent(`suiteprobe${at}`, at), context.receiver, Math.floor(at / 1000));
}
