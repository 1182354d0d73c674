import { MAX_FURTHER } from './order-edges.ts';
import { orderMoves } from './ordered-moves.ts';
import type { OrderedMoves } from './ordered-moves.ts';
import type { RunEdge } from './run-edge.ts';
import { CLOCK_SKEW_MILLISECONDS, compareEntries, entryOf } from './entry.ts';
import type { Entry, Next } from './entry.ts';

/** Moves of a run that follow one another by time, without a hole between them. */
export interface Moves {
  readonly edges: readonly RunEdge[];
  /** True when the run has moves before or after them. */
  readonly hasMoreBefore: boolean;
  readonly hasMoreAfter: boolean;
}

/** From which status the first move of a run leaves, and which status the event after its last move leaves. */
export interface Ends {
  readonly start: string | null;
  readonly next: Next;
}

/** How far the order of a place depends on what is unknown: twice what a single gap reaches. */
const MARGIN_MILLISECONDS = 2 * CLOCK_SKEW_MILLISECONDS;

/**
 * The order of a part of the moves. Near an end at which the run has more moves it can be wrong, because
 * they can change places with what is here; `from` and `to` say where it is right.
 */
export class Window implements OrderedMoves {
  readonly sorted: readonly Entry[];
  readonly order: readonly Entry[];
  readonly hasGapAtEnd: boolean;
  readonly gaps: number;
  readonly ambiguities: number;
  readonly hasMoreBefore: boolean;
  readonly hasMoreAfter: boolean;
  readonly #start: string | null;
  readonly #indexes: ReadonlyMap<string, number>;
  /** Entries that only show what is before and after. */
  readonly #before: Entry | undefined;
  readonly #after: Entry | undefined;

  constructor({ edges, hasMoreBefore, hasMoreAfter }: Moves, { start, next }: Ends) {
    const all = edges.map(entryOf).toSorted(compareEntries);
    this.#before = hasMoreBefore ? all.shift() : undefined;
    this.#after = hasMoreAfter ? all.pop() : undefined;
    this.hasMoreBefore = hasMoreBefore;
    this.hasMoreAfter = hasMoreAfter;
    this.#start = hasMoreBefore ? (this.#before?.edge.currentStatus ?? null) : start;
    const leadsTo = hasMoreAfter ? this.#after?.edge.previousStatus : next;
    const ordered = orderMoves(all, this.#start, leadsTo);
    this.sorted = all;
    this.order = ordered.order;
    this.hasGapAtEnd = ordered.hasGapAtEnd;
    this.gaps = ordered.gaps;
    this.ambiguities = ordered.ambiguities;
    this.#indexes = new Map(this.order.map(({ edge }, index) => [edge.id, index] as const));
  }

  indexOf(id: string): number {
    return this.#indexes.get(id) ?? -1;
  }

  /** Returns the status before an index of `order`. */
  statusBefore(index: number): string | null {
    return this.order[index - 1]?.edge.currentStatus ?? this.#start;
  }

  /** Returns true when the order is right from before an index on, as far as earlier moves matter. */
  isRightFrom(index: number): boolean {
    if (!this.hasMoreBefore) return true;
    const time = this.#timeAt(index);
    const reached = this.#endOfReach();
    for (let place = Math.min(index, this.sorted.length - 1); place > 0; place -= 1) {
      if (this.#isApart(place) && this.#isApart(place - 1)) return true;
      const isFar = index >= this.sorted.length || this.#timeAt(place) < time - MARGIN_MILLISECONDS;
      if (isFar && place > reached && this.sorted[place]?.isBoundary === true) return true;
    }
    return false;
  }

  /** Returns true when the order is right up to and with an index, as far as later moves matter. */
  isRightTo(index: number): boolean {
    if (!this.hasMoreAfter) return true;
    const time = this.#timeAt(index);
    const reached = this.#startOfReach();
    for (let place = index + 1; place < this.sorted.length; place += 1) {
      if (this.#isApart(place) && this.#isApart(place + 1)) return true;
      const isFar = index < 0 || this.#timeAt(place) > time + MARGIN_MILLISECONDS;
      if (isFar && place < reached && this.sorted[place]?.isBoundary === true) return true;
    }
    return false;
  }

  /** Returns the last index that a gap before the first entry can reach. */
  #endOfReach(): number {
    const first = (this.#before?.milliseconds ?? Number.NaN) + CLOCK_SKEW_MILLISECONDS;
    let index = 0;
    while (index < this.sorted.length && this.#timeAt(index) <= first) index += 1;
    return index + MAX_FURTHER + 2;
  }

  #startOfReach(): number {
    const last = (this.#after?.milliseconds ?? Number.NaN) - CLOCK_SKEW_MILLISECONDS;
    let index = this.sorted.length;
    while (index > 0 && this.#timeAt(index - 1) >= last) index -= 1;
    return index - MAX_FURTHER - 2;
  }

  #timeAt(index: number): number {
    if (index < 0) return this.#before?.milliseconds ?? Number.NaN;
    if (index >= this.sorted.length) return this.#after?.milliseconds ?? Number.NaN;
    return this.sorted[index]?.milliseconds ?? Number.NaN;
  }

  /** Returns true when the entries before and after a place are further apart than clocks may differ. */
  #isApart(index: number): boolean {
    return !(this.#timeAt(index) - this.#timeAt(index - 1) <= CLOCK_SKEW_MILLISECONDS);
  }
}
