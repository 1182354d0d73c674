import type { Timeline } from '../order/timeline.ts';

/**
 * How far the events of a run are handled in the order of its timeline. It moves forward with each
 * outcome, so that handling an event does not walk over all others: a run can have thousands.
 */
export class Progress {
  readonly timeline: Timeline;
  /** The ids of the steps, then of the impossible events. */
  readonly #ids: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #open: ReadonlyMap<string, unknown>;
  readonly #unsettled: ReadonlySet<string>;
  #firstOpen = 0;
  #firstUnsettled = 0;
  #openSteps = 0;
  #unsettledSteps = 0;

  /** `open` and `unsettled` may lose entries later: report each with `close()` and `settle()`. */
  constructor(
    timeline: Timeline,
    open: ReadonlyMap<string, unknown>,
    unsettled: ReadonlySet<string>,
  ) {
    this.timeline = timeline;
    this.#ids = [...timeline.steps, ...timeline.impossible].map(({ id }) => id);
    this.#places = new Map(this.#ids.map((id, place) => [id, place] as const));
    this.#open = open;
    this.#unsettled = unsettled;
    for (const { id } of timeline.steps) {
      if (open.has(id)) this.#openSteps += 1;
      if (unsettled.has(id)) this.#unsettledSteps += 1;
    }
  }

  /** Records that an event is no longer open. */
  close(id: string): void {
    if (this.#isStep(id)) this.#openSteps -= 1;
  }

  /** Records that an event is settled. */
  settle(id: string): void {
    if (this.#isStep(id)) this.#unsettledSteps -= 1;
  }

  /** Returns the place of the first open event; `null` when none is open. */
  firstOpen(): { readonly place: number; readonly id: string } | null {
    for (; this.#firstOpen < this.#ids.length; this.#firstOpen += 1) {
      const id = this.#ids[this.#firstOpen];
      if (id !== undefined && this.#open.has(id)) return { place: this.#firstOpen, id };
    }
    return null;
  }

  /** Returns true when every step from the first open one on is open too. */
  isNewest(place: number): boolean {
    const { length } = this.timeline.steps;
    return place < length && this.#openSteps === length - place;
  }

  /** Returns the place of a step; -1 for an event that is impossible. */
  placeOf(id: string): number {
    const place = this.#places.get(id) ?? -1;
    return place < this.timeline.steps.length ? place : -1;
  }

  /** Returns true when all steps before a place are settled, and none from it on. */
  isInTurn(place: number): boolean {
    const { steps } = this.timeline;
    while (
      this.#firstUnsettled < steps.length &&
      !this.#unsettled.has(this.#ids[this.#firstUnsettled] ?? '')
    ) {
      this.#firstUnsettled += 1;
    }
    return this.#firstUnsettled === place && this.#unsettledSteps === steps.length - place;
  }

  /** Returns true when no other step is unsettled. */
  isLast(id: string): boolean {
    const own = this.#isStep(id) && this.#unsettled.has(id) ? 1 : 0;
    return this.#unsettledSteps === own;
  }

  #isStep(id: string): boolean {
    return this.placeOf(id) >= 0;
  }
}
