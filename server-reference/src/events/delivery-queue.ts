import { DueQueue } from '../clock/due-queue.ts';

interface Entry {
  /** By the steady time of the clock. */
  readonly dueAt: number;
  readonly deliveryId: string;
  readonly endpointId: string;
}

/**
 * Selects the next delivery: by due time, then round-robin over the endpoints that have capacity. Deliveries that are
 * due when they are added keep the order of their addition. A delivery is taken again only after its attempt.
 */
export class DeliveryQueue {
  readonly #maxAttempts: number;
  readonly #shareOfFree: number;
  readonly #later = new DueQueue<Entry>();
  readonly #entries = new Map<string, Entry>();
  /** The first endpoint is the next. */
  readonly #dueByEndpoint = new Map<string, Set<string>>();
  /** The endpoints of the deliveries in progress. */
  readonly #inProgress = new Map<string, string>();
  readonly #attempts = new Map<string, number>();

  /**
   * @param maxAttempts - maximum number of concurrent attempts in total
   * @param shareOfFree - one endpoint may have concurrent attempts up to this share of the free slots, so that
   * hung endpoints leave slots for the others
   */
  constructor(maxAttempts: number, shareOfFree: number) {
    this.#maxAttempts = maxAttempts;
    this.#shareOfFree = shareOfFree;
  }

  /** The due time of the next delivery that is not due yet. */
  get nextDueAt(): number | undefined {
    return this.#later.nextDueAt;
  }

  /** Returns whether no delivery is due or in progress. */
  isIdle(now: number): boolean {
    this.#collectDue(now);
    return this.#dueByEndpoint.size === 0 && this.#inProgress.size === 0;
  }

  /** Adds a delivery. Replaces its previous entry. */
  add(entry: Entry, now: number): void {
    const previous = this.#entries.get(entry.deliveryId);
    if (previous !== undefined) this.#remove(previous);
    this.#entries.set(entry.deliveryId, entry);
    if (entry.dueAt > now) {
      this.#later.add(entry);
      return;
    }
    this.#collectDue(now);
    this.#addDue(entry);
  }

  /** Removes and returns the next due delivery to an endpoint that has capacity. Call {@link leave} after its attempt. */
  take(now: number): string | undefined {
    this.#collectDue(now);
    const room = Math.ceil((this.#maxAttempts - this.#inProgress.size) * this.#shareOfFree);
    for (const [endpointId, deliveryIds] of this.#dueByEndpoint) {
      if (this.#attemptsAt(endpointId) >= room) continue;
      for (const deliveryId of deliveryIds) {
        if (this.#inProgress.has(deliveryId)) continue;
        this.#remove({ deliveryId, endpointId });
        this.#moveToEnd(endpointId, deliveryIds);
        this.#inProgress.set(deliveryId, endpointId);
        this.#attempts.set(endpointId, this.#attemptsAt(endpointId) + 1);
        return deliveryId;
      }
    }
    return undefined;
  }

  /** Call it when the attempt of a delivery has ended. */
  leave(deliveryId: string): void {
    const endpointId = this.#inProgress.get(deliveryId);
    if (endpointId === undefined) return;
    this.#inProgress.delete(deliveryId);
    const left = this.#attemptsAt(endpointId) - 1;
    if (left === 0) this.#attempts.delete(endpointId);
    else this.#attempts.set(endpointId, left);
  }

  #attemptsAt(endpointId: string): number {
    return this.#attempts.get(endpointId) ?? 0;
  }

  #moveToEnd(endpointId: string, deliveryIds: Set<string>): void {
    this.#dueByEndpoint.delete(endpointId);
    if (deliveryIds.size > 0) this.#dueByEndpoint.set(endpointId, deliveryIds);
  }

  #remove({ deliveryId, endpointId }: Pick<Entry, 'deliveryId' | 'endpointId'>): void {
    const entry = this.#entries.get(deliveryId);
    if (entry !== undefined) this.#later.remove(entry);
    this.#entries.delete(deliveryId);
    const deliveryIds = this.#dueByEndpoint.get(endpointId);
    deliveryIds?.delete(deliveryId);
    if (deliveryIds?.size === 0) this.#dueByEndpoint.delete(endpointId);
  }

  #collectDue(now: number): void {
    for (let entry = this.#later.takeDue(now); entry; entry = this.#later.takeDue(now)) {
      this.#addDue(entry);
    }
  }

  #addDue({ deliveryId, endpointId }: Entry): void {
    const deliveryIds = this.#dueByEndpoint.get(endpointId);
    if (deliveryIds === undefined) this.#dueByEndpoint.set(endpointId, new Set([deliveryId]));
    else deliveryIds.add(deliveryId);
  }
}
