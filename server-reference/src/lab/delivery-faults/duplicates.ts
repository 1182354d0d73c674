import type { Clock, TimerHandle } from '../../clock/clock.ts';
import { Attempt } from '../../events/attempt.ts';
import type { FinishedAttempt } from '../../events/attempt.ts';
import { outcomeOf } from '../../events/attempt-result.ts';
import { DeliveryQueue } from '../../events/delivery-queue.ts';
import type { AttemptOrder, SendAttempt } from '../../events/order.ts';
import { retryDecision } from '../../events/retry.ts';
import { MAX_ATTEMPTS, SHARE_OF_FREE_SLOTS } from '../../events/sender.ts';
import { markDelivered, recordAttempt } from '../../events/settle.ts';
import type { Logger } from '../../logger.ts';
import type { CommitRetry } from '../../store/commit-retry.ts';
import type { DeliveryId } from '../../store/ids.ts';
import type { State } from '../../store/state.ts';
import type { Store } from '../../store/store.ts';

/** The trigger of an extra attempt of `duplicate`. */
const DUPLICATE = 'duplicate';
/** The maximum number of copies that wait. */
const MAX_WAITING_COPIES = 10_000;

interface DuplicateOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly commits: CommitRetry;
  readonly logger: Logger;
  /** Called when a copy has been recorded. */
  readonly changed: () => void;
}

export interface Copies {
  readonly copies: number;
  readonly apartMilliseconds: number;
}

interface Copy {
  /** Until the copy is due. */
  readonly timer: TimerHandle;
  readonly deliveryId: DeliveryId;
  readonly endpointId: string;
  readonly send: SendAttempt;
  /** Shared by the copies of an attempt. */
  readonly row: Row;
}

/** Attempts that are recorded one after the other. */
interface Row {
  /** Resolves when the attempt that started last is recorded or has ended. */
  last: Promise<unknown>;
}

/**
 * Sends events again, in attempts of their own. A restart loses those that wait. One endpoint has as many copies in
 * progress as it has attempts of the sender.
 */
export class Duplicates {
  readonly #options: DuplicateOptions;
  readonly #queue = new DeliveryQueue(MAX_ATTEMPTS, SHARE_OF_FREE_SLOTS);
  readonly #waiting = new Map<string, Copy>();
  readonly #inProgress = new Map<Attempt, Promise<void>>();
  #added = 0;
  #isClosed = false;

  constructor(options: DuplicateOptions) {
    this.#options = options;
  }

  /** Sends copies of an attempt. The attempts are recorded in the order in which they are sent. */
  add(
    deliveryId: DeliveryId,
    original: AttemptOrder,
    { copies, apartMilliseconds }: Copies,
    send: SendAttempt,
  ): void {
    const { clock } = this.#options;
    const { endpointId } = original;
    const row = { last: ended(original) };
    for (let number = 1; number <= copies; number += 1) {
      if (this.#waiting.size >= MAX_WAITING_COPIES || this.#isClosed) return;
      this.#added += 1;
      const id = String(this.#added);
      const begin = (): void => {
        this.#queue.add({ deliveryId: id, endpointId, dueAt: clock.steady() }, clock.steady());
        this.#startDue();
      };
      const timer = clock.setTimeout(begin, number * apartMilliseconds);
      this.#waiting.set(id, { timer, deliveryId, endpointId, send, row });
      if (apartMilliseconds === 0) begin();
    }
  }

  /** Removes the waiting copies to an endpoint. */
  cancel(endpointId: string): void {
    for (const [id, copy] of this.#waiting) {
      if (copy.endpointId === endpointId) this.#remove(id, copy);
    }
  }

  /** Returns whether no copy is due or in progress. */
  isIdle(): boolean {
    return this.#queue.isIdle(this.#options.clock.steady());
  }

  /** Ends the copies in progress without recording them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [id, copy] of this.#waiting) this.#remove(id, copy);
    for (const attempt of this.#inProgress.keys()) attempt.abort('closed');
    await Promise.all(this.#inProgress.values());
  }

  #remove(id: string, { timer }: Copy): void {
    this.#options.clock.clearTimeout(timer);
    this.#waiting.delete(id);
  }

  #startDue(): void {
    const now = this.#options.clock.steady();
    for (let id = this.#queue.take(now); id !== undefined; id = this.#queue.take(now)) {
      const copy = this.#waiting.get(id);
      if (copy !== undefined) this.#remove(id, copy);
      if (copy === undefined || !this.#start(id, copy)) this.#queue.leave(id);
    }
  }

  #start(id: string, copy: Copy): boolean {
    const { store, clock } = this.#options;
    const { deliveries, events, webhookEndpoints } = store.state;
    const delivery = deliveries.get(copy.deliveryId);
    const endpoint = webhookEndpoints.get(copy.endpointId);
    const event = delivery && events.get(delivery.eventId);
    if (delivery === undefined || event === undefined || endpoint?.enabled !== true) return false;
    const attempt = new Attempt({ delivery, event, endpoint }, clock);
    const previous = copy.row.last;
    copy.row.last = ended(attempt.order);
    this.#inProgress.set(
      attempt,
      attempt.run(() => this.#attempt(id, attempt, { ...copy, previous })),
    );
    return true;
  }

  async #attempt(
    id: string,
    attempt: Attempt,
    { deliveryId, send, previous }: Copy & { readonly previous: Promise<unknown> },
  ): Promise<void> {
    const { commits, logger } = this.#options;
    const { tracked } = attempt.order;
    const finished = await attempt.send(send);
    // The previous attempt may wait for the clock, so a virtual clock must not wait for this one.
    tracked.pause();
    await previous;
    tracked.resume();
    if (finished !== null && !this.#isClosed) {
      await commits
        .commit((state) => attempt.recorded(settleCopy(state, deliveryId, finished)), tracked)
        .catch((error: unknown) => {
          if (this.#isClosed) return;
          logger.error(`A copy of delivery ${deliveryId} cannot be recorded.`, error);
        });
    }
    this.#inProgress.delete(attempt);
    this.#queue.leave(id);
    this.#startDue();
    this.#options.changed();
  }
}

/** Resolves when the attempt of an order is recorded, or has ended. */
function ended(order: AttemptOrder): Promise<unknown> {
  return new Promise((resolve) => order.onRecorded(resolve));
}

/**
 * Records a copy. Only its success counts.
 *
 * @returns the number of the attempt, or null if the delivery was deleted meanwhile
 */
function settleCopy(state: State, id: DeliveryId, attempt: FinishedAttempt): number | null {
  const delivery = recordAttempt(state, id, attempt, DUPLICATE);
  if (delivery === null) return null;
  const number = delivery.attempts.length;
  const isAccepted = retryDecision(outcomeOf(attempt.result)).kind === 'delivered';
  if (isAccepted) markDelivered(delivery, attempt.finishedAt);
  return number;
}
