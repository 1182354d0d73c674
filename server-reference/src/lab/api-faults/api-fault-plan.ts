import { isoTime } from '../../clock/clock.ts';
import type { KeyedRandom } from '../../store/seed.ts';
import { FaultPlan } from '../fault-plan.ts';
import type { FaultListener, Injected } from '../fault-plan.ts';
import { applies, isExhausted, matches } from './api-fault.ts';
import type {
  ApiFaultEffect,
  ApiFaultOrder,
  ApiFaultProgress,
  ApiFaultTarget,
} from './api-fault.ts';

/** One request that a fault was applied to. */
export interface ApiFaultHit {
  readonly at: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

interface CountedOrder extends ApiFaultOrder {
  /** The number of matching requests. */
  readonly matched: number;
}

/** An API fault that was injected. It counts the requests that it was applied to. */
export type InjectedApiFault = CountedOrder & Injected<ApiFaultHit>;

/** The effect on one request, and the fault that has it. */
interface AppliedFault {
  readonly faultId: string;
  readonly effect: ApiFaultEffect;
}

/** The injected API faults. */
export class ApiFaultPlan extends FaultPlan<CountedOrder, ApiFaultHit> {
  readonly #random: KeyedRandom;

  /** @param random - for faults with a probability */
  constructor(random: KeyedRandom, listener: FaultListener<InjectedApiFault, ApiFaultHit>) {
    super({
      ...listener,
      prefix: 'fault_',
      isExhausted: (fault, now) => isExhausted(fault, progressOf(fault, now)),
    });
    this.#random = random;
  }

  /**
   * Injects a fault. If the plan is full, the oldest exhausted fault is removed.
   *
   * @throws {RangeError} if none is exhausted; ask `room` first
   */
  inject(order: ApiFaultOrder, now: number): InjectedApiFault {
    return this.add({ ...order, matched: 0 }, now);
  }

  /** Returns the fault to apply to a request: the first that hits. Every matching fault counts the request. */
  apply(target: ApiFaultTarget, requestId: string, now: number): AppliedFault | null {
    let applied: AppliedFault | null = null;
    for (const fault of this.list()) {
      if (!matches(fault, target)) continue;
      const counted = { ...fault, matched: fault.matched + 1 };
      const draw = this.#random(`${fault.id}:${counted.matched}`);
      if (applied === null && applies(fault, progressOf(counted, now), draw)) {
        const { method, path } = target;
        this.hit(counted, { at: isoTime(now), requestId, method, path });
        applied = { faultId: fault.id, effect: fault.effect };
      } else this.change(counted);
    }
    return applied;
  }
}

function progressOf(
  { matched, hits, injectedAt }: InjectedApiFault,
  now: number,
): ApiFaultProgress {
  return { matched, hits, elapsedMilliseconds: now - Date.parse(injectedAt) };
}
