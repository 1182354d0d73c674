import type { PlantedPathology } from '../../lab/delivery-faults/delivery-fault-plan.ts';
import type { DeliveryRecord } from '../state/deliveries.ts';
import type { AttemptUnderWay } from './make-attempt.ts';

/** More copies than these do not wait at once; what is beyond is not made. */
export const MOST_COPIES_WAITING = 10_000;

/** An attempt and its copies. */
export interface CopySeries {
  readonly delivery: DeliveryRecord;
  readonly pathology: PlantedPathology;
  /** The last one that has begun: rows stand in the order in which they were sent. */
  last: AttemptUnderWay;
}

/** Copies of attempts that have not begun; kept in memory alone. */
export class Copies {
  readonly #waiting = new Map<string, CopySeries>();
  #added = 0;

  /** Names a copy for the outbox; null when too many wait. */
  add(series: CopySeries): string | null {
    if (this.#waiting.size >= MOST_COPIES_WAITING) return null;
    this.#added += 1;
    const id = `${series.delivery.id} copy ${this.#added}`;
    this.#waiting.set(id, series);
    return id;
  }

  take(id: string): CopySeries | undefined {
    const series = this.#waiting.get(id);
    this.#waiting.delete(id);
    return series;
  }

  /** Forgets those to an endpoint. */
  forget(endpointId: string): void {
    for (const [id, { delivery }] of this.#waiting) {
      if (delivery.endpointId === endpointId) this.#waiting.delete(id);
    }
  }
}
