import type { Delivery } from '../../clients/control-client.ts';
import type { ListenerResponse, ReceivedDelivery } from '../../listener/delivery.ts';
import type { Arrivals } from './arrivals.ts';
import { byEvent, isChange, isCreated } from './arrivals.ts';
import { isRetried } from '../../driver/responses.ts';
import { isSuccess } from '../../http/message.ts';

/** How a response appears in a report: `503`, `a reset`, `429 with Retry-After`, `429 with Retry-After: soon`, `200 with a body`. */
export function nameOf(response: ListenerResponse): string {
  if (typeof response === 'string') return response === 'reset' ? 'a reset' : 'no response';
  const { status, headers = {}, body } = response;
  const { 'retry-after': wait } = headers;
  const more = [
    ...(wait === undefined ? [] : [/^\d+$/.test(wait) ? 'Retry-After' : `Retry-After: ${wait}`]),
    ...(body === undefined ? [] : ['a body']),
  ];
  return [String(status), ...(more.length === 0 ? [] : [`with ${more.join(' and ')}`])].join(' ');
}

/** Whether a response ends automatic delivery. */
function isEnding(response: ListenerResponse): boolean {
  if (typeof response === 'string' || isRetried(response)) return false;
  const { status } = response;
  return isSuccess(response) || (status >= 400 && status <= 499);
}

/**
 * Whether a sender that retries after every response would have shown it by now: each event that needs no retry is as old
 * as the slowest retried event was when it arrived for this number of times. Delays differ from event to event.
 */
export function isOldEnough(arrivals: Arrivals, attempts: number, now: number): boolean {
  const events = [...byEvent(arrivals).values()].flatMap((each) => {
    const [first] = each;
    const nth = each[attempts - 1];
    if (first === undefined) return [];
    const slow =
      isRetried(first.response) && nth !== undefined ? nth.arrivedAt - first.arrivedAt : 0;
    return [{ first, slow }];
  });
  const slowest = Math.max(0, ...events.map(({ slow }) => slow));
  return events.every(({ first }) => isRetried(first.response) || now - first.arrivedAt >= slowest);
}

/** How long each retried event took to come again, in milliseconds. Duplicates of its first attempt do not count. */
export function retryDelays(arrivals: Arrivals): readonly number[] {
  const counts = new AttemptCounts(arrivals);
  return [...byEvent(arrivals).values()].flatMap((attempts) => {
    const [first] = attempts;
    const again = attempts[counts.usual];
    if (first === undefined || again === undefined) return [];
    if (!isRetried(first.response) || !counts.isAgain(attempts)) return [];
    return [again.arrivedAt - first.arrivedAt];
  });
}

/**
 * How often the events of a scene arrived, by the responses that they got. An event may arrive more often than it was
 * retried: deliveries are at least once, so that a sender may send duplicates, and a lost response is retried.
 */
export class AttemptCounts {
  readonly #events: readonly Arrivals[];
  /** The events whose first response ends delivery. */
  readonly #ending: readonly Arrivals[];
  readonly #records: ReadonlyMap<unknown, Delivery['attempts']>;
  /** The arrivals of an event that needs no retry: more than 1 when the sender sends duplicates. */
  readonly usual: number;

  /** @param records - the sender's own records of its attempts; null without a control interface */
  constructor(arrivals: Arrivals, records: readonly Delivery[] | null = null) {
    this.#events = [...byEvent(arrivals).values()];
    this.#records = new Map(records?.map(({ eventId, attempts }) => [eventId, attempts]));
    this.#ending = this.#events.filter(
      ([first]) => first !== undefined && isEnding(first.response),
    );
    const counts = this.#ending.map(({ length }) => length).toSorted((a, b) => a - b);
    this.usual = counts[Math.floor(counts.length / 2)] ?? 1;
  }

  /** The arrivals of the event that was retried most. */
  get most(): number {
    const retried = this.#events.filter(
      ([first]) => first !== undefined && isRetried(first.response),
    );
    return Math.max(0, ...retried.map(({ length }) => length));
  }

  /**
   * Whether an event that arrived like this was retried, and not only duplicated: a duplicate is not signed again. One
   * that was accepted at last, be it as a duplicate, needs no retry.
   */
  isAgain(event: Arrivals): boolean {
    const last = event.at(-1);
    const isAccepted = last !== undefined && !isRetried(last.response);
    return isAccepted || event.length > this.usual || signingsOf(event) > 1;
  }

  /** The arrivals of each event whose first response has this name. */
  of(name: string): readonly Arrivals[] {
    return this.#events.filter(([first]) => first !== undefined && nameOf(first.response) === name);
  }

  /** Whether delivery went on after an ending response with this name: of all its events, or of all of one type. */
  continuesAfter(name: string): boolean {
    const all = this.of(name);
    const created = all.filter(([first]) => first !== undefined && isCreated(first));
    const changed = all.filter(([first]) => first !== undefined && isChange(first));
    const own = new Set(all);
    const others = this.#ending.filter((event) => !own.has(event));
    return [all, created, changed].some(
      (some) => some.length > 0 && (this.#isRetriedToTheEnd(some) || areRepeated(some, others)),
    );
  }

  /** As often as what was retried most, and by the sender itself: duplicates of one attempt are none. */
  #isRetriedToTheEnd(events: readonly Arrivals[]): boolean {
    const { most } = this;
    return events.every((event) => event.length >= most - 1 && this.#retriesOf(event) >= 2);
  }

  /**
   * How often an event was sent again, as far as that is certain. The sender's records tell an attempt after a response
   * from one after a lost response. Without them it is the times of signing, which are whole seconds.
   */
  #retriesOf(event: Arrivals): number {
    const signings = signingsOf(event);
    const attempts = this.#records.get(event[0]?.event['id']) ?? [];
    if (attempts.length < signings) return signings - 1;
    return attempts.slice(0, -1).filter(({ error = null }) => error === null).length;
  }
}

/** Whether several events each arrived more often than any of several others; where these come twice, by two at least. */
function areRepeated(events: readonly Arrivals[], others: readonly Arrivals[]): boolean {
  const least = Math.min(...events.map(({ length }) => length));
  const usual = Math.max(...others.map(({ length }) => length));
  return events.length > 1 && others.length > 1 && least > (usual > 1 ? usual + 1 : usual);
}

/** The attempts of an event that its sender lists; none without a control interface. */
export function recordedAttempts(
  records: readonly Delivery[] | null,
  delivery: ReceivedDelivery | undefined,
): Delivery['attempts'] {
  const id = delivery?.event['id'];
  return records?.find(({ eventId }) => eventId === id)?.attempts ?? [];
}

/** How many times of signing an event arrived with. */
function signingsOf(event: Arrivals): number {
  return new Set(event.map((one) => one.header('webhook-timestamp'))).size;
}
