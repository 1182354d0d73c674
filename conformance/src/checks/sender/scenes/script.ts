import { ACCEPTED } from '../../../listener/delivery.ts';
import type { Arriving } from '../../../driver/event-kinds.ts';
import type { ListenerResponse } from '../../../listener/delivery.ts';
import { isChange, isCreated } from '../arrivals.ts';

/** How often an event that shall be retried is refused. */
const REFUSALS = 3;

/**
 * Responses that let some events come again: a run.created, a run.status_changed and a test event.
 */
export class RetryScript {
  /** Refuses the run.created until its run has moved on. */
  hasMoved = false;
  readonly #retryAfter: Readonly<Record<string, string>>;
  readonly #refusalsOfChange: number;
  #created: unknown;
  #changed: unknown;

  /** `refusalsOfChange`: how often the event with a `Retry-After` is refused. */
  constructor(retryAfterSeconds: number, refusalsOfChange: number) {
    this.#refusalsOfChange = refusalsOfChange;
    this.#retryAfter = { 'retry-after': String(retryAfterSeconds) };
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
    const refusals = id === this.#changed ? this.#refusalsOfChange : REFUSALS;
    if (!this.isRefused(event) || attempt > refusals) return ACCEPTED;
    const headers = id === this.#changed || event['test'] === true ? this.#retryAfter : {};
    return { status: 503, headers };
  };

  /** The first run.created and the first change. */
  #choose(delivery: Arriving): void {
    const { id } = delivery.event;
    if (isCreated(delivery)) this.#created ??= id;
    if (isChange(delivery)) this.#changed ??= id;
  }
}
