import { DueQueue } from '../clock/due-queue.ts';

interface OutboxEntry {
  readonly dueAt: number;
  readonly deliveryId: string;
  readonly endpointId: string;
}

/** Which delivery comes next: first by due time, then in turn between the endpoints. */
export class Outbox {
  readonly #later = new DueQueue<OutboxEntry>();
  readonly #dueByEndpoint = new Map<string, string[]>();

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

  /** Takes the next due delivery of an endpoint that has room; each endpoint in turn. */
  take(now: number, hasRoom: (endpointId: string) => boolean): string | undefined {
    this.#collectDue(now);
    for (const [endpointId, deliveryIds] of this.#dueByEndpoint) {
      if (!hasRoom(endpointId)) continue;
      const deliveryId = deliveryIds.shift();
      // To the end of the map, which is the end of the line.
      this.#dueByEndpoint.delete(endpointId);
      if (deliveryIds.length > 0) this.#dueByEndpoint.set(endpointId, deliveryIds);
      return deliveryId;
    }
    return undefined;
  }

  #collectDue(now: number): void {
    for (let entry = this.#later.takeDue(now); entry; entry = this.#later.takeDue(now)) {
      const deliveryIds = this.#dueByEndpoint.get(entry.endpointId);
      if (deliveryIds === undefined) this.#dueByEndpoint.set(entry.endpointId, [entry.deliveryId]);
      else deliveryIds.push(entry.deliveryId);
    }
  }
}
