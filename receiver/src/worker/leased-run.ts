import { classifyArrival } from '../order/classify-arrival.ts';
import { kindOf, orderKey, orderPlace } from '../order/order-key.ts';
import {
  endsOf,
  isImpossible,
  orderOf,
  surroundingsOf,
  takeIn,
  terminalStatusOf,
} from '../order/run-order.ts';
import type { RunOrder, TakenIn } from '../order/run-order.ts';
import type { RunEdge } from '../order/run-edge.ts';
import { compareEntries, entryOf } from '../order/entry.ts';
import type { Arrival } from '../order/timeline.ts';
import { Window } from '../order/window.ts';
import type {
  EventArrival,
  EventState,
  JobEvents,
  KnownEvent,
  LeasedJob,
  OpenEvent,
  Outcome,
} from '../stores/store.ts';
import type { MissingEvents } from './handlers.ts';
import { backoff } from './next-event.ts';
import type { FirstEvent, PendingEvent, RetryPolicy } from './next-event.ts';
import type { RunReader } from './run-reader.ts';
import { later, readRunState, writeRunState } from './run-state.ts';
import type { RunState } from './run-state.ts';
import { insertByPlace, placed, Stretch } from './stretch.ts';
import type { Around, PlacedEvent } from './stretch.ts';

/** An open event of a leased job. */
export interface LeasedEvent extends PendingEvent {
  /** `null` until it is read from the store. */
  readonly body: Uint8Array | null;
  readonly isReplay: boolean;
  /** Known once the event is taken in. */
  readonly arrival: Arrival;
}

/** What is known about the order of an event that is about to be handled. */
export interface EventFacts {
  readonly arrival: Arrival;
  /** The known gaps before the event, oldest first. */
  readonly missing: readonly MissingEvents[];
  /** True when no known event contradicts it. */
  readonly isStep: boolean;
  /** True when all steps before it are settled, and none after it is. */
  readonly isInTurn: boolean;
  /** True when it is the only creation of its run. */
  readonly isOnlyCreation: boolean;
  /** True when gaps before the event are too many to be listed. */
  readonly hasMoreMissing: boolean;
}

/** How many moves around a place are looked at first, and how many are read at once. */
const FIRST_LIMIT = 4;
const READ_LIMIT = 64;
/** How many parts of a run are in memory: events of different times can arrive by turns. */
const MAX_STRETCHES = 4;
/** How many arrivals are kept with one call. */
const MAX_ARRIVALS = 256;

/**
 * The events of a leased run that can be next, and what the order knows of the others. It reads from the
 * store what it needs, a bounded number of events around one place.
 */
export class LeasedRun {
  readonly runId: string | null;
  /** In order of acceptance. */
  readonly open: Map<string, LeasedEvent> = new Map();
  isSettled: boolean;
  /** The highest position that the store has reported. */
  lastPosition = 0;
  readonly #retry: RetryPolicy;
  readonly #reader: RunReader | null;
  readonly #now: () => number;
  #state: RunState;
  /** What the store keeps. */
  #written: RunState;
  /** The first events that are not settled, by place. */
  readonly #waiting: PlacedEvent[] = [];
  #hasMoreWaiting: boolean;
  /** The last place up to which they are read. */
  #readTo = '';
  /** Events that are not taken in, by position. */
  readonly #fresh = new Map<number, PlacedEvent>();
  /** The newest one first. */
  #stretches: Stretch[];
  /** What the store does not have yet. */
  #arrivals: EventArrival[] = [];
  /** Outcomes that the store does not have yet. */
  readonly #noted = new Map<string, 'settled' | 'dead'>();

  constructor(
    job: LeasedJob,
    reader: RunReader | null,
    { now, retry }: { readonly now: () => number; readonly retry: RetryPolicy },
  ) {
    this.runId = job.runId;
    this.isSettled = job.isRunSettled;
    this.#retry = retry;
    this.#reader = reader;
    this.#now = now;
    this.#state = readRunState(job.order);
    this.#written = this.#state;
    this.#hasMoreWaiting = job.hasMoreAfter;
    this.lastPosition = job.lastPosition;
    const known = job.known.map(placed);
    this.#addOpen(job);
    for (const event of known) {
      this.#readTo = later(this.#readTo, event.place);
      if (event.state !== 'settled') insertByPlace(this.#waiting, event);
      this.#addFresh(event);
    }
    this.#stretches = this.#firstStretches(known, job);
    this.#state = this.#withDecisions(job);
  }

  /** Between two leases a person can open dead letters again, or discard them: then they count as handled. */
  #withDecisions({ hasMoreAfter }: LeasedJob): RunState {
    const { order, closedTo, settledTo, end } = this.#state;
    const stateAt = (place: string): EventState | null => {
      const waiting = this.#waiting.find((event) => event.place === place);
      if (waiting !== undefined) return waiting.state;
      return hasMoreAfter && place > this.#readTo ? null : 'settled';
    };
    const isDiscarded =
      closedTo !== settledTo && closedTo !== null && stateAt(closedTo) === 'settled';
    const endPlace = this.#endPlace;
    const endNow = endPlace === null ? end : (stateAt(endPlace) ?? end);
    if (!isDiscarded && endNow === end) return this.#state;
    return { order, closedTo, settledTo: isDiscarded ? closedTo : settledTo, end: endNow };
  }

  /** The state that the store should keep from now on; `null` when it has it. */
  get changedState(): string | null {
    return this.#state === this.#written ? null : writeRunState(this.#state);
  }

  /** Records that the store has the current state. */
  keptState(): void {
    this.#written = this.#state;
    this.#noted.clear();
  }

  /** Returns the state for the case that an event is settled. */
  stateAfter(id: string): string {
    return writeRunState(this.#closed(id, 'settled'));
  }

  get order(): RunOrder {
    return this.#state.order;
  }

  /** What follows a place among the events that are not settled is read when it is needed. */
  async readMore(): Promise<boolean> {
    if (this.#reader === null || !this.#hasMoreWaiting) return false;
    const more = await this.#reader.waiting(this.#readTo);
    this.#hasMoreWaiting = more.hasMoreAfter;
    this.#addOpen(more);
    for (const event of this.#read(more.known)) {
      this.#readTo = later(this.#readTo, event.place);
      if (event.state === 'settled') continue;
      insertByPlace(this.#waiting, event);
      this.#addFresh(event);
    }
    await this.takeInAll();
    return true;
  }

  /**
   * Adds every accepted event to the order of the run. The store has the arrivals before it has an order that
   * contains them: another lease does not take these events in again.
   */
  async takeInAll(): Promise<void> {
    const reader = this.#reader;
    if (reader === null) return;
    while (this.order.position < this.lastPosition) {
      const position = this.order.position + 1;
      const event = this.#fresh.get(position) ?? (await this.#readFresh(reader, position));
      const arrival = await this.#takeIn(reader, event);
      this.#fresh.delete(position);
      if (arrival === 'applied') continue;
      const { id } = event.edge;
      const open = this.open.get(id);
      if (open !== undefined) this.open.set(id, { ...open, arrival });
      this.#arrivals.push({ id, arrival });
      if (this.#arrivals.length === MAX_ARRIVALS) await this.#keepArrivals(reader);
    }
    if (this.#arrivals.length > 0) await this.#keepArrivals(reader);
  }

  async #keepArrivals(reader: RunReader): Promise<void> {
    await reader.keepArrivals(this.#arrivals);
    this.#arrivals = [];
  }

  async #readFresh(reader: RunReader, position: number): Promise<PlacedEvent> {
    this.#addNews(await reader.news(position - 1));
    const event = this.#fresh.get(position);
    if (event === undefined) {
      throw new TypeError(`Store must return the event at position ${position}, got others.`);
    }
    return event;
  }

  #addNews(news: JobEvents): void {
    const near = new Set<string>();
    for (const event of this.#read(news.known)) {
      const isFar = this.#hasMoreWaiting && event.place > this.#readTo;
      this.#addFresh(event);
      const waiting = this.#fresh.get(event.position) ?? event;
      if (!isFar && event.state !== 'settled') {
        insertByPlace(this.#waiting, waiting);
        near.add(event.edge.id);
      }
    }
    this.#addOpen({ ...news, open: news.open.filter(({ id }) => near.has(id)) });
  }

  #read(events: readonly KnownEvent[]): readonly PlacedEvent[] {
    return events.map((event) => {
      const state = this.#noted.get(event.edge.id) ?? event.state;
      return placed({ ...event, state });
    });
  }

  #addFresh(event: PlacedEvent): void {
    if (event.position <= this.order.position) return;
    if (!this.#fresh.has(event.position)) this.#fresh.set(event.position, event);
    this.lastPosition = Math.max(this.lastPosition, event.position);
  }

  #addOpen({ open, known }: Pick<JobEvents, 'open' | 'known'>): void {
    const statuses = new Map(known.map(({ edge }) => [edge.id, edge.currentStatus] as const));
    for (const event of open) {
      if (this.open.has(event.id) || this.#noted.has(event.id)) continue;
      const status = statuses.get(event.id) ?? null;
      this.open.set(event.id, leasedEvent({ ...event, status }, this.#now(), this.#retry));
    }
  }

  /** The events of a lease follow one another when nothing after the first of them is closed. */
  #firstStretches(known: readonly PlacedEvent[], job: LeasedJob): Stretch[] {
    const { hasMoreBefore, hasMoreAfter, lastPosition } = job;
    const isWhole = known.length === lastPosition;
    const [first] = this.#waiting;
    const { closedTo } = this.#state;
    const isUnbroken =
      isWhole || closedTo === null || (first !== undefined && closedTo < first.place);
    if (!isUnbroken) return [];
    const { position } = this.order;
    const taken = known.filter((event) => event.position <= position);
    const sorted = taken.toSorted((left, right) => (left.place < right.place ? -1 : 1));
    return [new Stretch(sorted, { hasMoreBefore, hasMoreAfter: hasMoreAfter && position > 0 })];
  }

  async #takeIn(reader: RunReader, event: PlacedEvent): Promise<Arrival> {
    const { order } = this;
    const { all, ...taken } = await takeInFrom(order, event, {
      around: (place, limit) => this.#around(reader, place, limit),
      all: () => reader.all(order.position),
    });
    if (all === null) {
      this.#state = { ...this.#state, order: taken.order };
      for (const stretch of this.#stretches) stretch.add(event);
    } else {
      // Other events are steps from now on, and a stretch can lack some of them.
      this.#state = runStateOf(taken.order, [...this.#read(all), event]);
      this.#stretches = [];
    }
    return taken.arrival;
  }

  async #around(reader: RunReader, place: string, limit: number): Promise<Around> {
    const end = this.order.end?.edge ?? null;
    for (const stretch of this.#stretches) {
      const here = stretch.around(place, limit, end);
      if (here !== null) return here;
    }
    for (let read = Math.max(limit, READ_LIMIT); ; read *= 2) {
      const stretch = await this.#readStretch(reader, place, read);
      const here = stretch.around(place, limit, end);
      if (here === null) continue;
      this.#stretches = [stretch, ...this.#stretches].slice(0, MAX_STRETCHES);
      return here;
    }
  }

  /** Events that are not taken in yet are left out, so it can have fewer than what is asked for. */
  async #readStretch(reader: RunReader, place: string, limit: number): Promise<Stretch> {
    const near = this.#read(await reader.near(place, limit));
    const known = new Map(this.#waiting.map((event) => [event.place, event] as const));
    const taken = near.filter(({ position }) => position <= this.order.position);
    const before = near.filter((event) => event.place < place).length;
    return new Stretch(
      taken.map((event) => known.get(event.place) ?? event),
      {
        hasMoreBefore: before >= limit && isMove(near[0]),
        hasMoreAfter: near.length - before >= limit && isMove(near.at(-1)),
      },
    );
  }

  /** Returns a window in which the order is right around an event. */
  async #windowAround(reader: RunReader, event: PlacedEvent): Promise<OrderedMoves> {
    for (let limit = FIRST_LIMIT; ; limit *= 2) {
      const around = await this.#around(reader, event.place, limit);
      const window = new Window(around, endsOf(this.order));
      const states = new Map(around.events.map(({ edge, state }) => [edge.id, state] as const));
      const isOpen = ({ edge }: { readonly edge: RunEdge }) => states.get(edge.id) === 'open';
      const index = window.indexOf(event.edge.id);
      const firstOpen = window.order.findIndex(isOpen);
      const first = firstOpen < 0 ? index : Math.min(firstOpen, index);
      const isRight = window.isRightFrom(first - 1) && window.isRightTo(index);
      if (index >= 0 && isRight) return { window, around, states, index, firstOpen };
    }
  }

  /** Returns the first open event in the order of the run; `null` when none is open. */
  async first(): Promise<FirstEvent<LeasedEvent> | null> {
    const reader = this.#reader;
    if (reader === null) return null;
    await this.takeInAll();
    for (;;) {
      const step = this.#waiting.find(
        ({ edge, state }) => state === 'open' && !isImpossible(this.order, edge),
      );
      if (step === undefined && (await this.readMore())) continue;
      const first = await this.#firstOf(reader, step);
      if (first === null) return null;
      const event = this.open.get(first.id);
      if (event !== undefined) return { event, waitsFor: first.waitsFor };
      if (!(await this.readMore())) {
        throw new TypeError(`Store must return open event ${first.id}, got others.`);
      }
    }
  }

  async #firstOf(
    reader: RunReader,
    step: PlacedEvent | undefined,
  ): Promise<(Pick<FirstEvent<unknown>, 'waitsFor'> & { id: string }) | null> {
    const { order } = this;
    if (step === undefined) {
      const impossible = this.#waiting.filter(({ state }) => state === 'open');
      const [oldest] = impossible.toSorted((left, right) =>
        compareEntries(entryOf(left.edge), entryOf(right.edge)),
      );
      return oldest === undefined ? null : { id: oldest.edge.id, waitsFor: 'nothing' };
    }
    const kind = kindOf(step.edge);
    if (kind === 'creation') return { id: step.edge.id, waitsFor: 'nothing' };
    if (kind === 'end') {
      const hasGap = order.gaps.some(({ follows }) => follows.id === step.edge.id);
      return { id: step.edge.id, waitsFor: hasGap ? 'gap' : 'round-trip' };
    }
    const { window, around, states, firstOpen } = await this.#windowAround(reader, step);
    const entry = window.order[firstOpen];
    if (entry === undefined) return { id: step.edge.id, waitsFor: 'nothing' };
    if (entry.hasGap) return { id: entry.edge.id, waitsFor: 'gap' };
    const others = window.order.slice(firstOpen + 1);
    const isClosedLater =
      others.some(({ edge }) => states.has(edge.id) && states.get(edge.id) !== 'open') ||
      (await this.#isClosedBeyond(reader, around));
    return { id: entry.edge.id, waitsFor: isClosedLater ? 'nothing' : 'round-trip' };
  }

  /** Returns whether an event after these was handled, or is a dead letter that nobody has opened again. */
  async #isClosedBeyond(reader: RunReader, around: Around): Promise<boolean> {
    const { closedTo, settledTo, end } = this.#state;
    if (end === 'settled' || isBeyond(settledTo, around)) return true;
    if (end === 'dead' && (await this.#isDead(reader, this.#endPlace))) return true;
    return isBeyond(closedTo, around) && this.#isDead(reader, closedTo);
  }

  get #endPlace(): string | null {
    const { end } = this.order;
    return end && orderPlace(end.edge, end.position);
  }

  async #isDead(reader: RunReader, place: string | null): Promise<boolean> {
    if (place === null) return false;
    const near = this.#read(await reader.near(place, 1));
    return near.some((event) => event.place === place && event.state === 'dead');
  }

  /** Returns what is known about the order of an event. */
  async facts(event: LeasedEvent): Promise<EventFacts | null> {
    const reader = this.#reader;
    const own = this.#waiting.find(({ edge }) => edge.id === event.id);
    if (reader === null || own === undefined) return null;
    await this.takeInAll();
    const { order } = this;
    const isStep = !isImpossible(order, own.edge);
    const kind = kindOf(own.edge);
    const moves = isStep && kind === 'move' ? await this.#windowAround(reader, own) : null;
    const isMissing = isStep ? this.#isAtOrBefore(own, moves) : () => true;
    const missing = order.gaps
      .filter(({ follows }) => isMissing(follows))
      .map(({ after, before }) => ({ after, before }));
    return {
      arrival: event.arrival,
      missing,
      hasMoreMissing: kind !== 'creation' && order.gapCount > order.gaps.length,
      isStep,
      isInTurn: isStep && this.#isInTurn(own, moves),
      isOnlyCreation: isStep && kind === 'creation' && order.creations === 1,
    };
  }

  /** Returns whether a step is this one or before it. */
  #isAtOrBefore(own: PlacedEvent, moves: OrderedMoves | null): (edge: RunEdge) => boolean {
    const kind = kindOf(own.edge);
    return (edge) => {
      if (edge.id === own.edge.id) return true;
      if (kindOf(edge) !== kind) return orderKey(edge) < own.place;
      const index = moves?.window.indexOf(edge.id) ?? -1;
      if (moves === null || index < 0) return orderKey(edge) < own.place;
      return index <= moves.index;
    };
  }

  #isInTurn(own: PlacedEvent, moves: OrderedMoves | null): boolean {
    const isBefore = this.#isAtOrBefore(own, moves);
    const isLate = this.#waiting.some(
      ({ edge }) => edge.id !== own.edge.id && !isImpossible(this.order, edge) && isBefore(edge),
    );
    if (isLate) return false;
    const { settledTo, end } = this.#state;
    const isCreatedAtEnd = this.order.end === null && terminalStatusOf(this.order) !== null;
    if (kindOf(own.edge) === 'end' || isCreatedAtEnd) return true;
    if (end === 'settled') return false;
    if (moves === null) return settledTo === null;
    const before = moves.window.order.slice(0, moves.index);
    if (before.some(({ edge }) => moves.states.get(edge.id) !== 'settled')) return false;
    const after = moves.window.order.slice(moves.index + 1);
    if (after.some(({ edge }) => moves.states.get(edge.id) === 'settled')) return false;
    return !isBeyond(settledTo, moves.around);
  }

  /** Returns true when this is the last unsettled event of a run that has ended, gaps not counted. */
  async isEndedBy({ id }: LeasedEvent): Promise<boolean> {
    if (this.isSettled || terminalStatusOf(this.order) === null) return false;
    const isOther = ({ edge }: PlacedEvent): boolean =>
      edge.id !== id && !isImpossible(this.order, edge);
    while (!this.#waiting.some(isOther)) {
      if (!(await this.readMore())) return true;
    }
    return false;
  }

  /** Adds bodies that were read from the store. */
  addBodies(bodies: ReadonlyMap<string, Uint8Array>): void {
    for (const [id, body] of bodies) {
      const event = this.open.get(id);
      if (event !== undefined) this.open.set(id, { ...event, body });
    }
  }

  /** Records the result of handling an event at this monotonic time. */
  note(outcome: Outcome, now: number): void {
    const event = this.open.get(outcome.id);
    if (event === undefined) return;
    if (outcome.as === 'failed') {
      const attempts = event.attempts + 1;
      this.open.set(outcome.id, { ...event, attempts, crashes: 0, retryAt: now + outcome.dueIn });
      return;
    }
    this.#state = this.#closed(outcome.id, outcome.as);
    this.#noted.set(outcome.id, outcome.as);
    this.open.delete(outcome.id);
    const index = this.#waiting.findIndex(({ edge }) => edge.id === outcome.id);
    const own = this.#waiting[index];
    if (own !== undefined) own.state = outcome.as;
    for (const stretch of this.#stretches) stretch.close(outcome.id, outcome.as);
    if (outcome.as !== 'settled') return;
    if (index >= 0) this.#waiting.splice(index, 1);
    this.isSettled ||= outcome.runSettled;
  }

  #closed(id: string, as: 'settled' | 'dead'): RunState {
    const event = this.#waiting.find(({ edge }) => edge.id === id);
    if (event === undefined) return this.#state;
    const { order, closedTo, settledTo } = this.#state;
    if (order.end?.edge.id === id) return { ...this.#state, end: as };
    if (kindOf(event.edge) !== 'move' || isImpossible(order, event.edge)) return this.#state;
    return {
      ...this.#state,
      closedTo: later(closedTo, event.place),
      settledTo: as === 'settled' ? later(settledTo, event.place) : settledTo,
    };
  }
}

interface OrderedMoves {
  readonly window: Window;
  readonly around: Around;
  readonly states: ReadonlyMap<string, PlacedEvent['state']>;
  readonly index: number;
  readonly firstOpen: number;
}

/** Returns the state of a run of which all events are known. */
function runStateOf(order: RunOrder, events: readonly PlacedEvent[]): RunState {
  const moves = events.filter(({ edge }) => kindOf(edge) === 'move' && !isImpossible(order, edge));
  const closed = moves.filter(({ state }) => state !== 'open');
  return {
    order,
    closedTo: lastPlace(closed),
    settledTo: lastPlace(closed.filter(({ state }) => state === 'settled')),
    end: events.find(({ edge }) => edge.id === order.end?.edge.id)?.state ?? 'open',
  };
}

function lastPlace(events: readonly PlacedEvent[]): string | null {
  return events.reduce<string | null>((place, event) => later(place, event.place), null);
}

/** Returns what is known about an event that has no run in the store. */
export function factsOfSingle(order: RunOrder, edge: RunEdge): EventFacts {
  const isStep = !isImpossible(order, edge);
  return {
    arrival: isStep ? 'applied' : 'impossible',
    missing: order.gaps.map(({ after, before }) => ({ after, before })),
    hasMoreMissing: false,
    isStep,
    isInTurn: isStep,
    isOnlyCreation: kindOf(edge) === 'creation',
  };
}

/** Returns true when a place is not before the last move around another one: it is not in the window. */
function isBeyond(place: string | null, { events, hasMoreAfter }: Around): boolean {
  const last = events.at(-1);
  return place !== null && hasMoreAfter && (last === undefined || place >= orderKey(last.edge));
}

interface Surrounding {
  readonly around: (place: string, limit: number) => Promise<Around>;
  readonly all: () => Promise<readonly KnownEvent[]>;
}

const NO_MOVES = { edges: [], hasMoreBefore: false, hasMoreAfter: false };
/** Before the first move, and after the last one. */
const PLACES = { first: '1', last: '2' } as const;

async function takeInFrom(
  order: RunOrder,
  event: PlacedEvent,
  { around, all }: Surrounding,
): Promise<TakenIn & { readonly all: readonly KnownEvent[] | null }> {
  const { edge, position } = event;
  const accepted = { edge, position };
  const which = surroundingsOf(order, accepted);
  if (which === 'all') {
    const known = await all();
    const before = known.map((one) => ({ edge: one.edge, position: one.position }));
    const arrival = classifyArrival(
      before.map((one) => one.edge),
      edge,
    );
    return { order: orderOf([...before, accepted]), arrival, all: known };
  }
  const place = which === 'first' || which === 'last' ? PLACES[which] : event.place;
  for (let limit = FIRST_LIMIT; ; limit *= 2) {
    const moves = which === 'none' ? NO_MOVES : await around(place, limit);
    const taken = takeIn(order, accepted, moves);
    if (taken !== null) return { ...taken, all: null };
  }
}

function isMove(event: PlacedEvent | undefined): boolean {
  return event !== undefined && kindOf(event.edge) === 'move';
}

function leasedEvent(
  { age, dueIn, ...event }: OpenEvent & Pick<LeasedEvent, 'status'>,
  now: number,
  retry: RetryPolicy,
): LeasedEvent {
  const wait = event.crashes > 0 ? backoff(event.crashes, retry) : 0;
  return { ...event, acceptedAt: now - age, retryAt: now + dueIn + wait };
}
