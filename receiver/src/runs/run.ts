import { TERMINAL_RUN_STATUSES } from '../generated/constants.ts';
import type { Entry } from '../order/entry.ts';
import { historyOf } from '../order/history.ts';
import type { History } from '../order/history.ts';
import type { RunEdge } from '../order/timeline.ts';
import type { EventState } from '../stores/store.ts';
import type { MissingEvents } from './handlers.ts';

/** What is known about the order of an event that is about to be handled. */
export interface EventFacts {
  /** The known gaps before the event, oldest first: the newest 64. */
  readonly missing: readonly MissingEvents[];
  /** True when no known event contradicts it. */
  readonly isStep: boolean;
  /** True when all steps before it are handled, and none after it is. */
  readonly isInTurn: boolean;
  /** True when it is the only creation of its run. */
  readonly isOnlyCreation: boolean;
}

/** The first open event in the order of its run, and what can be missing before it. */
export interface FirstOpen {
  readonly id: string;
  /**
   * `round-trip`: no later event is handled, and a round trip to the status that it leaves shows no
   * gap.
   */
  readonly waitsFor: 'gap' | 'round-trip' | 'nothing';
}

const MAX_MISSING = 64;

/** What the known events of a run show. It reads nothing and keeps nothing but their order. */
export class Run {
  readonly count: number;
  readonly isWhole: boolean;
  readonly #history: History;
  readonly #steps: readonly Entry[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #creations: number;
  readonly #stateOf: (id: string) => EventState | undefined;

  /**
   * @param edges - the known events of the run
   * @param stateOf - what became of each, at the time of a question
   * @param isWhole - false when earlier handled events are left out
   */
  constructor(
    edges: readonly RunEdge[],
    stateOf: (id: string) => EventState | undefined,
    isWhole: boolean,
  ) {
    this.count = edges.length;
    this.isWhole = isWhole;
    this.#stateOf = stateOf;
    this.#history = historyOf(edges, isWhole);
    this.#steps = this.#history.steps;
    this.#places = new Map(this.#steps.map(({ edge }, place) => [edge.id, place] as const));
    this.#creations = edges.filter(({ previousStatus }) => previousStatus === null).length;
  }

  /** The terminal status in which the run has ended; `null` when it has not. */
  get terminalStatus(): (typeof TERMINAL_RUN_STATUSES)[number] | null {
    const last = this.#steps.at(-1)?.edge.currentStatus;
    return TERMINAL_RUN_STATUSES.find((status) => status === last) ?? null;
  }

  /** Number of known places where events are missing. */
  get gapCount(): number {
    return this.#steps.filter(({ hasGap }) => hasGap).length;
  }

  /** True when another order of the same events is as good. */
  get isAmbiguous(): boolean {
    return this.#history.isEndAmbiguous || this.#history.moves.ambiguities > 0;
  }

  /** Returns the first open event in order; those that contradict the others come last. */
  first(): FirstOpen | null {
    const all = [...this.#steps, ...this.#history.impossible];
    const id = all.find(({ edge }) => this.#stateOf(edge.id) === 'open')?.edge.id;
    return id === undefined ? null : { id, waitsFor: this.#waitsFor(id) };
  }

  facts(id: string): EventFacts {
    const place = this.#places.get(id) ?? Infinity;
    const isStep = place !== Infinity;
    const isInTurn = this.#steps.every(
      ({ edge }, other) => other === place || this.#isHandled(edge) === other < place,
    );
    return {
      missing: this.#missingUpTo(place).slice(-MAX_MISSING),
      isStep,
      isInTurn: isStep && isInTurn,
      isOnlyCreation:
        this.#steps[place]?.edge.previousStatus === null && this.#creations === 1 && this.isWhole,
    };
  }

  /** Returns whether the run has ended and every other step is handled, gaps not counted. */
  isEndedBy(id: string): boolean {
    if (this.terminalStatus === null) return false;
    return this.#steps.every(({ edge }) => edge.id === id || this.#isHandled(edge));
  }

  #isHandled({ id }: RunEdge): boolean {
    return this.#stateOf(id) === 'handled';
  }

  #waitsFor(id: string): FirstOpen['waitsFor'] {
    const place = this.#places.get(id);
    const step = place === undefined ? undefined : this.#steps[place];
    if (step === undefined || step.edge.previousStatus === null) return 'nothing';
    if (step.hasGap) return 'gap';
    const isNewest = this.#steps
      .slice(place)
      .every(({ edge }) => this.#stateOf(edge.id) === 'open');
    return isNewest ? 'round-trip' : 'nothing';
  }

  #missingUpTo(place: number): readonly MissingEvents[] {
    const missing: MissingEvents[] = [];
    for (const [index, { edge, hasGap }] of this.#steps.entries()) {
      const { previousStatus } = edge;
      if (index > place || !hasGap || previousStatus === null) continue;
      const after = this.#steps[index - 1]?.edge.currentStatus ?? null;
      missing.push({ after, before: previousStatus });
    }
    return missing;
  }
}
