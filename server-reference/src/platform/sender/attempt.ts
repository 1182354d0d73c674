import type { Clock, TimerHandle, TrackedHandle } from '../clock/clock.ts';
import type {
  DeliveryRecord,
  EventRecord,
  ManualRequest,
  WebhookEndpointRecord,
} from '../state/deliveries.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { pruneHistory } from '../store/prune-history.ts';
import type { KeyedRandom } from '../store/seed.ts';
import type { CommitRetry } from '../store/commit-retry.ts';
import type { AttemptResult } from './attempt-result.ts';
import { deliveryHeaders } from './headers.ts';
import { postAround } from './around-delivery.ts';
import type { AroundDelivery } from './around-delivery.ts';
import { post } from './post.ts';
import type { DeliveryRequest, OutgoingRequest, Posting } from './post.ts';
import type { RetryProfile } from './retry.ts';
import { recordBody, settleAttempt } from './settle.ts';
import type { SettledAttempt } from './settle.ts';
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
  /** Called in each commit that records the attempt: again if a commit is repeated. */
  readonly onRecord?: (number: number, result: AttemptResult) => void;
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
  readonly commits: CommitRetry;
  readonly clock: Clock;
  /** The source of the jitter. */
  readonly random: KeyedRandom;
  readonly profile: RetryProfile;
  readonly targets: Targets;
  readonly bodyOf: EventBody;
  /** Stands between the attempts and the network. */
  readonly aroundDelivery?: AroundDelivery | undefined;
  /** When true, no more attempts are recorded. */
  isClosed(): boolean;
  /** Called when the attempt cannot be recorded. */
  failed(delivery: DeepReadonly<DeliveryRecord>, error: unknown): void;
  /** Called when the attempt has ended, before {@link Attempt.done} resolves. */
  finished(attempt: Attempt): void;
}

/** Returns the bytes to send for an event. */
export type EventBody = (event: DeepReadonly<EventRecord>) => Buffer;

/** Successive attempts are often of one event, to its endpoints: they share its bytes. Do not change the bytes. */
export function shareBodies(): EventBody {
  let last: { readonly event: DeepReadonly<EventRecord>; readonly body: Buffer } | undefined;
  return (event) => {
    if (last?.event !== event) last = { event, body: Buffer.from(String(event.payload)) };
    return last.body;
  };
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
  readonly #outgoing: OutgoingRequest;
  readonly #posting: Posting;
  readonly #deadline: TimerHandle;
  /** By the steady time of the clock. */
  readonly #begunAt: number;
  readonly #webhookTimestamp: number;
  #reportNumber: (number: number | null) => void = () => {};
  #tracked: TrackedHandle | undefined;
  #localPort: number | undefined;
  #isOver = false;

  constructor(order: AttemptOrder, tools: AttemptTools) {
    const { endpoint, needsLocalPort = false } = order;
    const { clock, targets } = tools;
    this.order = order;
    this.#tools = tools;
    this.startedAt = clock.now();
    this.#begunAt = clock.steady();
    this.request = signedRequest(order, this.startedAt, tools.bodyOf);
    const outgoing = order.alter?.(this.request, endpoint.secret) ?? this.request;
    this.#outgoing = outgoing;
    this.#webhookTimestamp = outgoing.message.timestamp;
    this.recorded = new Promise((resolve) => (this.#reportNumber = resolve));
    const onPort = needsLocalPort ? (port?: number) => (this.#localPort = port) : undefined;
    const target = targets.of(endpoint.url);
    const options = { clock, attempt: this, onPort };
    this.#posting =
      order.post?.() ??
      (tools.aroundDelivery === undefined
        ? post(target, outgoing, options)
        : postAround(tools.aroundDelivery, target, { url: endpoint.url, outgoing }, options));
    this.#deadline = clock.setTimeout(() => {
      this.cutOff('timeout');
      return this.done;
    }, ATTEMPT_DEADLINE_MILLISECONDS);
    this.done = this.#finish();
    const group = target.kind === 'refused' ? undefined : target.origin;
    this.#tracked = clock.track(this.done, { group });
  }

  /** The request that an interceptor or `aroundDelivery` altered; otherwise the signed request. */
  get sent(): Pick<OutgoingRequest, 'headers' | 'body'> {
    return this.#posting.sent?.() ?? this.#outgoing;
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
      const time = this.#timeUntilNow();
      tools.clock.clearTimeout(this.#deadline);
      if (order.extra !== undefined) await this.#waitFor(order.extra.after);
      if (!tools.isClosed()) number = await this.#record(result, time);
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

  /** The start is not `this.startedAt`, which is after the end if the clock was set back meanwhile. */
  #timeUntilNow(): Pick<SettledAttempt, 'startedAt' | 'finishedAt'> {
    const { clock } = this.#tools;
    const finishedAt = clock.now();
    return { startedAt: finishedAt - (clock.steady() - this.#begunAt), finishedAt };
  }

  #record(
    result: AttemptResult,
    time: Pick<SettledAttempt, 'startedAt' | 'finishedAt'>,
  ): Promise<number | null> {
    const { delivery: sent, manualRequest, extra, fault = null, onRecord } = this.order;
    const { commits, profile, random } = this.#tools;
    const webhookTimestamp = result.isSent ? this.#webhookTimestamp : null;
    const attempt = { manualRequest, extra, fault, webhookTimestamp, ...time, result };
    return commits.commit((state) => {
      // An extra attempt may end after its delivery was settled and pruned.
      if (!state.deliveries.has(sent.id)) return null;
      const delivery = state.deliveries.edit(sent.id);
      const number = settleAttempt(
        delivery,
        { ...attempt, responseBody: recordBody(state, result.responseBody) },
        profile,
        random,
      );
      onRecord?.(number, result);
      if (delivery.status !== 'pending') pruneHistory(state);
      return number;
    }, this);
  }
}

function signedRequest(
  { event, endpoint }: AttemptOrder,
  now: number,
  bodyOf: EventBody,
): DeliveryRequest {
  const body = bodyOf(event);
  const message = { id: event.id, timestamp: Math.floor(now / 1000), payload: body };
  return { message, headers: deliveryHeaders(message, endpoint.secret, endpoint.headers), body };
}
