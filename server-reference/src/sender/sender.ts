import type { Clock, TimerHandle } from '../clock/clock.ts';
import type { Logger } from '../logger.ts';
import { pruneHistory } from '../runs/prune-history.ts';
import type { DeliveryRecord, ManualRequest } from '../state/delivery.ts';
import { find } from '../store/find.ts';
import type { Store } from '../store/store.ts';
import { post } from './attempt.ts';
import type { Posting } from './attempt.ts';
import type { RetryProfile } from './backoff.ts';
import { deliveryHeaders } from './headers.ts';
import { Outbox } from './outbox.ts';
import type { KeyedRandom } from './seeded-random.ts';
import { settleAttempt } from './settle-attempt.ts';
import { createTargets } from './target.ts';

/** One deadline over connecting, sending, headers and body. */
export const ATTEMPT_DEADLINE_MILLISECONDS = 10_000;
/** Attempts under way at once, and what one endpoint may have of the places that are free. */
export const MOST_ATTEMPTS = 256;
export const SHARE_OF_FREE_PLACES: number = 1 / 16;
/** A data file may come from a clock that was far ahead; looking early costs nothing. */
const LONGEST_SLEEP_MILLISECONDS = 86_400_000;

export interface SenderOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Where the jitter of the retries comes from. */
  readonly random: KeyedRandom;
  readonly profile: RetryProfile;
  /** Where the server itself listens, which no event is sent to. */
  readonly ownPorts: ReadonlySet<number>;
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

interface StartedAttempt {
  readonly posting: Posting;
  readonly deadline: TimerHandle;
  readonly request: ManualRequest | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

interface AttemptUnderWay {
  readonly posting: Posting;
  readonly done: Promise<void>;
}

/** Starts with the deliveries that are pending in the store, those cut off by a crash included. */
export function createSender({
  store,
  clock,
  random,
  profile,
  ownPorts,
  logger,
}: SenderOptions): Sender {
  const targets = createTargets(ownPorts);
  const outbox = new Outbox(MOST_ATTEMPTS, SHARE_OF_FREE_PLACES);
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
    for (let id = outbox.take(clock.now()); id !== undefined; id = outbox.take(clock.now())) {
      const delivery = find(store.state.deliveries, id);
      if (delivery !== undefined && isDue(delivery)) start(delivery);
    }
    if (wakeUp !== undefined) clock.clearTimeout(wakeUp);
    const { nextDueAt } = outbox;
    if (nextDueAt === undefined) return;
    const sleep = Math.min(LONGEST_SLEEP_MILLISECONDS, Math.max(0, nextDueAt - clock.now()));
    wakeUp = clock.setTimeout(startDue, sleep);
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
    const [request] = delivery.manualRequests;
    const startedAt = clock.now();
    const payload = Buffer.from(event.payload);
    const message = { id: event.id, timestamp: Math.floor(startedAt / 1000), payload };
    const headers = deliveryHeaders(message, endpoint.secret, endpoint.headers);
    const posting = post(targets.of(endpoint.url), { headers, body: payload });
    const deadline = clock.setTimeout(() => {
      posting.cutOff('timeout');
      return done;
    }, ATTEMPT_DEADLINE_MILLISECONDS);
    const done = finish(delivery, { posting, deadline, request, startedAt });
    underWay.set(delivery.id, { posting, done });
    outbox.enter(endpoint.id);
    clock.track(done);
  }

  /** Waits for the answer, records it and goes on with what has become due. */
  async function finish(
    delivery: DeliveryRecord,
    { posting, deadline, request, startedAt }: StartedAttempt,
  ): Promise<void> {
    try {
      const result = await posting.result;
      const attempt = { request, startedAt, finishedAt: clock.now(), result };
      if (!closed) {
        await store.commit((state) => {
          settleAttempt(delivery, attempt, profile, random);
          if (delivery.status !== 'pending') pruneHistory(state);
        });
      }
    } catch (error) {
      // Sending on without a record would repeat the same event for ever.
      closed = true;
      logger.error(`the sender stops: an attempt cannot be recorded (${delivery.id})`, error);
    }
    clock.clearTimeout(deadline);
    underWay.delete(delivery.id);
    outbox.leave(delivery.endpointId);
    schedule(delivery);
    startDue();
    announce();
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
      for (const { posting } of underWay.values()) posting.cutOff('closed');
      await Promise.all([...underWay.values()].map(({ done }) => done));
      targets.close();
    },
  };
}
