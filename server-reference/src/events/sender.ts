import { dueTime } from '../clock/clock.ts';
import type { Clock } from '../clock/clock.ts';
import { WakeUp } from '../clock/wake-up.ts';
import type { Logger } from '../logger.ts';
import { commitOwn } from '../store/commit-own.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { DeliveryId } from '../store/ids.ts';
import type { DeepReadonly } from '../store/read-only.ts';
import type { KeyedRandom } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import { Attempt } from './attempt.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import type { AttemptOrder, AttemptResult, SenderInterceptor } from './order.ts';
import { Poster } from './post.ts';
import type { RetryProfile } from './retry.ts';
import { settleAttempt } from './settle.ts';
import type { SettledAttempt } from './settle.ts';

/** The maximum number of concurrent attempts. */
export const MAX_ATTEMPTS = 256;
/** The share of the free slots that one endpoint may use. */
export const SHARE_OF_FREE_SLOTS: number = 1 / 16;

interface SenderOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The source of the retries' jitter. */
  readonly random: KeyedRandom;
  readonly profile: RetryProfile;
  /** The ports of this server, to which no event is sent. */
  readonly ownPorts: ReadonlySet<number>;
  readonly logger: Logger;
  /** Stands between the sender and the network. Default none. */
  readonly interceptor?: SenderInterceptor | undefined;
  /** Called when attempts have begun or ended. Default none. */
  readonly onChange?: (() => void) | undefined;
}

/**
 * Makes the pending deliveries of the store, at least once each, and records every attempt, from
 * {@link Sender.start} on.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #poster: Poster;
  readonly #send: (order: AttemptOrder) => Promise<AttemptResult | null>;
  readonly #queue = new DeliveryQueue(MAX_ATTEMPTS, SHARE_OF_FREE_SLOTS);
  readonly #inProgress = new Map<Attempt, Promise<void>>();
  readonly #wakeUp: WakeUp;
  #isClosed = false;
  #isContinuing = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#wakeUp = new WakeUp(options.clock, () => this.enqueue([]));
    this.#poster = new Poster(options.ownPorts);
    const { interceptor } = options;
    const { post } = this.#poster;
    this.#send = interceptor === undefined ? post : (order) => interceptor(order, post);
  }

  /** Starts with the pending deliveries in the store, including those interrupted by a crash. */
  start(): void {
    this.#wakeUp.start();
    const pending = this.#store.state.deliveries.filter(({ status }) => status === 'pending');
    for (const delivery of pending.toSorted(byDueTime)) this.#schedule(delivery);
    this.#startDue();
  }

  /** Schedules deliveries whose commit is durable: new ones, redeliveries, and those that an interceptor put off. */
  enqueue(deliveries: readonly DeepReadonly<DeliveryRecord>[]): void {
    for (const delivery of deliveries) this.#schedule(delivery);
    this.#startDue();
    this.#options.onChange?.();
  }

  /** Returns whether no attempt is in progress and no delivery is due. */
  isIdle(): boolean {
    return this.#queue.isIdle(this.#clock.steady());
  }

  /** Aborts the attempts in progress without recording them. The next start repeats them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wakeUp.stop();
    for (const attempt of this.#inProgress.keys()) attempt.abort('closed');
    await Promise.all(this.#inProgress.values());
    this.#poster.close();
  }

  #schedule({ id: deliveryId, endpointId, nextAttemptAt }: DeepReadonly<DeliveryRecord>): void {
    if (nextAttemptAt === null) return;
    const dueAt = dueTime(this.#clock, nextAttemptAt);
    this.#queue.add({ deliveryId, endpointId, dueAt }, this.#clock.steady());
  }

  #startDue(): void {
    if (this.#isClosed) return;
    const now = this.#clock.steady();
    for (let id = this.#queue.take(now); id !== undefined; id = this.#queue.take(now)) {
      if (!this.#start(id)) this.#queue.leave(id);
    }
    this.#wakeUp.setTo(this.#queue.nextDueAt);
  }

  /** Starts an attempt. Returns false for a delivery that was settled, cancelled or deleted meanwhile. */
  #start(id: string): boolean {
    const { deliveries, events, webhookEndpoints } = this.#store.state;
    const delivery = deliveries.get(id);
    if (delivery?.status !== 'pending') return false;
    const endpoint = webhookEndpoints.get(delivery.endpointId);
    const event = events.get(delivery.eventId);
    if (endpoint === undefined || event === undefined) {
      this.#options.logger.error(`Delivery ${id} has no endpoint or no event in the store.`);
      return false;
    }
    const attempt = new Attempt({ delivery, event, endpoint }, this.#clock);
    this.#inProgress.set(
      attempt,
      attempt.run(() => this.#attempt(attempt, delivery)),
    );
    return true;
  }

  async #attempt(attempt: Attempt, delivery: DeepReadonly<DeliveryRecord>): Promise<void> {
    const { id } = delivery;
    const [manualRequest] = delivery.manualRequests;
    const finished = await attempt.send(this.#send);
    if (finished !== null && !this.#isClosed) {
      await this.#record(attempt, id, { ...finished, manualRequest });
    }
    this.#inProgress.delete(attempt);
    this.#queue.leave(id);
    if (finished !== null) this.#schedule(this.#store.state.deliveries.get(id) ?? delivery);
    this.#continue();
  }

  async #record(attempt: Attempt, id: DeliveryId, settled: SettledAttempt): Promise<void> {
    const { profile, random, logger } = this.#options;
    try {
      await commitOwn(this.#options, (state) => {
        attempt.recorded(settleAttempt(state, id, settled, profile, random));
      });
    } catch (error) {
      if (this.#isClosed) return;
      // Sending without recording would repeat the same event forever.
      this.#isClosed = true;
      logger.error(`The sender stops: an attempt of delivery ${id} cannot be recorded.`, error);
    }
  }

  /** Runs once for all attempts that end in the same turn, because it iterates over all endpoints. */
  #continue(): void {
    if (this.#isContinuing) return;
    this.#isContinuing = true;
    queueMicrotask(() => {
      this.#isContinuing = false;
      this.enqueue([]);
    });
  }
}

function byDueTime(one: DeepReadonly<DeliveryRecord>, other: DeepReadonly<DeliveryRecord>): number {
  return (one.nextAttemptAt ?? '').localeCompare(other.nextAttemptAt ?? '');
}
