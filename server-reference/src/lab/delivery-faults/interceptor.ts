import { isoTime } from '../../clock/clock.ts';
import type { Clock } from '../../clock/clock.ts';
import { withoutResponse } from '../../events/attempt-result.ts';
import type {
  AttemptOrder,
  AttemptResult,
  DeliveryRequest,
  SendAttempt,
} from '../../events/order.ts';
import type { Sender } from '../../events/sender.ts';
import type { Logger } from '../../logger.ts';
import { CommitRetry } from '../../store/commit-retry.ts';
import type { DeliveryRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import type { Store } from '../../store/store.ts';
import { alterRequest } from './alter-request.ts';
import type { DeliveryFaultPlan, InjectedDeliveryFault } from './delivery-fault-plan.ts';
import { Duplicates } from './duplicates.ts';
import { HeldDeliveries } from './held-deliveries.ts';
import { cutAfter, inPieces } from './write-body.ts';

/** The error of an attempt that a fault dropped before it was sent. */
const DROPPED = 'dropped';

/** An order after the delivery faults. */
export interface FaultyOrder extends AttemptOrder {
  /** The signed request, before a delivery fault altered it. */
  readonly original: DeliveryRequest;
  /** The applied delivery fault; null without one. */
  readonly deliveryFault: string | null;
}

/** Observes an attempt that `send` makes. */
type Observe = (order: FaultyOrder, send: SendAttempt) => Promise<AttemptResult>;

interface DeliveryFaultOptions {
  readonly plan: DeliveryFaultPlan;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called for each attempt, also for those that a fault adds. */
  readonly observe: Observe;
}

/** Applies the injected delivery faults to the attempts of a sender. */
export class FaultyDeliveries {
  readonly #options: DeliveryFaultOptions;
  readonly #commits: CommitRetry;
  readonly #held: HeldDeliveries;
  readonly #duplicates: Duplicates;
  /** The deliveries with an attempt in progress. */
  readonly #inProgress = new Set<string>();
  #sender: Sender | undefined;
  #isClosed = false;

  constructor(options: DeliveryFaultOptions) {
    this.#options = options;
    const { store, clock, logger } = options;
    this.#commits = new CommitRetry({ ...options, subject: 'A delivery fault' });
    this.#held = new HeldDeliveries({
      clock,
      postpone: (delivery, until) => this.#postpone(delivery, until),
      enqueue: (delivery) => this.#sender?.enqueue([delivery]),
      isComplete: (fault) => this.#hasGatheredAll(fault),
    });
    const changed = (): void => this.#sender?.enqueue([]);
    this.#duplicates = new Duplicates({ store, clock, logger, commits: this.#commits, changed });
  }

  /** Call it once, before the sender starts. */
  attach(sender: Sender): void {
    this.#sender = sender;
    sender.subscribe(() => this.#held.update());
  }

  readonly intercept = async (
    order: AttemptOrder,
    next: SendAttempt,
  ): Promise<AttemptResult | null> => {
    const { plan, store, clock } = this.#options;
    const delivery = store.state.deliveries.get(order.deliveryId);
    if (delivery === undefined) return this.#send(order, null, next);
    this.#inProgress.add(order.deliveryId);
    try {
      const released = this.#held.release(delivery);
      const fault = released ?? plan.apply(delivery, clock.now());
      if (released === null && fault !== null && (await this.#held.hold(delivery, fault))) {
        return null;
      }
      const sending = this.#send(order, fault, next);
      if (fault?.name === 'duplicate') {
        this.#duplicates.add(delivery.id, order, fault, (copy) => this.#send(copy, fault, next));
      }
      const result = await sending;
      await this.#held.attempted(delivery);
      return result;
    } finally {
      this.#inProgress.delete(order.deliveryId);
    }
  };

  /** Removes the waiting copies to an endpoint that was disabled or deleted. */
  cancel(endpointId: string): void {
    this.#duplicates.cancel(endpointId);
    this.#sender?.enqueue([]);
  }

  /** Returns whether no extra attempt is due or in progress. */
  isIdle(): boolean {
    return this.#duplicates.isIdle();
  }

  /** Ends the extra attempts. Close it before the sender. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#held.close();
    this.#commits.close();
    await this.#duplicates.close();
  }

  async #send(
    order: AttemptOrder,
    fault: InjectedDeliveryFault | null,
    next: SendAttempt,
  ): Promise<AttemptResult> {
    const { observe } = this.#options;
    const { request: original } = order;
    if (fault === null) return observe({ ...order, original, deliveryFault: null }, next);
    const deliveryFault = fault.name;
    const faulty = { ...this.#altered(order, fault), original, deliveryFault };
    const result = await observe(faulty, fault.name === 'drop-then-redeliver' ? drop : next);
    return { ...result, deliveryFault };
  }

  #altered(order: AttemptOrder, fault: InjectedDeliveryFault): AttemptOrder {
    const { clock } = this.#options;
    const { body } = order.request;
    if (fault.name === 'truncated-body') {
      return { ...order, writeBody: cutAfter(fault.bytes ?? Math.floor(body.length / 2), body) };
    }
    if (fault.name === 'slow-drip') return { ...order, writeBody: inPieces(fault, order, clock) };
    return { ...order, request: alterRequest(order.request, order.secret, fault) };
  }

  async #postpone(delivery: DeepReadonly<DeliveryRecord>, until: number): Promise<void> {
    const { clock, logger } = this.#options;
    const postponed = this.#commits
      .commit(
        (state) => {
          if (!state.deliveries.has(delivery.id)) return;
          state.deliveries.edit(delivery.id).nextAttemptAt = isoTime(until);
        },
        { pause: () => tracked.pause(), resume: () => tracked.resume() },
      )
      .catch((error: unknown) => {
        if (this.#isClosed) return;
        logger.error(`A delivery fault cannot hold delivery ${delivery.id}.`, error);
      });
    const tracked = clock.track(postponed);
    await postponed;
  }

  /** A `reorder` for a run collects until the run is terminal and its last event is due. */
  #hasGatheredAll({ id, runId }: InjectedDeliveryFault): boolean {
    const { plan, store, clock } = this.#options;
    if (runId === undefined) return false;
    const run = store.state.runs.get(runId);
    if (run !== undefined && !isTerminal(run.status)) return false;
    const now = isoTime(clock.now());
    return ![...store.state.deliveries.values()].some(
      (delivery) =>
        plan.wouldHit(id, delivery) &&
        delivery.status === 'pending' &&
        !this.#inProgress.has(delivery.id) &&
        (delivery.nextAttemptAt ?? '') <= now,
    );
  }
}

async function drop(): Promise<AttemptResult> {
  return withoutResponse(DROPPED, 'a delivery fault dropped the request before it was sent', null);
}
