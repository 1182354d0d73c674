import { isoTime } from '../../clock/clock.ts';
import type { KeyedRandom } from '../../store/seed.ts';
import { applies, isExhausted, matches } from './api-fault.ts';
import type {
  ApiFaultEffect,
  ApiFaultOrder,
  ApiFaultProgress,
  ApiFaultTarget,
} from './api-fault.ts';

/** The maximum number of injected API faults. */
export const MAX_API_FAULTS = 100;
/** The maximum number of hits that a fault reports. */
export const MAX_REPORTED_HITS = 100;

/** One request that a fault was applied to. */
interface ApiFaultHit {
  readonly at: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/** An API fault that was injected. */
export interface InjectedApiFault extends ApiFaultOrder {
  readonly id: string;
  readonly injectedAt: string;
  /** The number of matching requests. */
  readonly matched: number;
  /** The number of requests that it was applied to. */
  readonly hits: number;
  /** Its most recent hits, oldest first. */
  readonly recentHits: readonly ApiFaultHit[];
}

/** Returns a fault as the control interface shows it. */
export function apiFaultView(fault: InjectedApiFault, now: number): ApiFaultView {
  return { ...fault, armed: !isExhausted(fault, progressOf(fault, now)) };
}

/** A fault, and whether it still applies. */
type ApiFaultView = InjectedApiFault & { readonly armed: boolean };

/** The effect on one request, and the fault that has it. */
interface AppliedFault {
  readonly faultId: string;
  readonly effect: ApiFaultEffect;
}

/** The injected API faults. A restart removes them. */
export class ApiFaultPlan {
  readonly #random: KeyedRandom;
  readonly #changed: () => void;
  readonly #faults = new Map<string, InjectedApiFault>();
  #injected = 0;

  /**
   * @param random - for faults with a probability
   * @param changed - called after each matching request, and when a fault is removed
   */
  constructor(random: KeyedRandom, changed: () => void) {
    this.#random = random;
    this.#changed = changed;
  }

  list(): readonly InjectedApiFault[] {
    return [...this.#faults.values()];
  }

  /**
   * Injects a fault. If the plan is full, the oldest exhausted fault is removed.
   *
   * @returns the fault, or null if {@link MAX_API_FAULTS} are armed
   */
  inject(order: ApiFaultOrder, now: number): InjectedApiFault | null {
    if (this.#faults.size >= MAX_API_FAULTS && !this.#removeExhausted(now)) return null;
    this.#injected += 1;
    const id = `fault_${this.#injected}`;
    const injectedAt = isoTime(now);
    const fault = { id, ...order, injectedAt, matched: 0, hits: 0, recentHits: [] };
    this.#faults.set(id, fault);
    return fault;
  }

  /** @returns whether there was a fault with this id */
  remove(id: string): boolean {
    const existed = this.#faults.delete(id);
    this.#changed();
    return existed;
  }

  clear(): void {
    this.#faults.clear();
    this.#changed();
  }

  /** Returns the fault to apply to a request: the first that hits. Every matching fault counts the request. */
  apply(target: ApiFaultTarget, requestId: string, now: number): AppliedFault | null {
    let applied: AppliedFault | null = null;
    let isMatched = false;
    for (const fault of this.#faults.values()) {
      if (!matches(fault, target)) continue;
      isMatched = true;
      const counted = { ...fault, matched: fault.matched + 1 };
      const draw = this.#random(`${fault.id}:${counted.matched}`);
      const hits = applied === null && applies(fault, progressOf(counted, now), draw);
      this.#faults.set(fault.id, hits ? withHit(counted, target, requestId, now) : counted);
      if (hits) applied = { faultId: fault.id, effect: fault.effect };
    }
    if (isMatched) this.#changed();
    return applied;
  }

  #removeExhausted(now: number): boolean {
    const exhausted = this.list().find((fault) => isExhausted(fault, progressOf(fault, now)));
    if (exhausted === undefined) return false;
    this.#faults.delete(exhausted.id);
    this.#changed();
    return true;
  }
}

function withHit(
  fault: InjectedApiFault,
  { method, path }: ApiFaultTarget,
  requestId: string,
  now: number,
): InjectedApiFault {
  const hit: ApiFaultHit = { at: isoTime(now), requestId, method, path };
  const recentHits = [...fault.recentHits, hit].slice(-MAX_REPORTED_HITS);
  return { ...fault, hits: fault.hits + 1, recentHits };
}

function progressOf(
  { matched, hits, injectedAt }: InjectedApiFault,
  now: number,
): ApiFaultProgress {
  return { matched, hits, elapsedMilliseconds: now - Date.parse(injectedAt) };
}
