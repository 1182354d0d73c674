import { isoTime } from '../../clock/clock.ts';
import type { DeliveryRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { fillDefaults, isExhausted, matches } from './delivery-fault.ts';
import type { DeliveryFaultOrder, ScopedDeliveryFault } from './delivery-fault.ts';

/** The maximum number of armed delivery faults. */
export const MAX_DELIVERY_FAULTS = 100;
/** The maximum number of hits that a fault reports. */
export const MAX_REPORTED_HITS = 100;

/** One delivery that a fault was applied to. */
interface DeliveryFaultHit {
  readonly at: string;
  readonly deliveryId: string;
  readonly eventId: string;
}

/** A delivery fault that was injected. */
export type InjectedDeliveryFault = ScopedDeliveryFault & {
  readonly id: string;
  readonly injectedAt: string;
  /** The number of deliveries that it was applied to. */
  readonly hits: number;
  /** Its most recent hits, oldest first. */
  readonly recentHits: readonly DeliveryFaultHit[];
};

/** A fault, and whether it still applies. */
type DeliveryFaultView = InjectedDeliveryFault & { readonly armed: boolean };

/** Returns a fault as the control interface shows it. */
export function deliveryFaultView(fault: InjectedDeliveryFault): DeliveryFaultView {
  return { ...fault, armed: !isExhausted(fault) };
}

interface Entry {
  fault: InjectedDeliveryFault;
  /** Weak, so that pruned deliveries are released. */
  readonly hit: WeakSet<DeepReadonly<DeliveryRecord>>;
}

/** The injected delivery faults. A restart removes them. */
export class DeliveryFaultPlan {
  readonly #changed: () => void;
  readonly #entries = new Map<string, Entry>();
  #injected = 0;

  /** @param changed - called after each hit, and when a fault is removed */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  list(): readonly InjectedDeliveryFault[] {
    return [...this.#entries.values()].map(({ fault }) => fault);
  }

  find(id: string): InjectedDeliveryFault | undefined {
    return this.#entries.get(id)?.fault;
  }

  /** Returns whether this number of faults can be added; {@link MAX_DELIVERY_FAULTS} can be armed. */
  hasRoomFor(more: number): boolean {
    const armed = this.list().filter((fault) => !isExhausted(fault));
    return armed.length + more <= MAX_DELIVERY_FAULTS;
  }

  /**
   * Injects a fault. If the plan is full, the oldest exhausted fault is removed.
   *
   * @throws {RangeError} if none is exhausted; call {@link hasRoomFor} first
   */
  inject(order: DeliveryFaultOrder, now: number): InjectedDeliveryFault {
    if (this.#entries.size >= MAX_DELIVERY_FAULTS && !this.#removeExhausted()) {
      throw new RangeError(`At most ${MAX_DELIVERY_FAULTS} delivery faults can be armed.`);
    }
    this.#injected += 1;
    const facts = { injectedAt: isoTime(now), hits: 0, recentHits: [] };
    const fault = { id: `delivery_fault_${this.#injected}`, ...fillDefaults(order), ...facts };
    this.#entries.set(fault.id, { fault, hit: new WeakSet() });
    return fault;
  }

  /**
   * Removes a fault. Deliveries that it was applied to are unaffected.
   *
   * @returns whether there was a fault with this id
   */
  remove(id: string): boolean {
    const existed = this.#entries.delete(id);
    this.#changed();
    return existed;
  }

  clear(): void {
    this.#entries.clear();
    this.#changed();
  }

  /**
   * Returns the fault to apply to the next attempt of a delivery: the oldest that matches and is armed. A fault
   * is applied to a delivery only once.
   */
  apply(delivery: DeepReadonly<DeliveryRecord>, now: number): InjectedDeliveryFault | null {
    for (const entry of this.#entries.values()) {
      if (!hits(entry, delivery)) continue;
      entry.hit.add(delivery);
      entry.fault = afterHit(entry.fault, delivery, now);
      this.#changed();
      return entry.fault;
    }
    return null;
  }

  /** Returns whether a fault would apply to the next attempt of a delivery. */
  wouldHit(id: string, delivery: DeepReadonly<DeliveryRecord>): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && hits(entry, delivery);
  }

  #removeExhausted(): boolean {
    const exhausted = this.list().find(isExhausted);
    if (exhausted === undefined) return false;
    this.#entries.delete(exhausted.id);
    this.#changed();
    return true;
  }
}

function hits({ fault, hit }: Entry, delivery: DeepReadonly<DeliveryRecord>): boolean {
  return !isExhausted(fault) && matches(fault, delivery) && !hit.has(delivery);
}

function afterHit(
  fault: InjectedDeliveryFault,
  { id: deliveryId, eventId, endpointId }: DeepReadonly<DeliveryRecord>,
  now: number,
): InjectedDeliveryFault {
  const hit: DeliveryFaultHit = { at: isoTime(now), deliveryId, eventId };
  const recentHits = [...fault.recentHits, hit].slice(-MAX_REPORTED_HITS);
  const after = { ...fault, hits: fault.hits + 1, recentHits };
  // An order exists only among deliveries to the same endpoint.
  const anywhere = fault.endpointId === undefined && fault.runId === undefined;
  return fault.name === 'reorder' && anywhere ? { ...after, endpointId } : after;
}
