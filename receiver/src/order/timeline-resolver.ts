import { EdgeOrder } from './edge-order.ts';
import { isTerminal } from './run-edge.ts';
import type { RunEdge } from './run-edge.ts';
import { findEnd, isBeforeEnd } from './run-end.ts';
import { compareEntries, entryOf } from './entry.ts';
import type { Entry } from './entry.ts';
import type { Arrival, Gap, Timeline } from './timeline.ts';

/** The history of one run, to which its events are added one by one. */
export interface TimelineResolver {
  /**
   * Adds an event and returns how it relates to those that were added before. An id that was added
   * before changes nothing and has the same arrival again. The cost is that of the events around it:
   * constant for the newest event of a walk without gaps, and more where events less than 250 ms apart
   * have gaps among them. The creation and the end of a run cost as much as all events once, and so does
   * each event of a run that has two ends less than 250 ms apart.
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
  return new RunHistory();
}

/** Implements `TimelineResolver`. */
export class RunHistory implements TimelineResolver {
  readonly #arrivals = new Map<string, Arrival>();
  /** The edges between the creation and the end. */
  readonly #between = new EdgeOrder();
  #creation: Entry | null = null;
  #terminals: Entry[] = [];
  #end: Entry | null = null;
  #hasRivalEnds = false;
  #isEndAmbiguous = false;
  /** Edges that are later than the end of the run. */
  #afterEnd: readonly Entry[] = [];
  /** Second creations, and edges that contradict themselves. */
  #contradictions: Entry[] = [];

  /** Adds events at once. Their arrivals are not known. */
  addAll(edges: Iterable<RunEdge>): void {
    const entries = new Map<string, Entry>();
    for (const edge of edges) if (!entries.has(edge.id)) entries.set(edge.id, entryOf(edge));
    const between = [...entries.values()].filter((entry) => !this.#setAside(entry));
    this.#rebuild(between.toSorted(compareEntries));
  }

  add(edge: RunEdge): Arrival {
    const known = this.#arrivals.get(edge.id);
    if (known !== undefined) return known;
    const entry = entryOf(edge);
    const isBetween = !this.#setAside(entry);
    // Which of several ends it is depends on the events between.
    const isInserted = isBetween && !this.#hasRivalEnds && this.#isBeforeEnd(entry);
    const arrival = isInserted ? this.#insert(entry) : this.#reconsider(entry, isBetween);
    this.#arrivals.set(edge.id, arrival);
    return arrival;
  }

  /** Keeps an edge that is not between two statuses that a run can leave. Returns true for such an edge. */
  #setAside(entry: Entry): boolean {
    const { previousStatus, currentStatus } = entry.edge;
    if (previousStatus === null) {
      const [older, newer] =
        this.#creation === null || compareEntries(entry, this.#creation) < 0
          ? [entry, this.#creation]
          : [this.#creation, entry];
      this.#creation = older;
      if (newer !== null) this.#contradictions.push(newer);
    } else if (isTerminal(previousStatus) || previousStatus === currentStatus) {
      this.#contradictions.push(entry);
    } else if (isTerminal(currentStatus)) {
      this.#terminals.push(entry);
    } else {
      return false;
    }
    return true;
  }

  #isBeforeEnd(entry: Entry): boolean {
    if (isTerminal(this.#creation?.edge.currentStatus ?? null)) return false;
    return this.#end === null || isBeforeEnd(entry, this.#end);
  }

  #insert(entry: Entry): Arrival {
    const gapsBefore = this.#between.gaps;
    const hadGapAtEnd = this.#between.hasGapAtEnd;
    const { index, hadGap } = this.#between.insert(entry);
    const next = this.#between.order[index + 1];
    if (next === undefined && this.#end === null) return 'applied';
    const wasGap = next === undefined ? hadGapAtEnd : hadGap.has(next);
    return wasGap || this.#between.gaps < gapsBefore ? 'fills-gap' : 'late';
  }

  /** Adds what may change the beginning or the end of the run. */
  #reconsider(entry: Entry, isBetween: boolean): Arrival {
    if (isBetween) this.#afterEnd = [...this.#afterEnd, entry];
    if (isBetween && !this.#isBeforeEnd(entry)) return 'impossible';
    if (this.#contradictions.at(-1) === entry) return 'impossible';
    const gapsBefore = this.#between.gaps;
    const hadGap = new Set(this.#steps().filter((step) => this.#isAfterGap(step)));
    const between = [...this.#between.sorted, ...this.#afterEnd];
    this.#rebuild(between.toSorted(compareEntries));
    const steps = this.#steps();
    const place = steps.indexOf(entry);
    const next = steps[place + 1];
    if (place < 0) return 'impossible';
    if (next === undefined) return 'applied';
    return hadGap.has(next) || this.#between.gaps < gapsBefore ? 'fills-gap' : 'late';
  }

  #rebuild(between: readonly Entry[]): void {
    const start = this.#creation?.edge.currentStatus ?? null;
    const { end, before, after, hasRivals, isAmbiguous } = findEnd(start, between, this.#terminals);
    this.#end = end;
    this.#hasRivalEnds = hasRivals;
    this.#afterEnd = after;
    this.#isEndAmbiguous = isAmbiguous;
    this.#between.replace(before, start, end?.edge.previousStatus);
  }

  #steps(): readonly Entry[] {
    const [creation, end] = [this.#creation, this.#end];
    return [...(creation ? [creation] : []), ...this.#between.order, ...(end ? [end] : [])];
  }

  #isAfterGap(step: Entry): boolean {
    if (step === this.#end) return this.#between.hasGapAtEnd;
    return step !== this.#creation && step.hasGap;
  }

  /** Returns what is known of the whole, beside the timeline. */
  facts(): {
    readonly creation: RunEdge | null;
    readonly end: RunEdge | null;
    /** The moves before the end, by time. */
    readonly moves: readonly RunEdge[];
    readonly hasRivalEnds: boolean;
    readonly isEndAmbiguous: boolean;
    readonly ambiguities: number;
  } {
    return {
      creation: this.#creation?.edge ?? null,
      end: this.#end?.edge ?? null,
      moves: this.#between.sorted.map(({ edge }) => edge),
      hasRivalEnds: this.#hasRivalEnds,
      isEndAmbiguous: this.#isEndAmbiguous,
      ambiguities: this.#between.ambiguities,
    };
  }

  timeline(): Timeline {
    const entries = this.#steps();
    const steps = entries.map(({ edge }) => edge);
    const gaps = entries.flatMap((entry, index): readonly Gap[] => {
      const before = entry.edge.previousStatus;
      if (before === null || !this.#isAfterGap(entry)) return [];
      return [{ after: steps[index - 1]?.currentStatus ?? null, before, index }];
    });
    const status = steps.at(-1)?.currentStatus ?? null;
    const losers = this.#terminals.filter((entry) => entry !== this.#end);
    const impossible = [...this.#contradictions, ...losers, ...this.#afterEnd];
    return {
      steps,
      gaps,
      impossible: impossible.toSorted(compareEntries).map(({ edge }) => edge),
      status,
      isTerminal: isTerminal(status),
      isUnbroken: steps.length > 0 && gaps.length === 0,
      isAmbiguous: this.#isEndAmbiguous || this.#between.ambiguities > 0,
    };
  }
}
