import type { Clock, TimerHandle, TrackedHandle } from '../clock/clock.ts';
import type {
  DeliveryRecord,
  EventRecord,
  ManualRequest,
  WebhookEndpointRecord,
} from '../state/deliveries.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { pruneHistory } from '../store/prune-history.ts';
import { find } from '../store/records.ts';
import type { KeyedRandom } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import type { AttemptResult } from './attempt-result.ts';
import { deliveryHeaders } from './headers.ts';
import { post } from './post.ts';
import type { DeliveryRequest, OutgoingRequest, Posting } from './post.ts';
import type { RetryProfile } from './retry.ts';
import { settleAttempt } from './settle.ts';
import type { Targets } from './target/target.ts';

/** One deadline covers connecting, sending, headers and body. */
export const ATTEMPT_DEADLINE_MILLISECONDS = 10_000;

/** The input of an attempt. An interceptor may pass a changed copy. */
export interface AttemptOrder {
  readonly delivery: DeepReadonly<DeliveryRecord>;
  readonly event: DeepReadonly<EventRecord>;
  readonly endpoint: DeepReadonly<WebhookEndpointRecord>;
  /** The manual redelivery that the attempt serves; undefined for an automatic attempt. */
  readonly manualRequest: ManualRequest | undefined;
  /** Set for an attempt beside the regular one. It counts only when the endpoint accepts it. */
  readonly extra?: ExtraAttempt;
  /** The delivery fault to record with the attempt. Default none. */
  readonly fault?: string;
  /** Returns the request to send instead of the signed request. */
  readonly alter?: (request: DeliveryRequest, secret: string) => OutgoingRequest;
  /** Replaces the POST over the network. */
  readonly post?: () => Posting;
  /** Whether {@link Attempt.localPort} is needed. Default false. */
  readonly needsLocalPort?: boolean;
  /** Called when the attempt has ended, recorded or not, before the next attempt starts. */
  readonly onOver?: () => void;
}

export interface ExtraAttempt {
  /** The recorded `trigger`. */
  readonly trigger: string;
  /** The attempt that must be recorded before this one. */
  readonly after: Attempt;
}

export interface AttemptTools {
  readonly store: Store;
  readonly clock: Clock;
  /** The source of the jitter. */
  readonly random: KeyedRandom;
  readonly profile: RetryProfile;
  readonly targets: Targets;
  /** When true, no more attempts are recorded. */
  isClosed(): boolean;
  /** Called when the attempt cannot be recorded. */
  failed(delivery: DeepReadonly<DeliveryRecord>, error: unknown): void;
  /** Called when the attempt has ended, before {@link Attempt.done} resolves. */
  finished(attempt: Attempt): void;
}

/** One attempt: signs the request, posts it and records the result. The constructor starts it. */
export class Attempt implements TrackedHandle {
  readonly order: AttemptOrder;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The signed request, before an interceptor altered it. */
  readonly request: DeliveryRequest;
  /** Resolves to the number of the recorded attempt, or null if it was not recorded. */
  readonly recorded: Promise<number | null>;
  /** Resolves when the attempt is recorded and the next one has started. */
  readonly done: Promise<void>;
  readonly #tools: AttemptTools;
  readonly #posting: Posting;
  readonly #deadline: TimerHandle;
  readonly #webhookTimestamp: number;
  #reportNumber: (number: number | null) => void = () => {};
  #tracked: TrackedHandle | undefined;
  #localPort: number | undefined;
  #isOver = false;

  constructor(order: AttemptOrder, tools: AttemptTools) {
    const { delivery, endpoint, needsLocalPort = false } = order;
    const { clock, targets } = tools;
    this.order = order;
    this.#tools = tools;
    this.startedAt = clock.now();
    this.request = signedRequest(order, this.startedAt);
    const outgoing = order.alter?.(this.request, endpoint.secret) ?? this.request;
    this.#webhookTimestamp = outgoing.message.timestamp;
    this.recorded = new Promise((resolve) => (this.#reportNumber = resolve));
    const onPort = needsLocalPort ? (port?: number) => (this.#localPort = port) : undefined;
    this.#posting =
      order.post?.() ?? post(targets.of(endpoint.url), outgoing, { clock, attempt: this, onPort });
    this.#deadline = clock.setTimeout(() => {
      this.cutOff('timeout');
      return this.done;
    }, ATTEMPT_DEADLINE_MILLISECONDS);
    this.done = this.#finish();
    const isDoubtful = delivery.attempts.at(-1)?.error === 'timeout';
    this.#tracked = clock.track(this.done, { isDoubtful });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The local port of the connection; undefined until it is open. */
  localPort(): number | undefined {
    return this.#localPort;
  }

  /** Ends the attempt without a response and with this error. */
  cutOff(error: string): void {
    this.#posting.cutOff(error);
  }

  pause(): void {
    this.#tracked?.pause();
  }

  resume(): void {
    this.#tracked?.resume();
  }

  async #finish(): Promise<void> {
    const { order } = this;
    const tools = this.#tools;
    let number: number | null = null;
    try {
      const result = await this.#posting.result;
      const finishedAt = tools.clock.now();
      tools.clock.clearTimeout(this.#deadline);
      if (order.extra !== undefined) await this.#waitFor(order.extra.after);
      if (!tools.isClosed()) number = await this.#record(result, finishedAt);
    } catch (error) {
      tools.failed(order.delivery, error);
    }
    this.#reportNumber(number);
    this.#isOver = true;
    order.onOver?.();
    tools.finished(this);
  }

  /** The previous attempt may wait for the clock, so a virtual clock must not wait for this one. */
  async #waitFor(before: Attempt): Promise<void> {
    if (before.isOver) return;
    this.pause();
    await before.done;
    this.resume();
  }

  #record(result: AttemptResult, finishedAt: number): Promise<number | null> {
    const { delivery: sent, manualRequest, extra, fault = null } = this.order;
    const { store, profile, random } = this.#tools;
    const { startedAt } = this;
    const webhookTimestamp = result.isSent ? this.#webhookTimestamp : null;
    return store.commit((state) => {
      // An extra attempt may end after its delivery was settled and pruned.
      const delivery = find(state.deliveries, sent.id);
      if (delivery === undefined) return null;
      const number = settleAttempt(
        delivery,
        { manualRequest, extra, fault, webhookTimestamp, startedAt, finishedAt, result },
        profile,
        random,
      );
      if (delivery.status !== 'pending') pruneHistory(state);
      return number;
    });
  }
}

function signedRequest(order: AttemptOrder, now: number): DeliveryRequest {
  const { event, endpoint } = order;
  const body = Buffer.from(event.payload);
  const message = { id: event.id, timestamp: Math.floor(now / 1000), payload: body };
  return { message, headers: deliveryHeaders(message, endpoint.secret, endpoint.headers), body };
}
