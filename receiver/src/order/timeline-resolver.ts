import { classifyArrival } from './classify-arrival.ts';
import { compareEntries, entryOf } from './entry.ts';
import type { Entry } from './entry.ts';
import { kindOf } from './order-key.ts';
import { resolveTimeline } from './resolve-timeline.ts';
import type { RunEdge } from './run-edge.ts';
import { isBeforeEnd } from './run-end.ts';
import { NO_EVENTS, orderOf, surroundingsOf, takeIn } from './run-order.ts';
import type { AcceptedEdge, RunOrder, Surroundings, TakenIn } from './run-order.ts';
import type { Arrival, Timeline } from './timeline.ts';
import type { Moves } from './window.ts';

/** The history of one run, to which its events are added one by one. */
export interface TimelineResolver {
  /**
   * Adds an event and returns how it relates to those that were added before. An id that was added
   * before changes nothing and has the same arrival again. The cost is that of the events around it, however many were
   * added: it orders them without it and with it. A creation older than another one, an end before another one, and
   * each event of a run that has two ends less than 250 ms apart cost as much as all events once.
   *
   * @throws {TypeError} When `createdAt` is not an RFC 3339 time. The history is then unchanged.
   */
  add(edge: RunEdge): Arrival;
  /** Returns the history of all added events, as `resolveTimeline` does. */
  timeline(): Timeline;
}

/**
 * Returns a resolver without events.
 *
 * Requirements: `receiver.order.not-by-arrival`, `webhook-event.status-changed.chain`.
 *
 * @example
 * ```ts
 * import { createTimelineResolver, edgeOf } from '@hookproof/receiver/order';
 * import { runTimeline } from '@hookproof/receiver/testing';
 *
 * const resolver = createTimelineResolver();
 * for (const event of runTimeline(['pending', 'running', 'completed'])) {
 *   console.log(resolver.add(edgeOf(event))); // applied
 * }
 * console.log(resolver.timeline().status); // completed
 * ```
 */
export function createTimelineResolver(): TimelineResolver {
  return new GrowingTimeline();
}

/** How many moves on each side of an event are looked at first. */
const FIRST_LIMIT = 8;

class GrowingTimeline implements TimelineResolver {
  readonly #arrivals = new Map<string, Arrival>();
  readonly #events: AcceptedEdge[] = [];
  /** By time. */
  readonly #moves: Entry[] = [];
  #order: RunOrder = NO_EVENTS;

  add(edge: RunEdge): Arrival {
    const known = this.#arrivals.get(edge.id);
    if (known !== undefined) return known;
    const entry = entryOf(edge);
    const event = { edge, position: this.#events.length + 1 };
    const { order, arrival } = this.#takenIn(event, entry);
    this.#order = order;
    this.#arrivals.set(edge.id, arrival);
    this.#events.push(event);
    if (kindOf(edge) === 'move') this.#moves.splice(this.#placeOf(entry), 0, entry);
    return arrival;
  }

  timeline(): Timeline {
    return resolveTimeline(this.#edges());
  }

  #edges(): readonly RunEdge[] {
    return this.#events.map(({ edge }) => edge);
  }

  /** Looks at ever more moves around an event. */
  #takenIn(event: AcceptedEdge, entry: Entry): TakenIn {
    const surroundings = surroundingsOf(this.#order, event);
    if (surroundings === 'all') {
      return {
        order: orderOf([...this.#events, event]),
        arrival: classifyArrival(this.#edges(), event.edge),
      };
    }
    for (let limit = FIRST_LIMIT; ; limit *= 2) {
      const taken = takeIn(this.#order, event, this.#around(entry, surroundings, limit));
      if (taken !== null) return taken;
    }
  }

  #around(entry: Entry, surroundings: Surroundings, limit: number): Moves {
    const { end } = this.#order;
    const lastEntry = end && entryOf(end.edge);
    const count = this.#countWhere((move) => lastEntry === null || isBeforeEnd(move, lastEntry));
    const places = { first: 0, last: count, move: this.#placeOf(entry), none: 0, all: 0 };
    const from = Math.max(places[surroundings] - limit, 0);
    const to = Math.min(places[surroundings] + limit, count);
    return {
      edges: this.#moves.slice(from, to).map(({ edge }) => edge),
      hasMoreBefore: from > 0,
      hasMoreAfter: to < count,
    };
  }

  #placeOf(entry: Entry): number {
    return this.#countWhere((move) => compareEntries(move, entry) < 0);
  }

  /** Returns how many moves at the start have a property that no later one has. */
  #countWhere(has: (move: Entry) => boolean): number {
    let [low, high] = [0, this.#moves.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const move = this.#moves[middle];
      if (move !== undefined && has(move)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
