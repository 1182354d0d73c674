import { resolveTimeline } from '@hookproof/receiver/order';
import type { OrderingEvent, OrderingVector } from '@hookproof/spec/vectors';

import { compareTimes, parseTime } from '../../receiver/src/time.ts';

type Events = readonly OrderingEvent[];
type Found = Partial<OrderingVector['timeline']>;

/** For each flag of the ordering vectors, programs that have the mistake. */
export const mistakes: Readonly<Record<string, (events: Events) => readonly Found[]>> = {
  AmbiguityHidden: (events) => [{ ...right(events), isAmbiguous: false }],
  CreationByTime: (events) => [sorted(events)],
  DateFunction: (events) => [right(events.map((event) => retimed(event, asDate)))],
  DuplicateCounted: (events) => [
    right(events.map((event, index) => ({ ...event, id: `${event.id}${index}` }))),
  ],
  EndByArrival(events) {
    const ends = once(events).filter(({ currentStatus }) => TERMINAL.has(currentStatus));
    return [ends[0], ends.at(-1)].map((end) =>
      right(events.filter((event) => event.id === end?.id || !ends.includes(event))),
    );
  },
  EndReopened: (events) => [sorted(events), inThisOrder(once(events))],
  FractionAsInteger: (events) => [
    sorted(events.map((event) => retimed(event, (text) => withFraction(text, padded)))),
  ],
  GapHidden: (events) => [{ ...right(events), gaps: [], isUnbroken: true }],
  GapInvented: (events) => [right(events.map((event) => retimed(event, slowed)))],
  GreedyChain: (events) => [inThisOrder(greedy(once(events)))],
  ImpossibleInvented: (events) => [right(events.map((event) => retimed(event, slowed)))],
  MillisecondsOnly: (events) => [
    sorted(events.map((event) => retimed(event, (text) => withFraction(text, firstThree)))),
  ],
  RoundTripMerged(events) {
    const moves = once(events).map((event) => [moveOf(event), event] as const);
    return [right([...new Map(moves).values()])];
  },
  SecondCreation(events) {
    const last = events.findLastIndex(({ previousStatus }) => previousStatus === null);
    return [right(events.slice(last)), right(events.slice(Math.max(last - 1, 0)))];
  },
  SkewUnbounded: (events) => [right(events.map((event) => retimed(event, () => NOON)))],
  SortByArrival: (events) => [inThisOrder(once(events))],
  SortById: (events) => [inThisOrder(once(events).toSorted(byId))],
  SortByTimeOnly: (events) => [sorted(events)],
  StatusRank: (events) => [inThisOrder(once(events).toSorted(byTime).toSorted(byRank))],
  TextComparison: (events) => [inThisOrder(once(events).toSorted(byText))],
};

/** Returns true when a vector shows that a program is wrong, in its order of arrival or in reverse. */
export function detected(
  program: (events: Events) => readonly Found[],
  { events, timeline }: OrderingVector,
): boolean {
  return [events, events.toReversed()]
    .flatMap((order) => program(order))
    .some((found) =>
      Object.entries(found).some(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(expectedOf(timeline, field)),
      ),
    );
}

function expectedOf(timeline: OrderingVector['timeline'], field: string): unknown {
  return new Map<string, unknown>(Object.entries(timeline)).get(field);
}

const NOON = '2026-07-01T12:00:00Z';
const TERMINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'rejected']);
const RANKS = ['created', 'pending', 'running', 'waiting', 'finalizing', ...TERMINAL];

function right(events: Events): Found {
  const { steps, gaps, impossible, status, isUnbroken } = resolveTimeline(events);
  return { steps: idsOf(steps), gaps, impossible: idsOf(impossible), status, isUnbroken };
}

function sorted(events: Events): Found {
  return inThisOrder(once(events).toSorted(byTime));
}

function inThisOrder(events: Events): Found {
  return { steps: idsOf(events), status: events.at(-1)?.currentStatus ?? null };
}

function idsOf(events: readonly { readonly id: string }[]): string[] {
  return events.map(({ id }) => id);
}

function once(events: Events): OrderingEvent[] {
  return [...new Map(events.map((event) => [event.id, event] as const)).values()];
}

function byTime(left: OrderingEvent, other: OrderingEvent): number {
  const [one, two] = [parseTime(left.createdAt), parseTime(other.createdAt)];
  return one === null || two === null ? 0 : compareTimes(one, two);
}

function byId(left: OrderingEvent, other: OrderingEvent): number {
  return left.id < other.id ? -1 : 1;
}

function byText(left: OrderingEvent, other: OrderingEvent): number {
  if (left.createdAt === other.createdAt) return 0;
  return left.createdAt < other.createdAt ? -1 : 1;
}

function byRank(left: OrderingEvent, other: OrderingEvent): number {
  return RANKS.indexOf(left.currentStatus) - RANKS.indexOf(other.currentStatus);
}

function moveOf({ previousStatus, currentStatus }: OrderingEvent): string {
  return `${previousStatus} ${currentStatus}`;
}

/** Takes the oldest event that leaves the current status, without a look at what remains. */
function greedy(events: Events): OrderingEvent[] {
  const remaining = events.toSorted(byTime);
  const order: OrderingEvent[] = [];
  while (remaining.length > 0) {
    const status = order.at(-1)?.currentStatus ?? null;
    const next = remaining.findIndex(({ previousStatus }) => previousStatus === status);
    order.push(...remaining.splice(Math.max(next, 0), 1));
  }
  return order;
}

function retimed(event: OrderingEvent, change: (createdAt: string) => string): OrderingEvent {
  return { ...event, createdAt: change(event.createdAt) };
}

/** As a date function that has no leap second. */
function asDate(createdAt: string): string {
  return Number.isNaN(Date.parse(createdAt)) ? '1970-01-01T00:00:00Z' : createdAt;
}

/** A second for a millisecond, so that no clock may differ. */
function slowed(createdAt: string): string {
  return new Date((Date.parse(createdAt) - Date.parse(NOON)) * 1000).toISOString();
}

function withFraction(createdAt: string, change: (digits: string) => string): string {
  return createdAt.replace(/(?<=\.)\d+/, change);
}

function padded(digits: string): string {
  return digits.padStart(30, '0');
}

function firstThree(digits: string): string {
  return digits.slice(0, 3);
}
