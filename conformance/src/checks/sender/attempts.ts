import type { ListenerResponse } from '../../listener/delivery.ts';
import type { Arrivals } from './arrivals.ts';
import { byEvent, isChange, isCreated } from './arrivals.ts';
import { isRetried } from '../../driver/responses.ts';
import { isSuccess } from '../../http/message.ts';

/** Fewer attempts can be a delivery with its duplicate, or one whose response was lost on the way. */
const MIN_ATTEMPTS = 3;

/** How a response appears in a report: `503`, `a reset`, `429 with Retry-After`, `200 with a body`. */
export function nameOf(response: ListenerResponse): string {
  if (typeof response === 'string') return response === 'reset' ? 'a reset' : 'no response';
  const { status, headers = {}, body } = response;
  const more = [
    ...('retry-after' in headers ? ['Retry-After'] : []),
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

/** How often the events of a scene arrived, by the responses that they got. */
export class AttemptCounts {
  readonly #events: readonly Arrivals[];

  constructor(arrivals: Arrivals) {
    this.#events = [...byEvent(arrivals).values()];
  }

  /** The arrivals of an event that needs no retry: more than 1 when the sender sends duplicates. */
  get usual(): number {
    const counts = this.#ending();
    return counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 1;
  }

  /** The arrivals of the event that was retried most. */
  get most(): number {
    const retried = this.#events.filter(
      ([first]) => first !== undefined && isRetried(first.response),
    );
    return Math.max(0, ...retried.map(({ length }) => length));
  }

  /** Whether an event that arrived like this was retried, and not only duplicated: a duplicate is not signed again. */
  isAgain(event: Arrivals): boolean {
    return event.length >= MIN_ATTEMPTS || event.length > this.usual || signingsOf(event) > 1;
  }

  /** Whether every event that needs no retry arrived at least three times, one of them exactly: retries and duplicates look the same. */
  get isAmbiguous(): boolean {
    return this.#fewest === MIN_ATTEMPTS;
  }

  /** The arrivals of each event whose first response has this name. */
  of(name: string): readonly Arrivals[] {
    return this.#events.filter(([first]) => first !== undefined && nameOf(first.response) === name);
  }

  /**
   * Whether events whose first response has this name, all of them or those of one type, arrived again because of it: as often as retried ones, or all of at least
   * two while no other event with an ending response did. Duplicates alone never suffice: where every event arrives
   * three times, three arrivals say nothing, and where others arrive twice, one more duplicate does not. Nor do duplicates of
   * an attempt whose response was lost and of the one after it, which have two times of signing.
   */
  continuesAfter(name: string): boolean {
    const all = this.of(name);
    const created = all.filter(([first]) => first !== undefined && isCreated(first));
    const changed = all.filter(([first]) => first !== undefined && isChange(first));
    return [all, created, changed].some((own) => this.#continue(own, name));
  }

  #continue(own: readonly Arrivals[], name: string): boolean {
    const least = Math.min(...own.map(({ length }) => length));
    if (own.length === 0 || least < 2) return false;
    const enough = this.#fewest < MIN_ATTEMPTS ? MIN_ATTEMPTS : MIN_ATTEMPTS + 1;
    const isSignedOften = own.every((event) => signingsOf(event) >= MIN_ATTEMPTS);
    if (least >= enough && least >= this.most - 1 && isSignedOften) return true;
    const others = this.#ending(name);
    const usual = Math.max(...others);
    return own.length > 1 && others.length > 1 && least > (usual > 1 ? usual + 1 : usual);
  }

  get #fewest(): number {
    return Math.min(...this.#ending());
  }

  /** How often each event arrived whose first response ends delivery, without those of one name. */
  #ending(except?: string): readonly number[] {
    return this.#events.flatMap(([first, ...others]) =>
      first !== undefined && isEnding(first.response) && nameOf(first.response) !== except
        ? [1 + others.length]
        : [],
    );
  }
}

/** How many times of signing an event arrived with. */
function signingsOf(event: Arrivals): number {
  return new Set(event.map((one) => one.header('webhook-timestamp'))).size;
}
