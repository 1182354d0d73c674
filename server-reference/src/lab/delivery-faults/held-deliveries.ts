import type { RunStatus } from '@hookproof/spec';

import type { Clock } from '../../clock/clock.ts';
import { isSameRequest } from '../../events/delivery.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import type { DeliveryRecord, ManualRequest } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { InjectedDeliveryFault } from './delivery-fault-plan.ts';
import { isExhausted } from './delivery-fault.ts';

interface HeldOptions {
  readonly clock: Clock;
  /** Moves the next attempt of a delivery, and enqueues it. Never rejects. */
  readonly postpone: (delivery: DeepReadonly<DeliveryRecord>, until: number) => Promise<void>;
  /** Returns the status of the run in the event of a delivery. */
  readonly runStatusOf: (delivery: DeepReadonly<DeliveryRecord>) => RunStatus | null;
}

/** The deliveries to one endpoint that a `reorder` collects, and then sends in reverse order. */
interface Group {
  readonly key: string;
  readonly faultId: string;
  readonly members: DeepReadonly<DeliveryRecord>[];
  readonly until: number;
  /** The delivery that is being sent; null while the group collects. */
  current: DeepReadonly<DeliveryRecord> | null;
}

interface Hold {
  readonly fault: InjectedDeliveryFault;
  /** Null for a `delay`. */
  readonly group: Group | null;
  /** The last manual request when the hold started. A later one ends the hold. */
  readonly lastRequest: ManualRequest | undefined;
}

type ReorderFault = Extract<InjectedDeliveryFault, { name: 'reorder' }>;

/** The deliveries held by `delay` and `reorder`. After a restart they are sent when due, without the fault. */
export class HeldDeliveries {
  readonly #options: HeldOptions;
  readonly #holds = new WeakMap<DeepReadonly<DeliveryRecord>, Hold>();
  /** The groups that are collecting. */
  readonly #gathering = new Map<string, Group>();
  /** The groups that are being sent, by the delivery whose turn it is. */
  readonly #sending = new WeakMap<DeepReadonly<DeliveryRecord>, Group>();

  constructor(options: HeldOptions) {
    this.#options = options;
  }

  /**
   * Returns the fault of a due delivery, null without one, or `held` if it is not sent now.
   *
   * @param apply - returns the fault of a delivery that was not held
   */
  async take(
    delivery: DeepReadonly<DeliveryRecord>,
    apply: () => InjectedDeliveryFault | null,
  ): Promise<InjectedDeliveryFault | 'held' | null> {
    const hold = this.#holds.get(delivery);
    if (hold === undefined) {
      const fault = apply();
      return fault !== null && (await this.#hold(delivery, fault)) ? 'held' : fault;
    }
    const { fault, group, lastRequest } = hold;
    const isRedelivered = !isSameRequest(delivery.manualRequests.at(-1), lastRequest);
    if (isRedelivered || group === null || group.current === delivery) {
      this.#holds.delete(delivery);
      return isRedelivered ? null : fault;
    }
    // The time of the group is over.
    if (group.current === null) await this.#next(group);
    return 'held';
  }

  /** Call it when an attempt has got its result: sends the next delivery of its group. */
  async attempted(delivery: DeepReadonly<DeliveryRecord>): Promise<void> {
    const group = this.#sending.get(delivery);
    this.#sending.delete(delivery);
    if (group !== undefined) await this.#next(group);
  }

  async #hold(
    delivery: DeepReadonly<DeliveryRecord>,
    fault: InjectedDeliveryFault,
  ): Promise<boolean> {
    if (fault.name === 'reorder') return this.#gather(delivery, fault);
    if (fault.name !== 'delay') return false;
    this.#keep(delivery, fault, null);
    await this.#options.postpone(delivery, this.#options.clock.now() + fault.milliseconds);
    return true;
  }

  async #gather(delivery: DeepReadonly<DeliveryRecord>, fault: ReorderFault): Promise<boolean> {
    const key = `${fault.id} ${delivery.endpointId}`;
    const group = this.#gathering.get(key) ?? this.#open(key, fault);
    if (isExhausted(fault) || this.#isLastOfRun(delivery, fault)) {
      this.#gathering.delete(key);
      this.#begin(group, delivery);
      if (isExhausted(fault)) await this.#sendOthers(fault.id);
      return false;
    }
    group.members.push(delivery);
    this.#keep(delivery, fault, group);
    await this.#options.postpone(delivery, group.until);
    return true;
  }

  /** The deliveries to an endpoint are taken in the order of their events. */
  #isLastOfRun(delivery: DeepReadonly<DeliveryRecord>, { runId }: ReorderFault): boolean {
    const status = runId === undefined ? null : this.#options.runStatusOf(delivery);
    return status !== null && isTerminal(status);
  }

  #keep(
    delivery: DeepReadonly<DeliveryRecord>,
    fault: InjectedDeliveryFault,
    group: Group | null,
  ): void {
    this.#holds.set(delivery, { fault, group, lastRequest: delivery.manualRequests.at(-1) });
  }

  #open(key: string, { id: faultId, holdMilliseconds }: ReorderFault): Group {
    const until = this.#options.clock.now() + holdMilliseconds;
    const group: Group = { key, faultId, members: [], until, current: null };
    this.#gathering.set(key, group);
    return group;
  }

  /** Sends what a fault holds of the deliveries to other endpoints. */
  async #sendOthers(faultId: string): Promise<void> {
    for (const group of this.#gathering.values()) {
      if (group.faultId === faultId) await this.#next(group);
    }
  }

  async #next(group: Group): Promise<void> {
    this.#gathering.delete(group.key);
    for (let last = group.members.pop(); last !== undefined; last = group.members.pop()) {
      // A redelivery has ended the hold of the others.
      if (this.#holds.get(last)?.group !== group) continue;
      this.#begin(group, last);
      await this.#options.postpone(last, this.#options.clock.now());
      return;
    }
  }

  #begin(group: Group, delivery: DeepReadonly<DeliveryRecord>): void {
    group.current = delivery;
    this.#sending.set(delivery, group);
  }
}
