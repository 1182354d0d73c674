import { ACCEPTED } from '../../../listener/delivery.ts';
import type { ListenerResponse, ReceivedDelivery } from '../../../listener/delivery.ts';
import { isChange, isCreated } from '../arrivals.ts';

/** How often an event that shall be retried is refused. */
const REFUSALS = 3;

type Arriving = Omit<ReceivedDelivery, 'response'>;

/** Responses that let three events come again: a run.created, a run.status_changed and a test event. */
export class RetryScript {
  /** Refuses the run.created until its run has moved on. */
  hasMoved = false;
  readonly #retryAfter: Readonly<Record<string, string>>;
  #created: unknown;
  #changed: unknown;

  constructor(retryAfterSeconds: number) {
    this.#retryAfter = { 'retry-after': String(retryAfterSeconds) };
  }

  /** The id of the event that is retried after its `Retry-After`. */
  get changed(): unknown {
    return this.#changed;
  }

  /** Whether some of the deliveries of this event are refused. */
  isRefused(event: Arriving['event']): boolean {
    const { id } = event;
    return event['test'] === true || id === this.#created || id === this.#changed;
  }

  readonly script = (delivery: Arriving, attempt: number): ListenerResponse => {
    const { event } = delivery;
    if (isCreated(delivery)) this.#created ??= event['id'];
    if (isChange(delivery)) this.#changed ??= event['id'];
    if (event['id'] === this.#created) return { status: this.hasMoved ? 204 : 503 };
    if (!this.isRefused(event) || attempt > REFUSALS) return ACCEPTED;
    return { status: 503, headers: this.#retryAfter };
  };
}
