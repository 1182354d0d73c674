import { MAX_FURTHER, orderEdges } from './order-edges.ts';
import { markInterchangeable } from './other-walks.ts';
import { CLOCK_SKEW_MILLISECONDS, compareEntries, isSimultaneous } from './entry.ts';
import type { Entry, Next } from './entry.ts';

/**
 * The edges of a run between its creation and its end, in order. A new edge is placed by looking at
 * the events around it only.
 */
export class EdgeOrder {
  #sorted: Entry[] = [];
  #order: Entry[] = [];
  #start: string | null = null;
  #next: Next = undefined;
  /** Number of gaps, the one before the end included. */
  gaps = 0;
  /** Number of places at which another order is as good. */
  ambiguities = 0;
  hasGapAtEnd = false;

  get order(): readonly Entry[] {
    return this.#order;
  }

  /** By time. */
  get sorted(): readonly Entry[] {
    return this.#sorted;
  }

  /** Orders other edges, from status `start` to an event that leaves `next`. */
  replace(entries: readonly Entry[], start: string | null, next: Next): void {
    this.#start = start;
    this.#next = next;
    this.#sorted = entries.toSorted(compareEntries);
    this.#order = [...orderEdges(this.#sorted, start, next)];
    this.#count(0, entries.length, 0);
  }

  /** Adds an edge. Returns its index in `order`, and the entries near it that had a gap before them. */
  insert(entry: Entry): { readonly index: number; readonly hadGap: ReadonlySet<Entry> } {
    const place = this.#placeOf(entry);
    if (this.#continues(entry, place)) return this.#append(entry);
    const { from, to } = this.#affected(place, entry);
    const marked = this.#endOfMarks(to);
    const hadGap = new Set(this.#order.slice(from, to + 1).filter(({ hasGap }) => hasGap));
    const before = this.#tally(from, to, marked);
    this.#sorted.splice(place, 0, entry);
    const part = this.#sorted.slice(from, to + 1);
    const previous = this.#sorted[from - 1];
    const following = this.#sorted[to + 1];
    const order = orderEdges(
      part,
      previous === undefined ? this.#start : previous.edge.currentStatus,
      following === undefined ? this.#next : following.edge.previousStatus,
    );
    this.#order.splice(from, to - from, ...order);
    this.#count(from, to + 1, marked + 1, before);
    return { index: this.#order.indexOf(entry, from), hadGap };
  }

  /** Returns true for a newest edge that leaves the last status, where the order before it is certain. */
  #continues(entry: Entry, place: number): boolean {
    const last = this.#sorted[place - 1];
    if (last === undefined || place < this.#sorted.length || this.#next !== undefined) return false;
    const isFirm = this.#isBoundary(place - 1) && this.#isBoundary(place - 2);
    return (
      isFirm &&
      !last.hasGap &&
      last.edge.currentStatus === entry.edge.previousStatus &&
      !isSimultaneous(last, entry)
    );
  }

  #append(entry: Entry): { readonly index: number; readonly hadGap: ReadonlySet<Entry> } {
    const index = this.#order.length;
    entry.isBoundary = true;
    this.#sorted.push(entry);
    this.#order.push(entry);
    markInterchangeable(this.#order, index, index + 1);
    if (entry.isInterchangeable) this.ambiguities += 1;
    return { index, hadGap: new Set() };
  }

  #placeOf(entry: Entry): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#sorted[middle];
      if (other !== undefined && compareEntries(other, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the range between two boundaries outside which a new entry changes nothing. */
  #affected(place: number, entry: Entry): { readonly from: number; readonly to: number } {
    let from = place - 1;
    while (from >= 0 && this.#isTied(from, entry)) from -= 1;
    let to = place;
    while (to < this.#sorted.length && this.#isTied(to, entry)) to += 1;
    const earliest = (this.#sorted[from]?.milliseconds ?? -Infinity) - CLOCK_SKEW_MILLISECONDS;
    const latest = (this.#sorted[to]?.milliseconds ?? Infinity) + CLOCK_SKEW_MILLISECONDS;
    while (from > 0 && this.#timeAt(from - 1) >= earliest) from -= 1;
    while (to < this.#sorted.length && this.#timeAt(to) <= latest) to += 1;
    from = Math.max(from - MAX_FURTHER - 2, 0);
    to = Math.min(to + MAX_FURTHER + 2, this.#sorted.length);
    while (from > 0 && !this.#isBoundary(from)) from -= 1;
    while (to < this.#sorted.length && !this.#isBoundary(to)) to += 1;
    return { from, to };
  }

  #isTied(index: number, entry: Entry): boolean {
    const own = this.#sorted[index];
    const [before, after] = [this.#sorted[index - 1], this.#sorted[index + 1]];
    return isSimultaneous(own, entry) || isSimultaneous(own, before) || isSimultaneous(own, after);
  }

  #timeAt(index: number): number {
    return this.#sorted[index]?.milliseconds ?? Number.NaN;
  }

  #isBoundary(index: number): boolean {
    return this.#sorted[index]?.isBoundary === true;
  }

  /** Returns where the events end whose `isInterchangeable` depends on the entries before an index. */
  #endOfMarks(index: number): number {
    // Events of an order are up to the skew away from their place by time, and look back as far.
    const latest = this.#timeAt(index) + 2 * CLOCK_SKEW_MILLISECONDS;
    let end = index;
    while (end < this.#sorted.length && this.#timeAt(end) <= latest) end += 1;
    return end;
  }

  #tally(from: number, to: number, marked: number): { gaps: number; ambiguities: number } {
    const near = this.#order.slice(from, Math.max(to + 1, marked));
    const gaps = near.slice(0, to + 1 - from).filter(({ hasGap }) => hasGap).length;
    const ambiguous = near.filter((one) => one.isContested || one.isInterchangeable);
    const atEnd = to >= this.#order.length && this.hasGapAtEnd ? 1 : 0;
    return { gaps: gaps + atEnd, ambiguities: ambiguous.length };
  }

  /** Finds the gaps before the entries from an index up to and with another one, and the ambiguities. */
  #count(from: number, to: number, marked: number, before = { gaps: 0, ambiguities: 0 }): void {
    const previous = this.#order[from - 1];
    let status = previous === undefined ? this.#start : previous.edge.currentStatus;
    for (let index = from; index <= Math.min(to, this.#order.length - 1); index += 1) {
      const entry = this.#order[index];
      if (entry === undefined) break;
      entry.hasGap = entry.edge.previousStatus !== status;
      status = entry.edge.currentStatus;
    }
    if (to >= this.#order.length) {
      this.hasGapAtEnd = this.#next !== undefined && this.#next !== status;
    }
    markInterchangeable(this.#order, from, Math.max(to, marked));
    const after = this.#tally(from, to, marked);
    const isAll = from === 0 && to >= this.#order.length;
    this.gaps = isAll ? after.gaps : this.gaps - before.gaps + after.gaps;
    this.ambiguities = isAll
      ? after.ambiguities
      : this.ambiguities - before.ambiguities + after.ambiguities;
  }
}
