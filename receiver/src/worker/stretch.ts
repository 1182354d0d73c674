import { kindOf, orderPlace } from '../order/order-key.ts';
import type { RunEdge } from '../order/run-edge.ts';
import { isBeforeEnd } from '../order/run-end.ts';
import { entryOf } from '../order/entry.ts';
import type { Moves } from '../order/window.ts';
import type { EventState, KnownEvent } from '../stores/store.ts';

/** An event of a run that is in memory. */
export interface PlacedEvent {
  readonly edge: RunEdge;
  readonly position: number;
  /** Where it is among all events of its run; see `orderPlace`. */
  readonly place: string;
  state: EventState;
}

export function placed({ edge, position, state }: KnownEvent): PlacedEvent {
  return { edge, position, state, place: orderPlace(edge, position) };
}

/** Adds an event to others, which are sorted by place. */
export function insertByPlace(events: PlacedEvent[], event: PlacedEvent): void {
  let index = events.length;
  while (index > 0 && (events[index - 1]?.place ?? '') > event.place) index -= 1;
  if (events[index - 1]?.place !== event.place) events.splice(index, 0, event);
}

/** How many events a stretch keeps before or after the last one that came. */
const MAX_KEPT = 256;

/** Moves of a run that follow one another by place, without a hole between them. */
export class Stretch {
  readonly moves: PlacedEvent[];
  #hasMoreBefore: boolean;
  #hasMoreAfter: boolean;

  constructor(
    events: readonly PlacedEvent[],
    { hasMoreBefore, hasMoreAfter }: { hasMoreBefore: boolean; hasMoreAfter: boolean },
  ) {
    this.moves = events.filter(({ edge }) => kindOf(edge) === 'move');
    this.#hasMoreBefore = hasMoreBefore;
    this.#hasMoreAfter = hasMoreAfter;
  }

  /** Adds a new event, if its place is here. */
  add(event: PlacedEvent): void {
    if (kindOf(event.edge) !== 'move') return;
    const [first, last] = [this.moves[0], this.moves.at(-1)];
    if (this.#hasMoreBefore && (first === undefined || event.place < first.place)) return;
    if (this.#hasMoreAfter && (last === undefined || event.place > last.place)) return;
    insertByPlace(this.moves, event);
    if (this.moves.length <= 2 * MAX_KEPT) return;
    if (event.place > (this.moves[MAX_KEPT]?.place ?? '')) {
      this.moves.splice(0, MAX_KEPT);
      this.#hasMoreBefore = true;
    } else {
      this.moves.splice(-MAX_KEPT);
      this.#hasMoreAfter = true;
    }
  }

  /** Records what became of an event. */
  close(id: string, state: EventState): void {
    const event = this.moves.find(({ edge }) => edge.id === id);
    if (event !== undefined) event.state = state;
  }

  /** Returns up to `limit` moves on each side of a place; `null` when they are not all here. */
  around(place: string, limit: number, end: RunEdge | null): Around | null {
    const { moves } = this;
    let [low, high] = [0, moves.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((moves[middle]?.place ?? '') < place) low = middle + 1;
      else high = middle;
    }
    const [from, to] = [low - limit, low + limit];
    if ((from < 0 && this.#hasMoreBefore) || (to > moves.length && this.#hasMoreAfter)) return null;
    const near = moves.slice(Math.max(from, 0), to);
    const isInRun = ({ edge }: PlacedEvent): boolean =>
      end === null || isBeforeEnd(entryOf(edge), entryOf(end));
    const events = near.filter(isInRun);
    return {
      events,
      edges: events.map(({ edge }) => edge),
      hasMoreBefore: this.#hasMoreBefore || from > 0,
      hasMoreAfter: events.length === near.length && (this.#hasMoreAfter || to < moves.length),
    };
  }
}

/** Moves around a place, for a `Window`. */
export interface Around extends Moves {
  readonly events: readonly PlacedEvent[];
}
