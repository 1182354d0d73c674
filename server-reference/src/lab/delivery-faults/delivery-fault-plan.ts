import type { DeliveryRecord } from '../../platform/state/deliveries.ts';
import type { DeepReadonly } from '../../platform/state/read-only.ts';
import { fillDefaults, isExhausted, matches } from './delivery-fault.ts';
import type { DeliveryFaultOrder, ScopedDeliveryFault } from './delivery-fault.ts';

/** How many delivery faults are armed at once at most. */
export const MAX_DELIVERY_FAULTS = 100;
/** How many of a fault's most recent hits are reported. */
export const MAX_REPORTED_HITS = 100;

/** One delivery that a fault has hit. */
export interface DeliveryFaultHit {
  readonly at: string;
  readonly deliveryId: string;
  readonly eventId: string;
}

/** A delivery fault that was injected. */
export type InjectedDeliveryFault = ScopedDeliveryFault & {
  readonly id: string;
  readonly injectedAt: string;
  /** How many deliveries it has hit. */
  readonly hits: number;
  /** Its most recent hits, oldest first. */
  readonly recentHits: readonly DeliveryFaultHit[];
};

interface Entry {
  fault: InjectedDeliveryFault;
  /** Held weakly: a delivery that the server forgets is forgotten here. */
  readonly hit: WeakSet<DeepReadonly<DeliveryRecord>>;
}

/** The delivery faults that were injected; kept in memory alone. */
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

  /** Whether so many more fit in: at most {@link MAX_DELIVERY_FAULTS} are armed at once. */
  hasRoomFor(more: number): boolean {
    const armed = this.list().filter((fault) => !isExhausted(fault));
    return armed.length + more <= MAX_DELIVERY_FAULTS;
  }

  /**
   * Injects a fault. When the plan is full, the oldest exhausted fault makes room.
   *
   * @throws {RangeError} when none is exhausted; ask {@link hasRoomFor} first
   */
  inject(order: DeliveryFaultOrder, now: number): InjectedDeliveryFault {
    if (this.#entries.size >= MAX_DELIVERY_FAULTS && !this.#removeExhausted()) {
      throw new RangeError(`at most ${MAX_DELIVERY_FAULTS} delivery faults can be armed`);
    }
    this.#injected += 1;
    const facts = { injectedAt: new Date(now).toISOString(), hits: 0, recentHits: [] };
    const fault = { id: `delivery_fault_${this.#injected}`, ...fillDefaults(order), ...facts };
    this.#entries.set(fault.id, { fault, hit: new WeakSet() });
    return fault;
  }

  /** What it has hit stays as it is. @returns whether there was a fault with this id */
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
   * The fault for the next attempt of a delivery: of those that match and are armed, the one that was
   * injected first. No fault hits a delivery twice.
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

  /** Whether a fault would hit this delivery next. */
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
  const hit: DeliveryFaultHit = { at: new Date(now).toISOString(), deliveryId, eventId };
  const recentHits = [...fault.recentHits, hit].slice(-MAX_REPORTED_HITS);
  const after = { ...fault, hits: fault.hits + 1, recentHits };
  // Two deliveries have an order only when they arrive at the same endpoint.
  const anywhere = fault.endpointId === undefined && fault.runId === undefined;
  return fault.name === 'reorder' && anywhere ? { ...after, endpointId } : after;
}
