import { isoTime } from '../../clock/clock.ts';
import type { DeliveryRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { FaultPlan } from '../fault-plan.ts';
import type { FaultListener, Injected } from '../fault-plan.ts';
import { fillDefaults, isExhausted, matches } from './delivery-fault.ts';
import type { DeliveryFaultOrder, ScopedDeliveryFault } from './delivery-fault.ts';

/** One delivery that a fault was applied to. */
export interface DeliveryFaultHit {
  readonly at: string;
  readonly deliveryId: string;
  readonly eventId: string;
}

/** A delivery fault that was injected. It counts the deliveries that it was applied to. */
export type InjectedDeliveryFault = ScopedDeliveryFault & Injected<DeliveryFaultHit>;

/** The injected delivery faults. */
export class DeliveryFaultPlan extends FaultPlan<ScopedDeliveryFault, DeliveryFaultHit> {
  /** The ids of the faults that were applied to a delivery. */
  readonly #applied = new WeakMap<DeepReadonly<DeliveryRecord>, Set<string>>();

  constructor(listener: FaultListener<InjectedDeliveryFault, DeliveryFaultHit>) {
    super({ ...listener, prefix: 'delivery_fault_', isExhausted });
  }

  /**
   * Injects a fault with the defaults of its parameters. If the plan is full, the oldest exhausted fault is removed.
   *
   * @throws {RangeError} if none is exhausted; ask `room` first
   */
  inject(order: DeliveryFaultOrder, now: number): InjectedDeliveryFault {
    return this.add(fillDefaults(order), now);
  }

  /**
   * Returns the fault to apply to the next attempt of a delivery: the oldest that matches and is armed. A fault
   * is applied to a delivery only once.
   */
  apply(delivery: DeepReadonly<DeliveryRecord>, now: number): InjectedDeliveryFault | null {
    const applied = this.#applied.get(delivery) ?? new Set();
    const fault = this.list().find(
      (one) => !isExhausted(one) && matches(one, delivery) && !applied.has(one.id),
    );
    if (fault === undefined) return null;
    this.#applied.set(delivery, applied.add(fault.id));
    const { id: deliveryId, eventId, endpointId } = delivery;
    // An order exists only among deliveries to the same endpoint.
    const isAnywhere = fault.endpointId === undefined && fault.runId === undefined;
    const scoped = fault.name === 'reorder' && isAnywhere ? { ...fault, endpointId } : fault;
    return this.hit(scoped, { at: isoTime(now), deliveryId, eventId });
  }
}
