import { dueTime, isoTime } from '../clock/clock.ts';
import type { Clock, TimerHandle, TrackedHandle } from '../clock/clock.ts';
import type { Logger } from '../logger.ts';
import type { DeliveryRecord } from '../state/deliveries.ts';
import type { DeliveryId, WebhookEndpointId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { recordsOf } from '../state/table.ts';
import type { KeyedRandom } from '../store/seed.ts';
import { CommitRetry } from '../store/commit-retry.ts';
import type { Store } from '../store/store.ts';
import type { AroundDelivery } from './around-delivery.ts';
import { Attempt, shareBodies } from './attempt.ts';
import type { AttemptOrder, AttemptTools, EventBody } from './attempt.ts';
import { MAX_EXTRA_ATTEMPTS } from './interceptor.ts';
import type { CreateInterceptor, DeliveryInterceptor, SenderControl } from './interceptor.ts';
import { Outbox } from './outbox.ts';
import type { RetryProfile } from './retry.ts';
import { Targets } from './target/target.ts';

/** The maximum number of concurrent attempts. */
export const MAX_ATTEMPTS = 256;
/** The share of the free slots that one endpoint may use. */
export const SHARE_OF_FREE_PLACES: number = 1 / 16;
/**
 * The maximum number of attempts that start before the process reads what has arrived. So endpoints that respond
 * at once need few connections, which is faster.
 */
const MAX_STARTS_PER_TURN = 32;
/** Bounds the delay of the timer: a data file from a clock far ahead may exceed the maximum delay. */
const MAX_SLEEP_MILLISECONDS = 86_400_000;

export interface SenderOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The source of the retries' jitter. */
  readonly random: KeyedRandom;
  readonly profile: RetryProfile;
  /** The ports of this server, to which no event is sent. */
  readonly ownPorts: ReadonlySet<number>;
  readonly logger: Logger;
  /** Wraps every attempt. Default none. */
  readonly interceptor?: CreateInterceptor;
  /** Stands between every attempt and the network. Default none. */
  readonly aroundDelivery?: AroundDelivery | undefined;
}

/** An extra attempt that has not started. */
interface WaitingExtra {
  readonly delivery: DeepReadonly<DeliveryRecord>;
  readonly begin: () => void;
}

/**
 * Makes the pending deliveries of the store, at least once each, and records every attempt, from
 * {@link Sender.start} on.
 */
export class Sender {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #targets: Targets;
  readonly #commits: CommitRetry;
  readonly #intercept: DeliveryInterceptor;
  readonly #tools: AttemptTools;
  readonly #outbox = new Outbox(MAX_ATTEMPTS, SHARE_OF_FREE_PLACES);
  /** The regular attempt of each delivery. */
  readonly #regular = new Map<DeliveryId, Attempt>();
  readonly #inProgress = new Set<Attempt>();
  readonly #extras = new Map<string, WaitingExtra>();
  readonly #postponing = new Set<Promise<void>>();
  readonly #listeners = new Set<() => void>();
  readonly #closeListeners: (() => void)[] = [];
  #extrasAdded = 0;
  #wakeUp: TimerHandle | undefined;
  #closed = false;
  #continuing = false;
  #startsLeft = MAX_STARTS_PER_TURN;
  #nextTurn: Promise<void> | undefined;

  constructor({ ownPorts, interceptor = passOn, ...options }: SenderOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#targets = new Targets(ownPorts);
    this.#commits = new CommitRetry({ ...options, subject: 'The sender' });
    this.#tools = {
      ...options,
      targets: this.#targets,
      // A function of the caller stands around the delivery, and may change the bytes.
      bodyOf: options.aroundDelivery === undefined ? shareBodies() : freshBody,
      commits: this.#commits,
      isClosed: () => this.#closed,
      failed: (delivery, error) => this.#stop(delivery, error),
      finished: (attempt) => this.#finished(attempt),
    };
    this.#intercept = interceptor(this.#control());
  }

  /** Starts with the pending deliveries in the store, including those interrupted by a crash. */
  start(): void {
    this.#closeListeners.push(this.#clock.onLeap(() => this.#continue()));
    const { deliveries, grouped } = this.#store.state;
    const pending = recordsOf(grouped.pendingDeliveries.all(), deliveries);
    for (const delivery of pending.toSorted(byDueTime)) this.#schedule(delivery);
    this.#startDue();
  }

  /** Schedules deliveries whose commit is durable: new ones and redeliveries. */
  enqueue(deliveries: readonly DeepReadonly<DeliveryRecord>[]): void {
    for (const delivery of deliveries) this.#schedule(delivery);
    this.#startDue();
    this.#announce();
  }

  /** Removes the waiting extra attempts of an endpoint. Call it when the endpoint is disabled or deleted. */
  cancel(endpointId: WebhookEndpointId): void {
    for (const [id, { delivery }] of this.#extras) {
      if (delivery.endpointId === endpointId) this.#extras.delete(id);
    }
    this.#startDue();
    this.#announce();
  }

  /** Returns whether no attempt is in progress and no delivery is due. */
  isIdle(): boolean {
    const working = this.#inProgress.size + this.#postponing.size;
    return working === 0 && !this.#outbox.hasDue(this.#clock.steady());
  }

  /** Calls back after each change of a delivery. Returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Aborts the attempts in progress without recording them. The next start repeats them. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#wakeUp !== undefined) this.#clock.clearTimeout(this.#wakeUp);
    for (const listener of this.#closeListeners) listener();
    this.#commits.close();
    for (const attempt of this.#inProgress) attempt.cutOff('closed');
    await Promise.all([...[...this.#inProgress].map(({ done }) => done), ...this.#postponing]);
    this.#targets.close();
  }

  #control(): SenderControl {
    return {
      postpone: (delivery, until) => this.#postpone(delivery, until),
      isDue: (delivery) => this.#isDue(delivery),
      beginLater: (delivery, dueAt, begin) => this.#beginLater(delivery, dueAt, begin),
      subscribe: this.subscribe,
      onClose: (listener) => this.#closeListeners.push(listener),
    };
  }

  #schedule({ id: deliveryId, endpointId, nextAttemptAt }: DeepReadonly<DeliveryRecord>): void {
    if (nextAttemptAt === null) return;
    const dueAt = dueTime(this.#clock, nextAttemptAt);
    this.#outbox.add({ deliveryId, endpointId, dueAt }, this.#clock.steady());
  }

  #startDue(): void {
    if (this.#closed || this.#commits.isFailing) return;
    const now = this.#clock.steady();
    while (this.#startsLeft > 0) {
      const id = this.#outbox.take(now);
      if (id === undefined) break;
      const extra = this.#extras.get(id);
      this.#extras.delete(id);
      const delivery = this.#store.state.deliveries.get(extra?.delivery.id ?? id);
      if (delivery === undefined) continue;
      if (extra !== undefined) this.#startExtra(extra);
      else if (this.#isDue(delivery)) this.#start(delivery);
    }
    if (this.#startsLeft === 0) this.#startInNextTurn();
    else this.#wakeUpLater();
  }

  #startInNextTurn(): void {
    if (this.#nextTurn !== undefined) return;
    this.#nextTurn = new Promise(setImmediate).then(() => {
      this.#nextTurn = undefined;
      this.#startsLeft = MAX_STARTS_PER_TURN;
      this.#continue();
    });
    this.#clock.track(this.#nextTurn);
  }

  #wakeUpLater(): void {
    if (this.#wakeUp !== undefined) this.#clock.clearTimeout(this.#wakeUp);
    const { nextDueAt } = this.#outbox;
    if (nextDueAt === undefined) return;
    const untilDue = Math.max(0, nextDueAt - this.#clock.steady());
    const wakeUp = (): void => {
      this.#startDue();
      this.#announce();
    };
    this.#wakeUp = this.#clock.setTimeout(wakeUp, Math.min(MAX_SLEEP_MILLISECONDS, untilDue));
  }

  /** False if the delivery is settled, postponed, cancelled or in progress. */
  #isDue({ id, status }: DeepReadonly<DeliveryRecord>): boolean {
    if (status !== 'pending' || this.#regular.has(id)) return false;
    return !this.#outbox.isWaiting(id, this.#clock.steady());
  }

  #start(delivery: DeepReadonly<DeliveryRecord>): void {
    const { state } = this.#store;
    const endpoint = state.webhookEndpoints.get(delivery.endpointId);
    const event = state.events.get(delivery.eventId);
    if (endpoint === undefined || event === undefined) {
      this.#logger.error(`Delivery ${delivery.id} has no endpoint or no event in the store.`);
      return;
    }
    const [manualRequest] = delivery.manualRequests;
    this.#intercept({ delivery, event, endpoint, manualRequest }, (order) => this.#begin(order));
  }

  #startExtra({ delivery, begin }: WaitingExtra): void {
    const endpoint = this.#store.state.webhookEndpoints.get(delivery.endpointId);
    if (endpoint?.enabled === true) begin();
  }

  #begin(order: AttemptOrder): Attempt {
    const attempt = new Attempt(order, this.#tools);
    this.#startsLeft = Math.max(0, this.#startsLeft - 1);
    this.#inProgress.add(attempt);
    if (order.extra === undefined) this.#regular.set(order.delivery.id, attempt);
    this.#outbox.enter(order.endpoint.id);
    return attempt;
  }

  #finished(attempt: Attempt): void {
    const { delivery, endpoint, extra } = attempt.order;
    this.#inProgress.delete(attempt);
    if (extra === undefined) this.#regular.delete(delivery.id);
    this.#outbox.leave(endpoint.id);
    this.#schedule(delivery);
    this.#continue();
  }

  /** Runs once for all attempts that end in the same turn, because it iterates over all endpoints. */
  #continue(): void {
    if (this.#continuing) return;
    this.#continuing = true;
    queueMicrotask(() => {
      this.#continuing = false;
      this.#startDue();
      this.#announce();
    });
  }

  #postpone(delivery: DeepReadonly<DeliveryRecord>, until: number): void {
    const nextAttemptAt = isoTime(until);
    let tracked: TrackedHandle | undefined;
    const work: TrackedHandle = {
      pause: () => tracked?.pause(),
      resume: () => tracked?.resume(),
    };
    const postponed = this.#commits
      .commit((state) => {
        if (!state.deliveries.has(delivery.id)) return;
        state.deliveries.edit(delivery.id).nextAttemptAt = nextAttemptAt;
      }, work)
      .catch((error: unknown) => this.#stop(delivery, error))
      .then(() => {
        this.#postponing.delete(postponed);
        this.#schedule(delivery);
        this.#continue();
      });
    this.#postponing.add(postponed);
    tracked = this.#clock.track(postponed);
  }

  #beginLater(delivery: DeepReadonly<DeliveryRecord>, dueAt: number, begin: () => void): boolean {
    if (this.#extras.size >= MAX_EXTRA_ATTEMPTS) return false;
    this.#extrasAdded += 1;
    const deliveryId = `${delivery.id} extra ${this.#extrasAdded}`;
    this.#extras.set(deliveryId, { delivery, begin });
    this.#outbox.add({ deliveryId, endpointId: delivery.endpointId, dueAt }, this.#clock.steady());
    return true;
  }

  /** Sending without recording would repeat the same event forever. */
  #stop({ id }: DeepReadonly<DeliveryRecord>, error: unknown): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#logger.error(`The sender stops: an attempt of delivery ${id} cannot be recorded.`, error);
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

function byDueTime(
  { nextAttemptAt: one }: DeepReadonly<DeliveryRecord>,
  { nextAttemptAt: other }: DeepReadonly<DeliveryRecord>,
): number {
  return Date.parse(one ?? '') - Date.parse(other ?? '');
}

const freshBody: EventBody = ({ payload }) => Buffer.from(String(payload));

const passOn: CreateInterceptor = () => (order, next) => next(order);
