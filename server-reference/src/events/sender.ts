import { dueTime } from '../clock/clock.ts';
import type { Clock } from '../clock/clock.ts';
import { Schedule } from '../clock/schedule.ts';
import type { Logger } from '../logger.ts';
import { commitOwn } from '../store/commit-own.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { DeliveryId } from '../store/ids.ts';
import type { DeepReadonly } from '../store/read-only.ts';
import type { KeyedRandom } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import { Attempt } from './attempt.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import type { DueDelivery } from './delivery-queue.ts';
import type { AttemptOrder, AttemptResult, SenderInterceptor } from './order.ts';
import { Poster } from './post.ts';
import type { RetryProfile } from './retry.ts';
import { settleAttempt } from './settle.ts';
import type { SettledAttempt } from './settle.ts';

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
  readonly #schedule: Schedule<DueDelivery>;
  readonly #due = new DeliveryQueue();
  readonly #inProgress = new Map<Attempt, Promise<void>>();
  #isClosed = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#schedule = new Schedule(options.clock, (due) => this.#begin(due));
    this.#poster = new Poster(options.ownPorts);
    const { interceptor } = options;
    const { post } = this.#poster;
    this.#send = interceptor === undefined ? post : (order) => interceptor(order, post);
  }

  /** Starts with the pending deliveries in the store, including those interrupted by a crash. */
  start(): void {
    this.enqueue(this.#store.state.deliveries.filter(({ status }) => status === 'pending'));
  }

  /**
   * Schedules deliveries whose commit is durable: new ones, redeliveries, and those that an interceptor put off.
   * A delivery that has ended is scheduled no more.
   */
  enqueue(deliveries: readonly DeepReadonly<DeliveryRecord>[]): void {
    this.#schedule.set(
      deliveries.map(({ id, endpointId, nextAttemptAt: at }) => [
        id,
        at === null ? undefined : { id, endpointId, at, dueAt: dueTime(this.#clock, at) },
      ]),
    );
    this.#options.onChange?.();
  }

  /** Returns whether no attempt is in progress and no delivery is due. */
  isIdle(): boolean {
    return this.#due.isEmpty && !this.#schedule.isDue;
  }

  /** Aborts the attempts in progress without recording them. The next start repeats them. */
  async close(): Promise<void> {
    this.#stop();
    for (const attempt of this.#inProgress.keys()) attempt.abort('closed');
    await Promise.all(this.#inProgress.values());
    this.#poster.close();
  }

  #stop(): void {
    this.#isClosed = true;
    this.#schedule.stop();
  }

  #begin(due: readonly DueDelivery[]): void {
    for (const delivery of due) this.#due.add(delivery);
    for (const endpointId of new Set(due.map((one) => one.endpointId))) this.#startNext(endpointId);
  }

  /** Starts as many attempts as the endpoint may have. */
  #startNext(endpointId: string): void {
    if (this.#isClosed) return;
    for (let due = this.#due.take(endpointId); due; due = this.#due.take(endpointId)) {
      if (!this.#start(due)) this.#due.leave(due);
    }
  }

  /** Starts an attempt. Returns false for a delivery that was settled, cancelled, put off or deleted meanwhile. */
  #start(due: DueDelivery): boolean {
    const { deliveries, events, webhookEndpoints } = this.#store.state;
    const delivery = deliveries.get(due.id);
    if (!delivery?.nextAttemptAt || delivery.nextAttemptAt > due.at) return false;
    const endpoint = webhookEndpoints.get(delivery.endpointId);
    const event = events.get(delivery.eventId);
    if (endpoint === undefined || event === undefined) {
      this.#options.logger.error(
        `Delivery ${delivery.id} has no endpoint or no event in the store.`,
      );
      return false;
    }
    const attempt = new Attempt({ delivery, event, endpoint }, this.#clock);
    this.#inProgress.set(
      attempt,
      attempt.run(() => this.#attempt(attempt, delivery, due)),
    );
    return true;
  }

  async #attempt(
    attempt: Attempt,
    delivery: DeepReadonly<DeliveryRecord>,
    due: DueDelivery,
  ): Promise<void> {
    const { id } = delivery;
    const [manualRequest] = delivery.manualRequests;
    const finished = await attempt.send(this.#send);
    if (finished !== null && !this.#isClosed) {
      await this.#record(attempt, id, { ...finished, manualRequest });
    }
    this.#inProgress.delete(attempt);
    this.#due.leave(due);
    this.enqueue(finished === null ? [] : [this.#store.state.deliveries.get(id) ?? delivery]);
    this.#startNext(due.endpointId);
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
      this.#stop();
      logger.error(`The sender stops: an attempt of delivery ${id} cannot be recorded.`, error);
    }
  }
}
