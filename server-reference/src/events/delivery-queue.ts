/** The maximum number of concurrent attempts to one endpoint. */
export const MAX_ATTEMPTS = 16;

/** A delivery at the time of its next attempt. */
export interface DueDelivery {
  /** The id of the delivery. */
  readonly id: string;
  readonly endpointId: string;
  /** Its `nextAttemptAt`. A delivery with a later one was put off meanwhile. */
  readonly at: string;
  /** By the steady time of the clock. */
  readonly dueAt: number;
}

interface Endpoint {
  /** By the ids of the deliveries. */
  readonly waiting: Map<string, DueDelivery>;
  readonly inProgress: Set<string>;
}

/** The deliveries that are due. No endpoint waits for another, and each has a maximum of attempts in progress. */
export class DeliveryQueue {
  readonly #endpoints = new Map<string, Endpoint>();

  /** Whether no delivery waits or is in progress. */
  get isEmpty(): boolean {
    return this.#endpoints.size === 0;
  }

  add(due: DueDelivery): void {
    const { id, endpointId } = due;
    const endpoint = this.#endpoints.get(endpointId) ?? {
      waiting: new Map(),
      inProgress: new Set(),
    };
    this.#endpoints.set(endpointId, endpoint);
    endpoint.waiting.set(id, due);
  }

  /**
   * Removes and returns the next delivery to an endpoint, unless it has its maximum of attempts. A delivery is returned
   * again only after {@link DeliveryQueue.leave}.
   */
  take(endpointId: string): DueDelivery | undefined {
    const endpoint = this.#endpoints.get(endpointId);
    if (endpoint === undefined || endpoint.inProgress.size === MAX_ATTEMPTS) return undefined;
    for (const [id, due] of endpoint.waiting) {
      if (endpoint.inProgress.has(id)) continue;
      endpoint.waiting.delete(id);
      endpoint.inProgress.add(id);
      return due;
    }
    return undefined;
  }

  /** Call it when the attempt of a delivery has ended, or was not made. */
  leave({ id, endpointId }: DueDelivery): void {
    const endpoint = this.#endpoints.get(endpointId);
    endpoint?.inProgress.delete(id);
    if (endpoint?.inProgress.size === 0 && endpoint.waiting.size === 0) {
      this.#endpoints.delete(endpointId);
    }
  }
}
