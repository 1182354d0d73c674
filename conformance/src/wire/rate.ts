import { setTimeout as delay } from 'node:timers/promises';

import { headerValue, membersOf, parseJson } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { Inconclusive, NoResponse } from '../verdict/findings.ts';
import { GatewayError, isLostConnection } from './transport.ts';

/** Monotonic clock for waits. Timestamps use the option `now` instead. */
export interface MonotonicClock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Rejects when `signal` aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The monotonic clock of the machine. */
export const monotonicClock: MonotonicClock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
};

/** Lets requests through one at a time, no faster than the agreed rate. */
export interface Pacer {
  /** Resolves when the next request may go. */
  turn(signal: AbortSignal): Promise<void>;
  /** Delays every turn, as the target requests with `Retry-After`. */
  pause(milliseconds: number): void;
}

/** `perSecond` null: no rate, only pauses. */
export function createPacer(perSecond: number | null, clock: MonotonicClock): Pacer {
  const gap = perSecond === null ? 0 : 1000 / perSecond;
  let nextTurnAt = 0;
  let queue: Promise<void> = Promise.resolve();

  const wait = async (signal: AbortSignal): Promise<void> => {
    for (let due = nextTurnAt - clock.now(); due > 0; due = nextTurnAt - clock.now()) {
      await clock.sleep(due, signal);
    }
    nextTurnAt = clock.now() + gap;
  };

  return {
    turn(signal) {
      const mine = queue.then(() => wait(signal));
      queue = mine.catch(() => {});
      return mine;
    },
    pause(milliseconds) {
      nextTurnAt = Math.max(nextTurnAt, clock.now() + milliseconds);
    },
  };
}

/** Adds up the time during which at least one request was waiting. */
export class Stopwatch {
  readonly #clock: MonotonicClock;
  #total = 0;
  #active = 0;
  #since = 0;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  start(): void {
    if (this.#active === 0) this.#since = this.#clock.now();
    this.#active += 1;
  }

  stop(): void {
    this.#active -= 1;
    if (this.#active === 0) this.#total += this.#clock.now() - this.#since;
  }

  get milliseconds(): number {
    return this.#active === 0 ? this.#total : this.#total + this.#clock.now() - this.#since;
  }
}

const MAX_ATTEMPTS = 8;
const MAX_LOST_CONNECTIONS = 3;
/** Of a request that gets an error without `Retry-After`, as from a gateway whose target is down. */
const MAX_UNASKED_ATTEMPTS = 4;
const MAX_WAIT_MILLISECONDS = 20_000;
const MAX_TOTAL_WAIT_MILLISECONDS = 40_000;
const DEFAULT_WAIT_MILLISECONDS = 250;

/** A request that is sent again. */
export interface Repeat {
  /** Whether on a new connection. */
  readonly fresh: boolean;
}

/** How a request is sent and repeated. */
export interface Through {
  /** Null: for the first time. */
  readonly send: (repeat: Repeat | null) => Promise<Incoming>;
  readonly pause: (milliseconds: number) => void;
  readonly now: () => number;
  /** Whether the request may have its effect twice. Then it is repeated after a lost connection. Default: GET and HEAD. */
  readonly isRepeatable?: boolean;
}

/**
 * Sends a request; after 429 or 503 waits as `Retry-After` asks and sends it again, and after a lost connection sends it
 * again on a new one. After an error of a gateway, it sends the request again only if that is repeatable: the target may
 * have processed it. Throws `Inconclusive` at its bounds, `GatewayError`, and `NoResponse`.
 */
export async function sendWithRetries(
  { method, url }: Outgoing,
  through: Through,
): Promise<Incoming> {
  const { pause, now, isRepeatable = method === 'GET' || method === 'HEAD' } = through;
  const send = isRepeatable
    ? (repeat: Repeat | null) => sendUntilReceived(through.send, repeat)
    : through.send;
  let waited = 0;
  for (let attempt = 1; ; attempt += 1) {
    const incoming = await send(attempt === 1 ? null : { fresh: false });
    const isGateway = isOfGateway(incoming);
    if (isGateway && !isRepeatable) {
      throw new GatewayError(
        `${method} ${url} got ${incoming.status} from a gateway: the API may have processed the request or not.`,
      );
    }
    if (!isGateway && incoming.status !== 429 && incoming.status !== 503) return incoming;
    const header = headerValue(incoming.headers, 'retry-after');
    const wait = retryAfterMilliseconds(header, now(), attempt);
    waited += wait;
    const isOver = wait > MAX_WAIT_MILLISECONDS || waited > MAX_TOTAL_WAIT_MILLISECONDS;
    const isAsked = header !== undefined || incoming.status === 429;
    if (isOver || attempt === (isAsked ? MAX_ATTEMPTS : MAX_UNASKED_ATTEMPTS)) {
      throw new Inconclusive(
        `${method} ${url} still got ${incoming.status} on attempt ${attempt}, with Retry-After ${header ?? 'missing'}.`,
      );
    }
    pause(wait);
  }
}

/** Whether a gateway responded, not the API: 502 or 504 without an error envelope. With 503, nobody processed the request. */
function isOfGateway({ status, bytes }: Incoming): boolean {
  if (status !== 502 && status !== 504) return false;
  return !Array.isArray(membersOf(parseJson(Buffer.from(bytes).toString('utf8')))['issues']);
}

/** Repeats a request whose connection was lost, on new connections. */
export async function sendUntilReceived(
  send: Through['send'],
  first: Repeat | null = null,
): Promise<Incoming> {
  for (let lost = 0; ; lost += 1) {
    try {
      return await send(lost === 0 ? first : { fresh: true });
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      // Its own kind of error: what was repeated here is not repeated again with its check.
      if (lost === MAX_LOST_CONNECTIONS)
        throw new NoResponse(`${error.message}, also on ${lost} new connections`, { cause: error });
    }
  }
}

/**
 * The wait that a `Retry-After` header asks for: seconds or an HTTP date. When it is missing or malformed, a quarter of
 * a second, doubled with each attempt.
 */
export function retryAfterMilliseconds(
  header: string | undefined,
  now: number,
  attempt: number = 1,
): number {
  if (header !== undefined && /^[0-9]{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = header === undefined ? Number.NaN : Date.parse(header);
  const unasked = DEFAULT_WAIT_MILLISECONDS * 2 ** (attempt - 1);
  return Number.isNaN(date) ? unasked : Math.max(0, date - now);
}
