import { kindOf } from './order-key.ts';
import type { RunEdge } from './run-edge.ts';
import { isTerminal } from './run-edge.ts';
import { isBeforeEnd } from './run-end.ts';
import { compareEntries, entryOf } from './entry.ts';
import type { Entry } from './entry.ts';
import { historyOf, timelineOf } from './history.ts';
import type { Arrival } from './timeline.ts';
import { Window } from './window.ts';
import type { Ends, Moves } from './window.ts';

/** An event of a run, and which one it was to be accepted: 1 for the first. */
export interface AcceptedEdge {
  readonly edge: RunEdge;
  readonly position: number;
}

/** A place where events are missing, known by the event that follows. */
export interface OpenGap {
  readonly after: string | null;
  readonly before: string;
  readonly follows: RunEdge;
}

/**
 * What deciding about a run needs of its history. It is the same for the same events in any order of
 * acceptance, and its size does not grow with their number.
 */
export interface RunOrder {
  /** The events up to this position are taken in. */
  readonly position: number;
  /** The oldest creation. */
  readonly creation: AcceptedEdge | null;
  readonly creations: number;
  readonly end: AcceptedEdge | null;
  /** Moves to a terminal status. */
  readonly ends: number;
  /** True when another end is as early as clocks can tell. */
  readonly hasRivalEnds: boolean;
  /** True when another end is as good. */
  readonly isEndAmbiguous: boolean;
  /** The latest move before the end. */
  readonly latest: RunEdge | null;
  /** The newest gaps, oldest first, at most `MAX_OPEN_GAPS`. */
  readonly gaps: readonly OpenGap[];
  readonly gapCount: number;
  /** Places at which another order of moves is as good. */
  readonly ambiguities: number;
}

const MAX_OPEN_GAPS = 64;

export const NO_EVENTS: RunOrder = {
  position: 0,
  creation: null,
  creations: 0,
  end: null,
  ends: 0,
  hasRivalEnds: false,
  isEndAmbiguous: false,
  latest: null,
  gaps: [],
  gapCount: 0,
  ambiguities: 0,
};

/** Which moves `takeIn` must see: those around a move, the first ones, or the last ones. */
export type Surroundings = 'move' | 'first' | 'last' | 'none' | 'all';

/** Says which moves `takeIn` must see to take in an event. `all`: use `orderOf` for all events. */
export function surroundingsOf(order: RunOrder, { edge }: AcceptedEdge): Surroundings {
  const kind = kindOf(edge);
  const entry = entryOf(edge);
  const isCreatedAtEnd = isTerminal(order.creation?.edge.currentStatus ?? null);
  if (kind === 'contradiction') return 'none';
  if (kind === 'creation') {
    if (order.creation !== null) {
      return compareEntries(entry, entryOf(order.creation.edge)) < 0 ? 'all' : 'none';
    }
    if (order.position === 0) return 'none';
    return isTerminal(edge.currentStatus) || order.hasRivalEnds ? 'all' : 'first';
  }
  if (isCreatedAtEnd) return 'none';
  const { end, latest } = order;
  if (kind === 'move') {
    if (order.hasRivalEnds) return 'all';
    return end === null || isBeforeEnd(entry, entryOf(end.edge)) ? 'move' : 'none';
  }
  if (end === null) return latest === null || isBeforeEnd(entryOf(latest), entry) ? 'last' : 'all';
  return order.hasRivalEnds || isBeforeEnd(entry, entryOf(end.edge)) ? 'all' : 'none';
}

/** An order with one more event, and how that event relates to those before it. */
export interface TakenIn {
  readonly order: RunOrder;
  readonly arrival: Arrival;
}

/**
 * Adds an event to the order of a run. `moves` must be what `surroundingsOf` asks for, without the event
 * itself. Returns `null` when it depends on moves further away.
 */
export function takeIn(order: RunOrder, event: AcceptedEdge, moves: Moves): TakenIn | null {
  const counted = { ...order, position: event.position };
  const kind = kindOf(event.edge);
  const isCounted = surroundingsOf(order, event) === 'none';
  if (isCounted && kind === 'creation' && order.creation === null) {
    return { order: { ...counted, creation: event, creations: 1 }, arrival: 'applied' };
  }
  if (isCounted) {
    const creations = order.creations + (kind === 'creation' ? 1 : 0);
    const ends = order.ends + (kind === 'end' ? 1 : 0);
    return { order: { ...counted, creations, ends }, arrival: 'impossible' };
  }
  if (kind === 'creation') {
    return changedBy(order, { ...counted, creation: event, creations: 1 }, moves, event.edge);
  }
  if (kind === 'end') {
    return changedBy(order, { ...counted, end: event, ends: 1 }, moves, event.edge);
  }
  const isLatest =
    order.latest === null || compareEntries(entryOf(event.edge), entryOf(order.latest)) > 0;
  const changed = isLatest ? { ...counted, latest: event.edge } : counted;
  return changedBy(order, changed, moves, event.edge);
}

/** Finds the gaps and ambiguities that an event changes, by ordering the moves around it without and with it. */
function changedBy(
  order: RunOrder,
  changed: RunOrder,
  moves: Moves,
  added: RunEdge,
): TakenIn | null {
  const before = new Window(moves, endsOf(order));
  const edges = kindOf(added) === 'move' ? [...moves.edges, added] : moves.edges;
  const after = new Window({ ...moves, edges }, endsOf(changed));
  const { from, same } = difference(before, after);
  const [oldTo, to] = [before.order.length - same, after.order.length - same];
  const isKnown =
    before.isRightFrom(from - 1) &&
    after.isRightFrom(from - 1) &&
    before.isRightTo(oldTo) &&
    after.isRightTo(to);
  if (!isKnown) return null;
  const closed = new Set(gapsBetween(before, from, oldTo, order.end).map(gapName));
  const opened = gapsBetween(after, from, to, changed.end);
  const isLater = ({ follows }: OpenGap): boolean => {
    if (kindOf(follows) === 'end') return true;
    const index = after.indexOf(follows.id);
    const last = after.sorted.at(-1);
    if (index >= 0 || last === undefined) return index > to;
    return compareEntries(entryOf(follows), last) > 0;
  };
  const place = order.gaps.findIndex((gap) => closed.has(gapName(gap)) || isLater(gap));
  const at = place < 0 ? order.gaps.length : place;
  const rest = order.gaps.slice(at).filter((gap) => !closed.has(gapName(gap)));
  return {
    order: {
      ...changed,
      gaps: [...order.gaps.slice(0, at), ...opened, ...rest].slice(-MAX_OPEN_GAPS),
      gapCount: order.gapCount - closed.size + opened.length,
      ambiguities: order.ambiguities - before.ambiguities + after.ambiguities,
    },
    arrival: arrivalOf(added, before, after, order.end !== null),
  };
}

/** Returns how many entries two orders have in common at the start and, apart from these, at the end. */
function difference(left: Window, right: Window): { readonly from: number; readonly same: number } {
  const shorter = Math.min(left.order.length, right.order.length);
  const isSame = (one: number, other: number): boolean =>
    left.order.at(one)?.edge.id === right.order.at(other)?.edge.id;
  let from = 0;
  if (left.statusBefore(0) === right.statusBefore(0)) {
    while (from < shorter && isSame(from, from)) from += 1;
  }
  let same = 0;
  while (same < shorter - from && isSame(-1 - same, -1 - same)) same += 1;
  return { from, same };
}

export function endsOf({ creation, end }: Pick<RunOrder, 'creation' | 'end'>): Ends {
  return {
    start: creation?.edge.currentStatus ?? null,
    next: end === null ? undefined : end.edge.previousStatus,
  };
}

function arrivalOf(added: RunEdge, before: Window, after: Window, hasEnd: boolean): Arrival {
  if (kindOf(added) === 'end') return 'applied';
  // A creation is no move: its index is -1.
  const next = after.order[after.indexOf(added.id) + 1];
  if (next === undefined && !hasEnd) return 'applied';
  const wasGap =
    next === undefined
      ? before.hasGapAtEnd
      : before.order[before.indexOf(next.edge.id)]?.hasGap === true;
  return wasGap || after.gaps < before.gaps ? 'fills-gap' : 'late';
}

/** Returns the gaps before the entries from an index up to and with another one, which may be the end. */
function gapsBetween(
  window: Window,
  from: number,
  to: number,
  end: AcceptedEdge | null,
): readonly OpenGap[] {
  const gaps: OpenGap[] = [];
  for (let index = from; index <= to; index += 1) {
    const entry = window.order[index];
    const hasGap = entry === undefined ? window.hasGapAtEnd : entry.hasGap;
    const follows = entry === undefined ? end?.edge : entry.edge;
    const before = follows?.previousStatus ?? null;
    if (!hasGap || follows === undefined || before === null) continue;
    gaps.push({ after: window.statusBefore(index), before, follows });
  }
  return gaps;
}

function gapName({ after, follows }: OpenGap): string {
  return JSON.stringify([after, follows.id]);
}

/** Returns the order of all events of a run at once. `takeIn` gives the same, one event after the other. */
export function orderOf(events: readonly AcceptedEdge[]): RunOrder {
  const history = historyOf(events.map(({ edge }) => edge));
  const byId = new Map(events.map((event) => [event.edge.id, event] as const));
  const { creation, end, moves, hasRivalEnds, isEndAmbiguous } = history;
  const find = (entry: Entry | null) => entry && (byId.get(entry.edge.id) ?? null);
  const { gaps, steps } = timelineOf(history);
  const open = gaps.flatMap(({ after, before, index }): readonly OpenGap[] => {
    const follows = steps[index];
    return follows === undefined ? [] : [{ after, before, follows }];
  });
  return {
    position: events.length,
    creation: find(creation),
    creations: events.filter(({ edge }) => kindOf(edge) === 'creation').length,
    end: find(end),
    ends: events.filter(({ edge }) => kindOf(edge) === 'end').length,
    latest: moves.sorted.at(-1)?.edge ?? null,
    gaps: open.slice(-MAX_OPEN_GAPS),
    gapCount: gaps.length,
    hasRivalEnds,
    isEndAmbiguous,
    ambiguities: moves.ambiguities,
  };
}

/** Returns true when an event contradicts the others, so that it is no step of the run. */
export function isImpossible({ creation, end }: RunOrder, edge: RunEdge): boolean {
  const kind = kindOf(edge);
  if (kind === 'contradiction') return true;
  if (kind === 'creation') return creation?.edge.id !== edge.id;
  if (isTerminal(creation?.edge.currentStatus ?? null)) return true;
  if (kind === 'end') return end?.edge.id !== edge.id;
  return end !== null && !isBeforeEnd(entryOf(edge), entryOf(end.edge));
}

/** Returns the terminal status in which a run has ended; `null` when it has not. */
export function terminalStatusOf({ creation, end }: RunOrder): string | null {
  const status = (end ?? creation)?.edge.currentStatus ?? null;
  return isTerminal(status) ? status : null;
}
