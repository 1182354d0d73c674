import {
  knownOptions,
  positiveInteger,
  requireReceiver,
  requireString,
} from '../argument-checks.ts';
import { realClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { RunEvent } from '../generated/run-events.ts';
import type { SecretEncoding } from '../verify/secrets.ts';
import { outcomeOf, retryDelay, shuffled } from './delivery-rules.ts';
import type { DeliveryOutcome } from './delivery-rules.ts';
import { httpTarget, receiverTarget } from './delivery-target.ts';
import type { ReceivingEnd, TargetResponse } from './delivery-target.ts';
import { platformSigner } from './signers.ts';
import type { Signer } from './signers.ts';
import type { VirtualClock } from './virtual-clock.ts';

interface SenderSettings {
  /**
   * Signs with its time and waits between attempts. A virtual clock is advanced. Default: the clock
   * of the machine.
   */
  readonly clock?: Clock | VirtualClock;
  /** How often an event is sent, the first time included. Default: 5. */
  readonly maxAttempts?: number;
}

/** Where to send: directly to a receiver, one of its sources or an ingress, or to a URL. */
export type SendingTarget =
  | {
      /** The receiver, source or ingress that gets the deliveries. */
      readonly receiver: ReceivingEnd;
    }
  | {
      /** The URL to which they are sent with `fetch`. */
      readonly url: string;
    };

/** A sender that signs as the platform does. */
export type TestSenderOptions = SenderSettings &
  SendingTarget & {
    /** The endpoint secret with its prefix `whsec_`. */
    readonly secret: string;
    /** How the key is made from the secret. Default: `utf8`. */
    readonly secretEncoding?: SecretEncoding;
  };

/** A sender that signs as another one does. */
export type SigningSenderOptions<Event> = SenderSettings &
  SendingTarget & {
    /** How it signs, such as `stripeSigner({ secret })`. */
    readonly signer: Signer<Event>;
  };

/** How to sign an attempt that is not correct. */
export interface FaultyAttempt {
  /** Default: the secret of the sender. */
  readonly secret?: string;
  /** Added to the time of signing; -301 is too old. Default: 0. */
  readonly timestampOffsetSeconds?: number;
}

export interface SendOptions {
  /** How often each event is delivered. Default: 1. */
  readonly copies?: number;
  /**
   * Delivers in a random order that follows from this number. Default: in the order of the events.
   */
  readonly shuffleSeed?: number;
  /**
   * What is wrong with the first attempt of each delivery. Further attempts are correct. Default:
   * nothing.
   */
  readonly firstAttempt?: FaultyAttempt;
}

/** What became of one delivery of one event. */
export interface SentDelivery {
  /** The id of the event that was delivered. */
  readonly eventId: string;
  /**
   * `delivered`: by a 2xx. `refused`: by a response that ends the delivery, or by none when its
   * sender sends nothing again. `exhausted`: after `maxAttempts`.
   */
  readonly outcome: DeliveryOutcome;
  /** The response to each attempt, oldest first. */
  readonly attempts: readonly TargetResponse[];
}

/** Sends events as the platform or another sender does. */
export interface TestSender<Event = RunEvent> {
  /**
   * Delivers events, one attempt at a time, and resolves when every delivery has ended. While one
   * waits for its next attempt, others are sent.
   */
  send(events: readonly Event[], options?: SendOptions): Promise<readonly SentDelivery[]>;
}

const SIGNER_OPTIONS = ['receiver', 'url', 'signer', 'clock', 'maxAttempts'];
const OPTIONS = ['receiver', 'url', 'secret', 'secretEncoding', 'clock', 'maxAttempts'];
const SEND_OPTIONS: readonly (keyof SendOptions)[] = ['copies', 'shuffleSeed', 'firstAttempt'];

// Requirements: delivery.success, delivery.retry.5xx, delivery.retry.425, delivery.retry-after,
// delivery.retry.signed-afresh, delivery.end.other-4xx.
/**
 * Creates a sender that signs events and delivers them with the rules of the contract: a 2xx ends a
 * delivery; no response, 408, 425, 429 and 5xx are tried again with a new signature; any other
 * response ends it. It waits 1, 2, 4 seconds and so on, or longer when `Retry-After` says so. With
 * a `signer` it signs and repeats as that sender does; the waits are the same.
 *
 * @throws {TypeError} When an option is invalid or unknown; the message names the option.
 * @example
 * ```ts
 * import { createReceiver } from '@hookproof/receiver';
 * import { memoryStore } from '@hookproof/receiver/memory';
 * import { runTimeline, testSender, virtualClock } from '@hookproof/receiver/testing';
 *
 * const secret = 'whsec_c2VjcmV0';
 * const clock = virtualClock();
 * const receiver = createReceiver({ secrets: secret, store: memoryStore(), handlers: {}, clock });
 * await receiver.start();
 *
 * const sender = testSender({ receiver, secret, clock });
 * const events = runTimeline(['pending', 'running', 'completed']);
 * const sent = await sender.send(events, { copies: 2, shuffleSeed: 7 });
 * console.log(sent.every(({ outcome }) => outcome === 'delivered')); // true
 * ```
 */
export function testSender(options: TestSenderOptions): TestSender;
export function testSender<Event>(options: SigningSenderOptions<Event>): TestSender<Event>;
export function testSender<Event>(
  options: TestSenderOptions | SigningSenderOptions<Event>,
): TestSender | TestSender<Event> {
  if (typeof options === 'object' && options !== null && 'signer' in options) {
    knownOptions(options, SIGNER_OPTIONS);
    return senderOf(options.signer, options);
  }
  knownOptions(options, OPTIONS);
  const { secret, secretEncoding } = options;
  requireString('secret', secret, 'Pass the secret of the receiver.');
  const encoding = secretEncoding === undefined ? {} : { secretEncoding };
  return senderOf(platformSigner({ secret, ...encoding }), options);
}

function senderOf<Event>(
  signer: Signer<Event>,
  options: SenderSettings & SendingTarget,
): TestSender<Event> {
  const { clock = realClock() } = options;
  const maxAttempts = positiveInteger('maxAttempts', options.maxAttempts, 5);
  if (typeof signer?.sign !== 'function') {
    throw new TypeError('signer must be a signer, such as stripeSigner({ secret }).');
  }
  if ('receiver' in options) requireReceiver(options.receiver);
  const target = 'url' in options ? httpTarget(options.url) : receiverTarget(options.receiver);
  const attempt = (event: Event, fault: FaultyAttempt): Promise<TargetResponse> => {
    const offset = (fault.timestampOffsetSeconds ?? 0) * 1000;
    return target(signer.sign(event, clock.now() + offset, fault.secret));
  };
  return {
    async send(events, how = {}) {
      if (!Array.isArray(events)) {
        throw new TypeError(
          `events must be a list such as runTimeline(['pending', 'running']), got ${typeof events}.`,
        );
      }
      knownOptions(how, SEND_OPTIONS);
      const { copies, shuffleSeed, firstAttempt = {} } = how;
      const times = positiveInteger('copies', copies, 1);
      const all = events.flatMap((event: Event) =>
        Array.from({ length: times }, () => new Delivery(event, signer.retries, clock.now())),
      );
      const deliveries = shuffleSeed === undefined ? all : shuffled(all, shuffleSeed);
      for (let next = nextOf(deliveries); next !== null; next = nextOf(deliveries)) {
        await waitUntil(next.dueAt, clock);
        const fault = next.attempts.length === 0 ? firstAttempt : {};
        next.record(await attempt(next.event, fault), clock.now(), maxAttempts);
      }
      return deliveries.map(({ event, outcome, attempts }) => ({
        eventId: signer.idOf(event),
        outcome: outcome ?? 'exhausted',
        attempts,
      }));
    },
  };
}

class Delivery<Event> {
  readonly event: Event;
  readonly attempts: TargetResponse[] = [];
  /** `null` while it is not ended. */
  outcome: DeliveryOutcome | null = null;
  dueAt: number;
  readonly #retries: Signer<Event>['retries'];

  constructor(event: Event, retries: Signer<Event>['retries'], dueAt: number) {
    this.event = event;
    this.#retries = retries;
    this.dueAt = dueAt;
  }

  record(response: TargetResponse, now: number, maxAttempts: number): void {
    this.attempts.push(response);
    const isLast = this.attempts.length >= maxAttempts;
    this.outcome = outcomeOf(response, this.#retries) ?? (isLast ? 'exhausted' : null);
    this.dueAt = now + retryDelay(this.attempts.length, response);
  }
}

/** Returns the delivery that is due first; `null` when all have ended. */
function nextOf<Event>(deliveries: readonly Delivery<Event>[]): Delivery<Event> | null {
  const open = deliveries.filter(({ outcome }) => outcome === null);
  const [first] = open.toSorted((left, right) => left.dueAt - right.dueAt);
  return first ?? null;
}

async function waitUntil(time: number, clock: Clock | VirtualClock): Promise<void> {
  const wait = time - clock.now();
  if (wait <= 0) return;
  if ('advance' in clock) return clock.advance(wait);
  await new Promise<void>((resolve) => {
    clock.setTimeout(resolve, wait);
  });
}
