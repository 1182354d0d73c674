import type { Clock, TimerHandle } from '../clock/clock.ts';
import type { Logger } from '../logger.ts';
import type { DeliveryRecord } from '../state/delivery.ts';
import type { EventRecord } from '../state/event.ts';
import type { WebhookEndpointRecord } from '../state/webhook-endpoint.ts';
import { find } from '../store/find.ts';
import type { Store } from '../store/store.ts';
import { createPoster } from './attempt.ts';
import type { RetryProfile } from './backoff.ts';
import { deliveryHeaders } from './headers.ts';
import { Outbox } from './outbox.ts';
import type { KeyedRandom } from './seeded-random.ts';
import { settleAttempt } from './settle-attempt.ts';

/** One deadline over connecting, sending, headers and body. */
export const ATTEMPT_DEADLINE_MILLISECONDS = 10_000;
/** Attempts under way at once: to one endpoint, so that a slow one keeps room for others, and in all. */
export const MOST_ATTEMPTS_PER_ENDPOINT = 16;
export const MOST_ATTEMPTS = 256;
/** A data file may come from a clock that was far ahead; looking early costs nothing. */
const LONGEST_SLEEP_MILLISECONDS = 86_400_000;

export interface SenderOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Where the jitter of the retries comes from. */
  readonly random: KeyedRandom;
  readonly profile: RetryProfile;
  readonly logger: Logger;
}

/** Delivers what is pending in the store, at least once, and records every attempt there. */
export interface Sender {
  /** Takes up deliveries whose commit is durable: new ones, and those to be made once more. */
  enqueue(deliveries: readonly DeliveryRecord[]): void;
  /** Whether nothing is under way and nothing is due. */
  isIdle(): boolean;
  /** Calls back after every change that a delivery or a run has come to; returns how to stop that. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Cuts off what is under way without recording it: after the next start it is sent again. */
  close(): Promise<void>;
}

interface AttemptUnderWay {
  readonly endpointId: string;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Starts with the deliveries that are pending in the store, those cut off by a crash included. */
export function createSender({ store, clock, random, profile, logger }: SenderOptions): Sender {
  const poster = createPoster();
  const outbox = new Outbox();
  const underWay = new Map<string, AttemptUnderWay>();
  const listeners = new Set<() => void>();
  let wakeUp: TimerHandle | undefined;
  let closed = false;

  function schedule(delivery: DeliveryRecord): void {
    const { id: deliveryId, endpointId, nextAttemptAt } = delivery;
    if (nextAttemptAt === null) return;
    outbox.add({ deliveryId, endpointId, dueAt: Date.parse(nextAttemptAt) });
  }

  function startDue(): void {
    if (closed) return;
    while (underWay.size < MOST_ATTEMPTS) {
      const deliveryId = outbox.take(clock.now(), hasRoom);
      if (deliveryId === undefined) break;
      const delivery = find(store.state.deliveries, deliveryId);
      if (delivery !== undefined && isDue(delivery)) start(delivery);
    }
    if (wakeUp !== undefined) clock.clearTimeout(wakeUp);
    const { nextDueAt } = outbox;
    if (nextDueAt === undefined) return;
    const sleep = Math.min(LONGEST_SLEEP_MILLISECONDS, Math.max(0, nextDueAt - clock.now()));
    wakeUp = clock.setTimeout(startDue, sleep);
  }

  function hasRoom(endpointId: string): boolean {
    let count = 0;
    for (const busy of underWay.values()) if (busy.endpointId === endpointId) count += 1;
    return count < MOST_ATTEMPTS_PER_ENDPOINT;
  }

  /** False for what has been overtaken: settled, put off, silenced, or under way already. */
  function isDue({ id, status, nextAttemptAt }: DeliveryRecord): boolean {
    if (status !== 'pending' || nextAttemptAt === null || underWay.has(id)) return false;
    return Date.parse(nextAttemptAt) <= clock.now();
  }

  function start(delivery: DeliveryRecord): void {
    const endpoint = find(store.state.webhookEndpoints, delivery.endpointId);
    const event = find(store.state.events, delivery.eventId);
    if (endpoint === undefined || event === undefined) {
      logger.error(`delivery ${delivery.id} has lost its endpoint or its event`);
      return;
    }
    const controller = new AbortController();
    const done = attempt(delivery, endpoint, event, controller.signal)
      .catch((error: unknown) => {
        // Sending on without a record would repeat the same event for ever.
        closed = true;
        logger.error(`the sender stops: an attempt cannot be recorded (${delivery.id})`, error);
      })
      .finally(() => {
        clock.clearTimeout(deadline);
        underWay.delete(delivery.id);
        schedule(delivery);
        startDue();
        announce();
      });
    const deadline = clock.setTimeout(() => {
      controller.abort('timeout');
      return done;
    }, ATTEMPT_DEADLINE_MILLISECONDS);
    underWay.set(delivery.id, { endpointId: endpoint.id, controller, done });
    clock.track(done);
  }

  async function attempt(
    delivery: DeliveryRecord,
    { url, secret, headers }: WebhookEndpointRecord,
    { id, payload: text }: EventRecord,
    signal: AbortSignal,
  ): Promise<void> {
    const trigger = delivery.manualRequests > 0 ? 'manual' : 'automatic';
    const startedAt = clock.now();
    const payload = Buffer.from(text);
    const message = { id, timestamp: Math.floor(startedAt / 1000), payload };
    const result = await poster.post({
      url,
      headers: deliveryHeaders(message, secret, headers),
      body: payload,
      signal,
    });
    if (closed) return;
    const settled = { trigger, startedAt, finishedAt: clock.now(), result } as const;
    await store.commit(() => settleAttempt(delivery, settled, profile, random));
  }

  function announce(): void {
    for (const listener of listeners) listener();
  }

  for (const delivery of Object.values(store.state.deliveries)) {
    if (delivery.status === 'pending') schedule(delivery);
  }
  startDue();

  return {
    enqueue(deliveries) {
      for (const delivery of deliveries) schedule(delivery);
      startDue();
      announce();
    },
    isIdle: () => underWay.size === 0 && !outbox.hasDue(clock.now()),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      if (wakeUp !== undefined) clock.clearTimeout(wakeUp);
      for (const { controller } of underWay.values()) controller.abort('closed');
      await Promise.all([...underWay.values()].map(({ done }) => done));
      poster.close();
    },
  };
}
