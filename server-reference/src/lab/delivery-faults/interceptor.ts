import { isoTime } from '../../clock/clock.ts';
import type { Clock } from '../../clock/clock.ts';
import { withoutResponse } from '../../events/attempt-result.ts';
import { newDelivery } from '../../events/delivery.ts';
import { runStatusOf } from '../../events/event.ts';
import type { AttemptOrder, AttemptResult, SendAttempt } from '../../events/order.ts';
import type { Sender } from '../../events/sender.ts';
import type { Logger } from '../../logger.ts';
import { commitOwn } from '../../store/commit-own.ts';
import type { DeliveryRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { State } from '../../store/state.ts';
import type { Store } from '../../store/store.ts';
import type { SentRequests } from '../attempts/sent-requests.ts';
import { alterRequest } from './alter-request.ts';
import type { DeliveryFaultPlan, InjectedDeliveryFault } from './delivery-fault-plan.ts';
import { HeldDeliveries } from './held-deliveries.ts';
import { cutAfter, inPieces } from './write-body.ts';

/** The error of an attempt that a fault dropped before it was sent. */
const DROPPED = 'dropped';

interface DeliveryFaultOptions {
  readonly plan: DeliveryFaultPlan;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Keeps both sides of each attempt. */
  readonly sentRequests: SentRequests;
}

type DuplicateFault = Extract<InjectedDeliveryFault, { name: 'duplicate' }>;

/** Applies the injected delivery faults to the attempts of a sender. */
export class FaultyDeliveries {
  readonly #options: DeliveryFaultOptions;
  readonly #held: HeldDeliveries;
  /** The deliveries that a `duplicate` has added, to which no other fault applies. */
  readonly #copies = new WeakMap<DeepReadonly<DeliveryRecord>, DuplicateFault>();
  #sender: Sender | undefined;

  constructor(options: DeliveryFaultOptions) {
    this.#options = options;
    const { store, clock } = options;
    this.#held = new HeldDeliveries({
      clock,
      postpone: (delivery, until) => this.#postpone(delivery, until),
      runStatusOf(delivery) {
        const event = store.state.events.get(delivery.eventId);
        return event === undefined ? null : runStatusOf(event);
      },
    });
  }

  /** Call it once, before the sender starts. */
  attach(sender: Sender): void {
    this.#sender = sender;
  }

  readonly intercept = async (
    order: AttemptOrder,
    next: SendAttempt,
  ): Promise<AttemptResult | null> => {
    const { plan, store, clock } = this.#options;
    const delivery = store.state.deliveries.get(order.deliveryId);
    if (delivery === undefined) return this.#send(order, null, next);
    const copied = this.#copies.get(delivery);
    if (copied !== undefined) return this.#send(order, copied, next);
    const fault = await this.#held.take(delivery, () => plan.apply(delivery, clock.now()));
    if (fault === 'held') return null;
    if (fault?.name === 'duplicate') await this.#copy(delivery, fault);
    const result = await this.#send(order, fault, next);
    await this.#held.attempted(delivery);
    return result;
  };

  async #send(
    order: AttemptOrder,
    fault: InjectedDeliveryFault | null,
    next: SendAttempt,
  ): Promise<AttemptResult> {
    const { sentRequests } = this.#options;
    if (fault === null) return sentRequests.keep(order, await next(order));
    const send = fault.name === 'drop-then-redeliver' ? drop : next;
    const result = sentRequests.keep(order, await send(this.#altered(order, fault)));
    return { ...result, deliveryFault: fault.name };
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

  /** Adds deliveries of the same event to the same endpoint. */
  async #copy(
    { eventId, endpointId }: DeepReadonly<DeliveryRecord>,
    fault: DuplicateFault,
  ): Promise<void> {
    const now = this.#options.clock.now();
    const copies = await this.#commit((state) => {
      const [event, endpoint] = [state.events.get(eventId), state.webhookEndpoints.get(endpointId)];
      if (event === undefined || endpoint === undefined) return [];
      return Array.from({ length: fault.copies }, (_, index) => {
        const copy = newDelivery(state, now, event, endpoint);
        copy.nextAttemptAt = isoTime(now + (index + 1) * fault.apartMilliseconds);
        return copy;
      });
    });
    for (const copy of copies ?? []) this.#copies.set(copy, fault);
    this.#sender?.enqueue(copies ?? []);
  }

  async #postpone(delivery: DeepReadonly<DeliveryRecord>, until: number): Promise<void> {
    await this.#commit((state) => {
      if (state.deliveries.get(delivery.id)?.status !== 'pending') return;
      state.deliveries.edit(delivery.id).nextAttemptAt = isoTime(until);
    });
    this.#sender?.enqueue([delivery]);
  }

  /** Resolves to undefined if the change was not made. */
  async #commit<T>(mutate: (state: State) => T): Promise<DeepReadonly<T> | undefined> {
    const { logger } = this.#options;
    try {
      return await commitOwn(this.#options, mutate);
    } catch (error) {
      logger.error('A delivery fault could not be applied.', error);
      return undefined;
    }
  }
}

async function drop(): Promise<AttemptResult> {
  return withoutResponse(DROPPED, 'a delivery fault dropped the request before it was sent', null);
}
