import { DueQueue } from '../clock/due-queue.ts';

interface OutboxEntry {
  /** By the steady time of the clock. */
  readonly dueAt: number;
  readonly deliveryId: string;
  readonly endpointId: string;
}

/**
 * Selects the next delivery: by due time, then round-robin over the endpoints that have capacity. Deliveries that are
 * due when they are added keep the order of their addition.
 */
export class Outbox {
  readonly #maxAttempts: number;
  readonly #shareOfFree: number;
  readonly #later = new DueQueue<OutboxEntry>();
  readonly #entries = new Map<string, OutboxEntry>();
  readonly #dueByEndpoint = new Map<string, Set<string>>();
  readonly #inProgress = new Map<string, number>();
  #attempts = 0;

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

  hasDue(now: number): boolean {
    this.#collectDue(now);
    return this.#dueByEndpoint.size > 0;
  }

  /** Adds a delivery. Replaces its previous entry. */
  add(entry: OutboxEntry, now: number): void {
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

  /** Returns whether a delivery is in the outbox and not due yet. */
  isWaiting(deliveryId: string, now: number): boolean {
    return (this.#entries.get(deliveryId)?.dueAt ?? now) > now;
  }

  /** Removes and returns the next due delivery to an endpoint that has capacity. */
  take(now: number): string | undefined {
    this.#collectDue(now);
    const room = Math.ceil((this.#maxAttempts - this.#attempts) * this.#shareOfFree);
    if (room === 0) return undefined;
    for (const [endpointId, deliveryIds] of this.#dueByEndpoint) {
      if ((this.#inProgress.get(endpointId) ?? 0) >= room) continue;
      // Moves the endpoint to the end of the map, which is the end of the queue.
      this.#dueByEndpoint.delete(endpointId);
      for (const deliveryId of deliveryIds) {
        deliveryIds.delete(deliveryId);
        this.#entries.delete(deliveryId);
        if (deliveryIds.size > 0) this.#dueByEndpoint.set(endpointId, deliveryIds);
        return deliveryId;
      }
    }
    return undefined;
  }

  /** Counts an attempt that has started. */
  enter(endpointId: string): void {
    this.#attempts += 1;
    this.#inProgress.set(endpointId, (this.#inProgress.get(endpointId) ?? 0) + 1);
  }

  /** Counts an attempt that has ended. */
  leave(endpointId: string): void {
    this.#attempts -= 1;
    const left = (this.#inProgress.get(endpointId) ?? 1) - 1;
    if (left === 0) this.#inProgress.delete(endpointId);
    else this.#inProgress.set(endpointId, left);
  }

  #remove(entry: OutboxEntry): void {
    this.#later.remove(entry);
    const deliveryIds = this.#dueByEndpoint.get(entry.endpointId);
    deliveryIds?.delete(entry.deliveryId);
    if (deliveryIds?.size === 0) this.#dueByEndpoint.delete(entry.endpointId);
  }

  #collectDue(now: number): void {
    for (let entry = this.#later.takeDue(now); entry; entry = this.#later.takeDue(now)) {
      this.#addDue(entry);
    }
  }

  #addDue({ deliveryId, endpointId }: OutboxEntry): void {
    const deliveryIds = this.#dueByEndpoint.get(endpointId);
    if (deliveryIds === undefined) this.#dueByEndpoint.set(endpointId, new Set([deliveryId]));
    else deliveryIds.add(deliveryId);
  }
}
