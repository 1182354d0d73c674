import type { Clock, TimerHandle } from '../../platform/clock/clock.ts';
import { isSameRequest } from '../../platform/sender/settle.ts';
import type { DeliveryRecord, ManualRequest } from '../../platform/state/deliveries.ts';
import type { DeepReadonly } from '../../platform/state/read-only.ts';
import type { InjectedDeliveryFault } from './delivery-fault-plan.ts';
import { hasRoom } from './delivery-fault.ts';

export interface HeldOptions {
  readonly clock: Clock;
  /** Postpones the next attempt of a delivery. The change is durable. */
  postpone(delivery: DeepReadonly<DeliveryRecord>, until: number): void;
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

type DelayFault = Extract<InjectedDeliveryFault, { name: 'delay' }>;
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

  /** Holds a delivery if the fault is a `delay` or a `reorder`. Returns whether it does. */
  hold(delivery: DeepReadonly<DeliveryRecord>, fault: InjectedDeliveryFault): boolean {
    if (fault.name === 'delay') this.#delay(delivery, fault);
    else if (fault.name === 'reorder') this.#gather(delivery, fault);
    else return false;
    return true;
  }

  /**
   * Releases a due delivery. Returns the fault that held it, or `held` if it is not its turn yet. Returns null
   * for a delivery that was not held or was manually redelivered meanwhile.
   */
  release(delivery: DeepReadonly<DeliveryRecord>): 'held' | InjectedDeliveryFault | null {
    const hold = this.#holds.get(delivery);
    if (hold === undefined) return null;
    const isRedelivered = !isSameRequest(delivery.manualRequests.at(-1), hold.lastRequest);
    if (!isRedelivered && hold.group !== null && hold.group.current !== delivery) return 'held';
    this.#holds.delete(delivery);
    return isRedelivered ? null : hold.fault;
  }

  /** Call it when an attempt has ended: sends the next delivery of its group. */
  attempted(delivery: DeepReadonly<DeliveryRecord>): void {
    for (const group of this.#sending) if (group.current === delivery) this.#next(group);
  }

  /** Sends the complete groups, and skips deliveries that were settled before their turn. */
  update(): void {
    for (const group of this.#gathering.values()) {
      if (this.#options.isComplete(group.fault)) this.#send(group);
    }
    for (const group of this.#sending) {
      const { current } = group;
      if (current !== null && this.#holds.has(current) && !isPending(current)) this.#next(group);
    }
  }

  close(): void {
    for (const { timer } of this.#gathering.values()) this.#options.clock.clearTimeout(timer);
    this.#gathering.clear();
    this.#sending.clear();
  }

  #delay(delivery: DeepReadonly<DeliveryRecord>, fault: DelayFault): void {
    this.#keep(delivery, fault, null);
    this.#options.postpone(delivery, this.#options.clock.now() + fault.milliseconds);
  }

  #gather(delivery: DeepReadonly<DeliveryRecord>, fault: ReorderFault): void {
    const group = this.#gathering.get(fault.id) ?? this.#open(fault);
    group.fault = fault;
    group.members.push(delivery);
    this.#keep(delivery, fault, group);
    this.#options.postpone(delivery, group.until);
    if (!hasRoom(fault, fault.hits)) this.#send(group);
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

  #send(group: Group): void {
    this.#options.clock.clearTimeout(group.timer);
    this.#gathering.delete(group.fault.id);
    this.#sending.add(group);
    this.#next(group);
  }

  #next(group: Group): void {
    for (let last = group.members.pop(); last !== undefined; last = group.members.pop()) {
      if (this.#holds.get(last)?.group !== group || !isPending(last)) continue;
      group.current = last;
      this.#options.postpone(last, this.#options.clock.now());
      return;
    }
    this.#sending.delete(group);
  }
}

function isPending({ status }: DeepReadonly<DeliveryRecord>): boolean {
  return status === 'pending';
}
