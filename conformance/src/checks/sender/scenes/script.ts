import { SeenKinds } from '../../../driver/event-kinds.ts';
import { ACCEPTED } from '../../../listener/delivery.ts';
import type { ListenerResponse, ReceivedDelivery } from '../../../listener/delivery.ts';
import { isChange, isCreated } from '../arrivals.ts';

/** How often an event that shall be retried is refused. */
const REFUSALS = 3;

type Arriving = Omit<ReceivedDelivery, 'response'>;

/**
 * Responses that let some events come again: a run.created, a run.status_changed, a test event, and the first event of
 * each kind.
 */
export class RetryScript {
  /** Refuses the run.created until its run has moved on. */
  hasMoved = false;
  readonly #retryAfter: Readonly<Record<string, string>>;
  readonly #refusalsOfChange: number;
  readonly #refused = new Set<unknown>();
  readonly #kinds = new SeenKinds(
    'workflow-change',
    'agent-creation',
    'agent-change',
    'terminal-change',
    'large-event',
  );
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
    return event['test'] === true || this.#refused.has(event['id']);
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

  /** Refuses the first event of a kind. The first run.created and the first change stand for others. */
  #choose(delivery: Arriving): void {
    const { id } = delivery.event;
    const isFirst =
      (isCreated(delivery) && this.#created === undefined) ||
      (isChange(delivery) && this.#changed === undefined);
    if (isCreated(delivery)) this.#created ??= id;
    if (isChange(delivery)) this.#changed ??= id;
    // Called for each event, so that none of a kind is mistaken for its first one.
    if (this.#kinds.isFirst(delivery) || isFirst) this.#refused.add(id);
  }
}
