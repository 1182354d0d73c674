import type { Clock, TimerHandle, TrackedHandle } from '../clock/clock.ts';
import type { DeliveryRecord, EventRecord, WebhookEndpointRecord } from '../store/deliveries.ts';
import type { DeepReadonly } from '../store/read-only.ts';
import { failed } from './attempt-result.ts';
import { deliveryHeaders } from './signed-headers.ts';
import type { AttemptOrder, AttemptResult } from './order.ts';

/** One deadline covers connecting, sending, headers and body. */
export const ATTEMPT_DEADLINE_MILLISECONDS = 10_000;

/** What an attempt sends. */
interface AttemptSubject {
  readonly delivery: DeepReadonly<DeliveryRecord>;
  readonly event: DeepReadonly<EventRecord>;
  readonly endpoint: DeepReadonly<WebhookEndpointRecord>;
}

/** A result with its times, in milliseconds since the epoch. */
export interface FinishedAttempt {
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly result: AttemptResult;
}

/** An attempt: its signed order, its deadline and its times. */
export class Attempt {
  readonly order: AttemptOrder;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  readonly #listeners: ((number: number | null) => void)[] = [];
  /** By the steady time of the clock. */
  readonly #begunAt: number;
  #work: Promise<void> | undefined;
  #isRecorded = false;
  #tracked: TrackedHandle | undefined;

  constructor(subject: AttemptSubject, clock: Clock) {
    this.#clock = clock;
    this.#begunAt = clock.steady();
    this.order = {
      ...signedOrder(subject, clock.now()),
      signal: this.#abort.signal,
      tracked: { pause: () => this.#tracked?.pause(), resume: () => this.#tracked?.resume() },
      onRecorded: (listener) => this.#listeners.push(listener),
    };
  }

  /** Starts the work that sends and records the attempt. A virtual clock waits for it. It must not reject. */
  run(work: () => Promise<void>): Promise<void> {
    this.#work = work().finally(() => {
      if (!this.#isRecorded) this.recorded(null);
    });
    this.#tracked = this.#clock.track(this.#work);
    return this.#work;
  }

  /** Sends the request within the deadline. Resolves to null if `send` does. */
  async send(
    send: (order: AttemptOrder) => Promise<AttemptResult | null>,
  ): Promise<FinishedAttempt | null> {
    const deadline = this.#startDeadline();
    const result = await send(this.order).catch((error: unknown) =>
      failed(error, this.order.request),
    );
    this.#clock.clearTimeout(deadline);
    if (result === null) return null;
    // Not `order.startedAt`, which is after the end if the clock was set back meanwhile.
    const finishedAt = this.#clock.now();
    return { result, finishedAt, startedAt: finishedAt - (this.#clock.steady() - this.#begunAt) };
  }

  /** Reports the number of the recorded attempt, or null if its delivery was deleted. Call it in the commit. */
  recorded(number: number | null): void {
    this.#isRecorded = true;
    for (const listener of this.#listeners) listener(number);
  }

  /** Ends the attempt without a response and with this error. */
  abort(error: string): void {
    this.#abort.abort(error);
  }

  #startDeadline(): TimerHandle {
    return this.#clock.setTimeout(() => {
      this.abort('timeout');
      return this.#work;
    }, ATTEMPT_DEADLINE_MILLISECONDS);
  }
}

function signedOrder(
  { delivery, event, endpoint }: AttemptSubject,
  startedAt: number,
): Pick<
  AttemptOrder,
  'deliveryId' | 'eventId' | 'endpointId' | 'secret' | 'request' | 'startedAt'
> {
  const body = Buffer.from(event.payload);
  const message = { id: event.id, timestamp: Math.floor(startedAt / 1000), payload: body };
  const headers = deliveryHeaders(message, endpoint.secret, endpoint.headers);
  return {
    deliveryId: delivery.id,
    eventId: event.id,
    endpointId: endpoint.id,
    secret: endpoint.secret,
    request: { url: endpoint.url, headers, body },
    startedAt,
  };
}
