import type { Clock, TimerHandle } from '../../platform/clock/clock.ts';
import type { DeliveryRecord, ManualRequest } from '../../platform/state/deliveries.ts';
import type { PlantedPathology } from './delivery-fault-plan.ts';
import { hasRoom } from './delivery-fault.ts';

export interface HeldOptions {
  readonly clock: Clock;
  /** Puts the next attempt of a delivery off until then, durably. */
  putOff(delivery: DeliveryRecord, until: number): void;
  /** Whether nothing more comes that a `reorder` would gather. */
  isComplete(planted: PlantedPathology): boolean;
}

/** Deliveries that one `reorder` gathers, and then sends last first. */
interface Group {
  planted: PlantedReorder;
  readonly members: DeliveryRecord[];
  readonly until: number;
  readonly timer: TimerHandle;
  /** Whose turn it is, once they are sent. */
  current: DeliveryRecord | null;
}

interface Hold {
  readonly planted: PlantedPathology;
  readonly group: Group | null;
  /** Of the manual requests, the last one then: a later one ends the hold. */
  readonly lastRequest: ManualRequest | undefined;
}

type PlantedDelay = Extract<PlantedPathology, { name: 'delay' }>;
type PlantedReorder = Extract<PlantedPathology, { name: 'reorder' }>;

/** Deliveries that `delay` and `reorder` hold back. When it is forgotten, they are sent when they are due. */
export class HeldDeliveries {
  readonly #options: HeldOptions;
  readonly #holds = new WeakMap<DeliveryRecord, Hold>();
  /** Those that still gather, by pathology. */
  readonly #gathering = new Map<string, Group>();
  readonly #sending = new Set<Group>();

  constructor(options: HeldOptions) {
    this.#options = options;
  }

  /** Puts a delivery off that was struck. */
  delay(delivery: DeliveryRecord, planted: PlantedDelay): void {
    this.#hold(delivery, planted, null);
    this.#options.putOff(delivery, this.#options.clock.now() + planted.milliseconds);
  }

  /** Gathers a delivery that was struck. */
  gather(delivery: DeliveryRecord, planted: PlantedReorder): void {
    const group = this.#gathering.get(planted.id) ?? this.#open(planted);
    group.planted = planted;
    group.members.push(delivery);
    this.#hold(delivery, planted, group);
    this.#options.putOff(delivery, group.until);
    if (!hasRoom(planted, planted.hits)) this.#send(group);
  }

  /**
   * Decides about a delivery that is due: `kept` until its turn, or what has held it back until now. One
   * that somebody asked for since it was held goes at once, and nothing has held it back.
   */
  release(delivery: DeliveryRecord): 'kept' | PlantedPathology | null {
    const hold = this.#holds.get(delivery);
    if (hold === undefined) return null;
    const wasAskedFor = delivery.manualRequests.at(-1) !== hold.lastRequest;
    if (!wasAskedFor && hold.group !== null && hold.group.current !== delivery) return 'kept';
    this.#holds.delete(delivery);
    return wasAskedFor ? null : hold.planted;
  }

  /** An attempt of this delivery is over: if it was its turn, it is the turn of the next one. */
  answered(delivery: DeliveryRecord): void {
    for (const group of this.#sending) if (group.current === delivery) this.#next(group);
  }

  /** Looks which of them are complete, and passes over those that were settled before their turn. */
  goOn(): void {
    for (const group of this.#gathering.values()) {
      if (this.#options.isComplete(group.planted)) this.#send(group);
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

  #hold(delivery: DeliveryRecord, planted: PlantedPathology, group: Group | null): void {
    const lastRequest = delivery.manualRequests.at(-1);
    this.#holds.set(delivery, { planted, group, lastRequest });
  }

  #open(planted: PlantedReorder): Group {
    const { clock } = this.#options;
    const { holdMilliseconds } = planted;
    const timer = clock.setTimeout(() => this.#send(group), holdMilliseconds);
    const until = clock.now() + holdMilliseconds;
    const group: Group = { planted, members: [], until, timer, current: null };
    this.#gathering.set(planted.id, group);
    return group;
  }

  #send(group: Group): void {
    this.#options.clock.clearTimeout(group.timer);
    this.#gathering.delete(group.planted.id);
    this.#sending.add(group);
    this.#next(group);
  }

  #next(group: Group): void {
    for (let last = group.members.pop(); last !== undefined; last = group.members.pop()) {
      if (this.#holds.get(last)?.group !== group || !isPending(last)) continue;
      group.current = last;
      this.#options.putOff(last, this.#options.clock.now());
      return;
    }
    this.#sending.delete(group);
  }
}

function isPending({ status }: DeliveryRecord): boolean {
  return status === 'pending';
}
