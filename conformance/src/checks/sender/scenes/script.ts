import { ACCEPTED } from '../../../listener/delivery.ts';
import type { Arriving } from '../../../driver/event-kinds.ts';
import type { ListenerResponse } from '../../../listener/delivery.ts';
import { isChange, isCreated } from '../arrivals.ts';

/** At most so many deliveries of an event are refused: duplicates and a retry at once take some of them. */
const REFUSALS = { delayed: 6, others: 3 };

/**
 * Responses that let some events come again: a run.created, a run.status_changed and a test event.
 */
export class RetryScript {
  /** Refuses the run.created until its run has moved on. */
  hasMoved = false;
  readonly #retryAfterSeconds: number;
  #created: unknown;
  #changed: unknown;

  constructor(retryAfterSeconds: number) {
    this.#retryAfterSeconds = retryAfterSeconds;
  }

  /** The id of the event that is retried after its `Retry-After`. */
  get changed(): unknown {
    return this.#changed;
  }

  /** Whether some of the deliveries of this event are refused. */
  isRefused(event: Arriving['event']): boolean {
    const { id, test } = event;
    return test === true || id === this.#created || id === this.#changed;
  }

  readonly script = (delivery: Arriving, attempt: number): ListenerResponse => {
    const { event } = delivery;
    const { id } = event;
    if (attempt === 1) this.#choose(delivery);
    if (id === this.#created && !this.hasMoved) return { status: 503 };
    const refusals = id === this.#changed ? REFUSALS.delayed : REFUSALS.others;
    // One that comes after its Retry-After has shown what it can.
    const isOver = attempt > refusals || ageOf(delivery) >= this.#retryAfterSeconds;
    if (!this.isRefused(event) || isOver) return ACCEPTED;
    const isDelayed = id === this.#changed || event['test'] === true;
    const headers = isDelayed ? { 'retry-after': String(this.#retryAfterSeconds) } : {};
    return { status: 503, headers };
  };

  /** The first run.created and the first change. */
  #choose(delivery: Arriving): void {
    const { id } = delivery.event;
    if (isCreated(delivery)) this.#created ??= id;
    if (isChange(delivery)) this.#changed ??= id;
  }
}

/** The seconds since the first delivery of the same event. */
function ageOf(delivery: Arriving): number {
  const [first] = delivery.attempts();
  return first === undefined ? 0 : (delivery.arrivedAt - first.arrivedAt) / 1000;
}
