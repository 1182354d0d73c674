import { afflict } from '../../lab/delivery-faults/alter-request.ts';
import type { Departure } from '../../lab/delivery-faults/alter-request.ts';
import type { Affliction } from '../../lab/delivery-faults/delivery-fault.ts';
import type { Clock, TrackedHandle } from '../clock/clock.ts';
import type {
  DeliveryRecord,
  EventRecord,
  ManualRequest,
  WebhookEndpointRecord,
} from '../state/deliveries.ts';
import { pruneHistory } from '../store/prune-history.ts';
import { find } from '../store/records.ts';
import type { KeyedRandom } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import { isUnsent } from './attempt-result.ts';
import type { AttemptResult } from './attempt-result.ts';
import { deliveryHeaders } from './headers.ts';
import { dropped, post } from './post.ts';
import type { PostObserver } from './posted.ts';
import type { RetryProfile } from './retry.ts';
import { settleAttempt } from './settle.ts';
import type { Targets } from './target/target.ts';

/** One deadline over connecting, sending, headers and body. */
export const ATTEMPT_DEADLINE_MILLISECONDS = 10_000;

/** An attempt that is to be made now. */
export interface AttemptOrder {
  readonly delivery: DeliveryRecord;
  readonly event: EventRecord;
  readonly endpoint: WebhookEndpointRecord;
  /** The request that it answers; undefined for one that nobody asked for. */
  readonly request: ManualRequest | undefined;
  /** What befalls it on the way. */
  readonly pathology: Affliction | null;
  /** What it is a copy of, and is recorded after. */
  readonly original: AttemptUnderWay | undefined;
  /** What goes on when it is over, within its {@link AttemptUnderWay.done}. */
  finished(): void;
}

export interface AttemptOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: KeyedRandom;
  readonly profile: RetryProfile;
  readonly targets: Targets;
  readonly observer?: PostObserver;
  /** Once it says so, nothing is recorded any more. */
  isClosed(): boolean;
  /** Told of an attempt that cannot be recorded. */
  failed(delivery: DeliveryRecord, error: unknown): void;
}

export interface AttemptUnderWay {
  /** Ends it without an answer and with this error. */
  cutOff(error: string): void;
  /** Resolves when it is recorded and what follows has begun. */
  readonly done: Promise<void>;
  isOver(): boolean;
}

/** Makes one attempt: signs it, lets its pathology befall it, posts it and records what came of it. */
export function makeAttempt(order: AttemptOrder, options: AttemptOptions): AttemptUnderWay {
  const { delivery, event, endpoint, request, pathology, original } = order;
  const { clock, observer } = options;
  const startedAt = clock.now();
  const payload = Buffer.from(event.payload);
  const message = { id: event.id, timestamp: Math.floor(startedAt / 1000), payload };
  const headers = deliveryHeaders(message, endpoint.secret, endpoint.headers);
  const honest: Departure = { message, headers, body: payload, pace: { kind: 'whole' } };
  const departure = pathology === null ? honest : afflict(honest, endpoint.secret, pathology);

  let tracked: TrackedHandle | undefined;
  const attempt: TrackedHandle = {
    pause: () => tracked?.pause(),
    resume: () => tracked?.resume(),
  };
  const isWatched = observer?.watches(endpoint.url) === true;
  let tellRecorded: ((number: number | null) => void) | undefined;
  let localPort: number | undefined;
  if (isWatched) {
    observer.posted({
      deliveryId: delivery.id,
      eventId: event.id,
      endpointId: endpoint.id,
      startedAt,
      request: { url: endpoint.url, headers, body: payload },
      pathology: pathology?.name ?? null,
      localPort: () => localPort,
      recorded: new Promise((resolve) => (tellRecorded = resolve)),
      held: () => attempt.pause(),
      released: () => attempt.resume(),
    });
  }
  const posting =
    pathology?.name === 'drop-then-redeliver'
      ? dropped()
      : post(options.targets.of(endpoint.url), departure, {
          clock,
          attempt,
          ...(isWatched ? { onPort: (port) => (localPort = port) } : {}),
        });
  const deadline = clock.setTimeout(() => {
    posting.cutOff('timeout');
    return done;
  }, ATTEMPT_DEADLINE_MILLISECONDS);
  let over = false;
  const done = finish();
  tracked = clock.track(done, { isDoubtful: delivery.attempts.at(-1)?.error === 'timeout' });
  return { cutOff: (error) => posting.cutOff(error), done, isOver: () => over };

  async function finish(): Promise<void> {
    let number: number | null = null;
    try {
      const result = await posting.result;
      const finishedAt = clock.now();
      clock.clearTimeout(deadline);
      if (original !== undefined) await comeAfter(original);
      if (!options.isClosed()) number = await record(result, finishedAt);
    } catch (error) {
      options.failed(delivery, error);
    }
    tellRecorded?.(number);
    over = true;
    order.finished();
  }

  /** The answer to the original may be held until a time of the clock. */
  async function comeAfter(before: AttemptUnderWay): Promise<void> {
    if (before.isOver()) return;
    attempt.pause();
    await before.done;
    attempt.resume();
  }

  function record(result: AttemptResult, finishedAt: number): Promise<number | null> {
    return options.store.commit((state) => {
      // Of a delivery that was settled before, a copy may come back when it is forgotten.
      if (find(state.deliveries, delivery.id) === undefined) return null;
      const number = settleAttempt(
        delivery,
        {
          request,
          isCopy: original !== undefined,
          pathology: pathology?.name ?? null,
          webhookTimestamp: isUnsent(result) ? null : departure.message.timestamp,
          startedAt,
          finishedAt,
          result,
        },
        options.profile,
        options.random,
      );
      if (delivery.status !== 'pending') pruneHistory(state);
      return number;
    });
  }
}
