import type { Clock, TimerHandle } from '../../clock/clock.ts';
import { isPending, isSameRequest } from '../../events/delivery.ts';
import type { DeliveryRecord, ManualRequest } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { InjectedDeliveryFault } from './delivery-fault-plan.ts';
import { hasRoom } from './delivery-fault.ts';

interface HeldOptions {
  readonly clock: Clock;
  /** Moves the next attempt of a delivery. Resolves when the change is durable, and never rejects. */
  postpone(delivery: DeepReadonly<DeliveryRecord>, until: number): Promise<void>;
  /** Lets the sender make the next attempt of a delivery when it is due. */
  enqueue(delivery: DeepReadonly<DeliveryRecord>): void;
  /** Returns whether a `reorder` has collected all deliveries. */
  isComplete(fault: InjectedDeliveryFault): boolean;
}

/** The deliveries that one `reorder` collects and then sends in reverse order. */
interface Group {
  fault: ReorderFault;
  readonly members: DeepReadonly<DeliveryRecord>[];
  readonly until: number;
  readonly timer: TimerHandle;
  /** The delivery that is being sent; null while the group collects. */
  current: DeepReadonly<DeliveryRecord> | null;
}

interface Hold {
  readonly fault: InjectedDeliveryFault;
  readonly group: Group | null;
  /** The last manual request when the hold started. A later one ends the hold. */
  readonly lastRequest: ManualRequest | undefined;
}

type ReorderFault = Extract<InjectedDeliveryFault, { name: 'reorder' }>;

/** The deliveries held by `delay` and `reorder`. After a restart they are sent when due, without the fault. */
export class HeldDeliveries {
  readonly #options: HeldOptions;
  readonly #holds = new WeakMap<DeepReadonly<DeliveryRecord>, Hold>();
  /** The groups that are collecting, by fault. */
  readonly #gathering = new Map<string, Group>();
  readonly #sending = new Set<Group>();

  constructor(options: HeldOptions) {
    this.#options = options;
  }

  /** Returns whether a `delay` or a `reorder` holds the delivery. If not, send it now. */
  async hold(
    delivery: DeepReadonly<DeliveryRecord>,
    fault: InjectedDeliveryFault,
  ): Promise<boolean> {
    if (fault.name === 'delay') {
      this.#keep(delivery, fault, null);
      await this.#options.postpone(delivery, this.#options.clock.now() + fault.milliseconds);
      this.#options.enqueue(delivery);
      return true;
    }
    return fault.name === 'reorder' && this.#gather(delivery, fault);
  }

  /** Releases a due delivery. Returns the fault that held it; null without one, and after a manual redelivery. */
  release(delivery: DeepReadonly<DeliveryRecord>): InjectedDeliveryFault | null {
    const hold = this.#holds.get(delivery);
    if (hold === undefined) return null;
    this.#holds.delete(delivery);
    const isRedelivered = !isSameRequest(delivery.manualRequests.at(-1), hold.lastRequest);
    return isRedelivered ? null : hold.fault;
  }

  /** Call it when an attempt has got its result: sends the next delivery of its group. */
  async attempted(delivery: DeepReadonly<DeliveryRecord>): Promise<void> {
    for (const group of this.#sending) if (group.current === delivery) await this.#next(group);
  }

  /** Sends the complete groups, and skips deliveries that were settled before their turn. */
  update(): void {
    for (const group of this.#gathering.values()) {
      if (this.#options.isComplete(group.fault)) void this.#send(group);
    }
    for (const group of this.#sending) {
      const { current } = group;
      if (current !== null && this.#holds.has(current) && !isPending(current)) {
        void this.#next(group);
      }
    }
  }

  close(): void {
    for (const { timer } of this.#gathering.values()) this.#options.clock.clearTimeout(timer);
    this.#gathering.clear();
    this.#sending.clear();
  }

  async #gather(delivery: DeepReadonly<DeliveryRecord>, fault: ReorderFault): Promise<boolean> {
    const group = this.#gathering.get(fault.id) ?? this.#open(fault);
    group.fault = fault;
    if (!hasRoom(fault, fault.hits) || this.#options.isComplete(fault)) {
      this.#close(group);
      group.current = delivery;
      return false;
    }
    group.members.push(delivery);
    this.#keep(delivery, fault, group);
    await this.#options.postpone(delivery, group.until);
    return true;
  }

  #keep(
    delivery: DeepReadonly<DeliveryRecord>,
    fault: InjectedDeliveryFault,
    group: Group | null,
  ): void {
    const lastRequest = delivery.manualRequests.at(-1);
    this.#holds.set(delivery, { fault, group, lastRequest });
  }

  #open(fault: ReorderFault): Group {
    const { clock } = this.#options;
    const { holdMilliseconds } = fault;
    const timer = clock.setTimeout(() => this.#send(group), holdMilliseconds);
    const until = clock.now() + holdMilliseconds;
    const group: Group = { fault, members: [], until, timer, current: null };
    this.#gathering.set(fault.id, group);
    return group;
  }

  #send(group: Group): Promise<void> {
    this.#close(group);
    return this.#next(group);
  }

  /** Collects no more. */
  #close(group: Group): void {
    this.#options.clock.clearTimeout(group.timer);
    this.#gathering.delete(group.fault.id);
    this.#sending.add(group);
  }

  async #next(group: Group): Promise<void> {
    for (let last = group.members.pop(); last !== undefined; last = group.members.pop()) {
      if (this.#holds.get(last)?.group !== group || !isPending(last)) continue;
      group.current = last;
      await this.#options.postpone(last, this.#options.clock.now());
      this.#options.enqueue(last);
      return;
    }
    this.#sending.delete(group);
  }
}
