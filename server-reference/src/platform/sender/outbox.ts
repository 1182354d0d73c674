import { DueQueue } from '../clock/due-queue.ts';

interface OutboxEntry {
  readonly dueAt: number;
  readonly deliveryId: string;
  readonly endpointId: string;
}

/** Which delivery comes next: first by due time, then in turn between the endpoints that have room. */
export class Outbox {
  readonly #mostAttempts: number;
  readonly #shareOfFree: number;
  readonly #later = new DueQueue<OutboxEntry>();
  readonly #dueByEndpoint = new Map<string, Set<string>>();
  readonly #underWay = new Map<string, number>();
  #attempts = 0;

  /**
   * @param mostAttempts - under way at once, in all
   * @param shareOfFree - an endpoint may have attempts under way up to this share of the places that are
   * free, so that many that hang leave room for the others
   */
  constructor(mostAttempts: number, shareOfFree: number) {
    this.#mostAttempts = mostAttempts;
    this.#shareOfFree = shareOfFree;
  }

  /** When the next delivery that is not due yet falls due. */
  get nextDueAt(): number | undefined {
    return this.#later.nextDueAt;
  }

  hasDue(now: number): boolean {
    this.#collectDue(now);
    return this.#dueByEndpoint.size > 0;
  }

  add(entry: OutboxEntry): void {
    this.#later.add(entry);
  }

  /** Takes the next due delivery to an endpoint that has room. */
  take(now: number): string | undefined {
    this.#collectDue(now);
    const room = Math.ceil((this.#mostAttempts - this.#attempts) * this.#shareOfFree);
    if (room === 0) return undefined;
    for (const [endpointId, deliveryIds] of this.#dueByEndpoint) {
      if ((this.#underWay.get(endpointId) ?? 0) >= room) continue;
      // To the end of the map, which is the end of the line.
      this.#dueByEndpoint.delete(endpointId);
      for (const deliveryId of deliveryIds) {
        deliveryIds.delete(deliveryId);
        if (deliveryIds.size > 0) this.#dueByEndpoint.set(endpointId, deliveryIds);
        return deliveryId;
      }
    }
    return undefined;
  }

  /** An attempt to this endpoint has begun. */
  enter(endpointId: string): void {
    this.#attempts += 1;
    this.#underWay.set(endpointId, (this.#underWay.get(endpointId) ?? 0) + 1);
  }

  /** An attempt to this endpoint has ended. */
  leave(endpointId: string): void {
    this.#attempts -= 1;
    const left = (this.#underWay.get(endpointId) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(endpointId);
    else this.#underWay.set(endpointId, left);
  }

  #collectDue(now: number): void {
    for (let entry = this.#later.takeDue(now); entry; entry = this.#later.takeDue(now)) {
      const deliveryIds = this.#dueByEndpoint.get(entry.endpointId) ?? new Set();
      this.#dueByEndpoint.set(entry.endpointId, deliveryIds.add(entry.deliveryId));
    }
  }
}
