import type {
  PathologyPlan,
  PlantedPathology,
} from '../../lab/delivery-faults/delivery-fault-plan.ts';
import { HeldDeliveries } from '../../lab/delivery-faults/held-deliveries.ts';
import type { Clock, TimerHandle } from '../clock/clock.ts';
import type { Logger } from '../logger.ts';
import type { DeliveryRecord } from '../state/deliveries.ts';
import { isTerminal } from '../state/run-transitions.ts';
import { find } from '../store/records.ts';
import type { KeyedRandom } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import { Copies } from './copies.ts';
import type { CopySeries } from './copies.ts';
import { makeAttempt } from './make-attempt.ts';
import type { AttemptUnderWay } from './make-attempt.ts';
import { Outbox } from './outbox.ts';
import type { PostObserver } from './posted.ts';
import type { RetryProfile } from './retry.ts';
import { createTargets } from './target/target.ts';

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
  /** What befalls deliveries on their way. */
  readonly pathologies: PathologyPlan;
  readonly observer?: PostObserver;
  readonly logger: Logger;
}

/** Delivers what is pending in the store, at least once, and records every attempt there. */
export interface Sender {
  /** Takes up deliveries whose commit is durable: new ones, and those to be made once more. */
  enqueue(deliveries: readonly DeliveryRecord[]): void;
  /** What has not left for an endpoint no longer does: call it when the endpoint is silenced. */
  silence(endpointId: string): void;
  /** Whether nothing is under way and nothing is due. */
  isIdle(): boolean;
  /** Calls back after every change that a delivery or a run has come to; returns how to stop that. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Cuts off what is under way without recording it: after the next start it is sent again. */
  close(): Promise<void>;
}

/** Starts with the deliveries that are pending in the store, those cut off by a crash included. */
export function createSender({ ownPorts, pathologies, ...options }: SenderOptions): Sender {
  const { store, clock, logger } = options;
  const targets = createTargets(ownPorts);
  const outbox = new Outbox(MOST_ATTEMPTS, SHARE_OF_FREE_PLACES);
  const copies = new Copies();
  const held = new HeldDeliveries({ clock, putOff, isComplete });
  const underWay = new Map<string, AttemptUnderWay>();
  const puttingOff = new Set<Promise<void>>();
  const listeners = new Set<() => void>();
  const attemptOptions = { ...options, targets, isClosed: () => closed, failed: stop };
  let wakeUp: TimerHandle | undefined;
  let closed = false;
  let goesOn = false;

  function schedule(delivery: DeliveryRecord): void {
    const { id: deliveryId, endpointId, nextAttemptAt } = delivery;
    if (nextAttemptAt === null) return;
    outbox.add({ deliveryId, endpointId, dueAt: Date.parse(nextAttemptAt) });
  }

  function startDue(): void {
    if (closed) return;
    for (let id = outbox.take(clock.now()); id !== undefined; id = outbox.take(clock.now())) {
      const series = copies.take(id);
      const delivery = find(store.state.deliveries, series?.delivery.id ?? id);
      if (delivery === undefined) continue;
      if (series !== undefined) startCopy(id, series);
      else if (isDue(delivery)) start(delivery);
    }
    held.goOn();
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
    const released = held.release(delivery);
    if (released === 'kept') return;
    const struck = released === null ? pathologies.strike(delivery, clock.now()) : null;
    if (struck?.name === 'delay') return held.delay(delivery, struck);
    if (struck?.name === 'reorder') return held.gather(delivery, struck);
    const attempt = begin(delivery.id, delivery, released ?? struck);
    if (struck?.name !== 'duplicate' || attempt === undefined) return;
    const series = { delivery, pathology: struck, last: attempt };
    for (let number = 1; number <= struck.copies; number += 1) {
      const deliveryId = copies.add(series);
      const dueAt = clock.now() + number * struck.apartMilliseconds;
      if (deliveryId !== null) outbox.add({ deliveryId, endpointId: delivery.endpointId, dueAt });
    }
  }

  function startCopy(id: string, series: CopySeries): void {
    const { delivery, pathology, last } = series;
    if (find(store.state.webhookEndpoints, delivery.endpointId)?.enabled !== true) return;
    series.last = begin(id, delivery, pathology, last) ?? last;
  }

  /** @param original - what the attempt is a copy of, and is recorded after */
  function begin(
    id: string,
    delivery: DeliveryRecord,
    pathology: PlantedPathology | null,
    original?: AttemptUnderWay,
  ): AttemptUnderWay | undefined {
    const { endpointId, manualRequests } = delivery;
    const endpoint = find(store.state.webhookEndpoints, endpointId);
    const event = find(store.state.events, delivery.eventId);
    if (endpoint === undefined || event === undefined) {
      logger.error(`delivery ${delivery.id} has lost its endpoint or its event`);
      return undefined;
    }
    const request = original === undefined ? manualRequests[0] : undefined;
    const attempt = makeAttempt(
      { delivery, event, endpoint, request, pathology, original, finished },
      attemptOptions,
    );
    underWay.set(id, attempt);
    outbox.enter(endpointId);
    return attempt;

    /** Goes on with what has become due. */
    function finished(): void {
      underWay.delete(id);
      outbox.leave(endpointId);
      if (original === undefined) held.answered(delivery);
      schedule(delivery);
      goOn();
    }
  }

  /** Once for all that ends in the same turn: to look for what is due walks the whole line. */
  function goOn(): void {
    if (goesOn) return;
    goesOn = true;
    queueMicrotask(() => {
      goesOn = false;
      startDue();
      announce();
    });
  }

  function putOff(delivery: DeliveryRecord, until: number): void {
    const put = store
      .commit(() => {
        delivery.nextAttemptAt = new Date(until).toISOString();
      })
      .catch((error: unknown) => stop(delivery, error))
      .then(() => {
        puttingOff.delete(put);
        schedule(delivery);
        goOn();
      });
    puttingOff.add(put);
    clock.track(put);
  }

  /** Sending on without a record would repeat the same event for ever. */
  function stop({ id }: DeliveryRecord, error: unknown): void {
    closed = true;
    logger.error(`the sender stops: an attempt cannot be recorded (${id})`, error);
  }

  /** A `reorder` for a run gathers until its last event, which is due as soon as the run is terminal. */
  function isComplete({ id, runId }: PlantedPathology): boolean {
    if (runId === undefined) return false;
    const run = find(store.state.runs, runId);
    if (run !== undefined && !isTerminal(run.status)) return false;
    return !Object.values(store.state.deliveries).some(
      (delivery) => pathologies.isAbout(id, delivery) && isDue(delivery),
    );
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
    silence(endpointId) {
      copies.forget(endpointId);
      startDue();
      announce();
    },
    isIdle: () => underWay.size + puttingOff.size === 0 && !outbox.hasDue(clock.now()),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      if (wakeUp !== undefined) clock.clearTimeout(wakeUp);
      held.close();
      for (const attempt of underWay.values()) attempt.cutOff('closed');
      await Promise.all([...[...underWay.values()].map(({ done }) => done), ...puttingOff]);
      targets.close();
    },
  };
}
