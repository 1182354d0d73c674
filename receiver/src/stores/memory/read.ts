import { bodiesFor } from '../first-bodies.ts';
import { cursorNumber, pageOf } from '../page.ts';
import { FIRST_CONTRADICTION } from '../../order/order-key.ts';
import { MAX_EVENTS, MAX_SETTLED_BEFORE } from '../store.ts';
import type {
  DeadLetterFilter,
  DeadLetterPage,
  KnownEvent,
  LeasedJob,
  OpenEvent,
  OpenEventPage,
  PageRequest,
  ReplayFilter,
  RunPage,
  StoredEvent,
  StoredOpenEvent,
  StoredRun,
  JobEvents,
} from '../store.ts';
import { indexOfPlace } from './jobs.ts';
import type { EventRecord, JobRecord } from './jobs.ts';

/** Returns what a lease of a job comes with. */
export function leasedEvents(
  { places, waiting }: JobRecord,
  now: number,
): Pick<LeasedJob, 'open' | 'known' | 'hasMoreBefore' | 'hasMoreAfter'> {
  const first = waitingEvents(waiting, '', now);
  const index = indexOfPlace(places, waiting[0]?.place ?? 'x');
  const before = places.slice(Math.max(index - MAX_SETTLED_BEFORE, 0), index);
  return {
    ...first,
    known: [...knownEvents(before), ...first.known],
    hasMoreBefore: index > before.length,
  };
}

/** Returns the first events after a place. */
export function waitingEvents(
  waiting: readonly EventRecord[],
  afterPlace: string,
  now: number,
): JobEvents {
  const from = afterPlace === '' ? 0 : indexOfPlace(waiting, `${afterPlace}x`);
  return jobEvents(waiting, from, now);
}

/** Returns the events around a place, up to a number on each side. */
export function nearEvents(
  { places }: JobRecord,
  place: string,
  limit: number,
): readonly KnownEvent[] {
  const index = indexOfPlace(places, place);
  return knownEvents(places.slice(Math.max(index - limit, 0), index + limit));
}

/** Returns some events of one job, the first of them at an index. */
export function jobEvents(all: readonly EventRecord[], from: number, now: number): JobEvents {
  const events = all.slice(from, from + MAX_EVENTS);
  const open = events.filter(({ state }) => state === 'open');
  const withBody = bodiesFor(open.map(({ body }) => body?.length ?? 0));
  return {
    open: open.map((event, index) => openEvent(event, index < withBody, now)),
    known: knownEvents(events),
    hasMoreAfter: all.length > from + events.length,
  };
}

function openEvent(event: EventRecord, hasBody: boolean, now: number): OpenEvent {
  const { id, position, attempts, crashes, body, acceptedAt, retryAt, isReplay, arrival } = event;
  return {
    id,
    position,
    body: hasBody ? body : null,
    age: now - acceptedAt,
    dueIn: retryAt - now,
    attempts,
    crashes,
    isReplay,
    arrival,
  };
}

export function knownEvents(events: readonly EventRecord[]): readonly KnownEvent[] {
  const known: KnownEvent[] = [];
  for (const { edge, state, position } of events) {
    if (edge !== null) known.push({ edge, state, position });
  }
  return known;
}

export function storedEvent(event: EventRecord): StoredEvent {
  const { id, automationId, state, receivedAt, attempts, edge, error, reason, isReplay, kept } =
    event;
  const { runId } = event.job;
  const known = { id, runId, automationId, state, receivedAt, attempts, edge, error, reason };
  return { ...known, isReplay, keptUntil: kept?.wall ?? null };
}

/** Returns whether an event is a dead letter that the filter chooses. */
export function isChosen(
  event: EventRecord,
  { ids, reason, runId, automationId }: DeadLetterFilter,
): boolean {
  return (
    event.state === 'dead' &&
    (ids === undefined || ids.includes(event.id)) &&
    (reason === undefined || event.reason === reason) &&
    (runId === undefined || event.job.runId === runId) &&
    (automationId === undefined || event.automationId === automationId)
  );
}

/** Returns whether the filter chooses an event. */
export function isToReplay(
  { id, job, automationId, edge, receivedAt }: EventRecord,
  { ids, runId, automationId: wanted, handler, since, until }: ReplayFilter,
): boolean {
  return (
    (ids === undefined || ids.includes(id)) &&
    (runId === undefined || job.runId === runId) &&
    (wanted === undefined || automationId === wanted) &&
    (handler === undefined || edge?.currentStatus === handler) &&
    receivedAt >= (since ?? -Infinity) &&
    receivedAt < (until ?? Infinity)
  );
}

/** Returns a page of the dead letters that match. The cursor is the number of the last one on the page before. */
export function deadLetterPage(
  events: readonly EventRecord[],
  page: PageRequest,
  filter: DeadLetterFilter,
): DeadLetterPage {
  const isWanted = (event: EventRecord): boolean => isChosen(event, filter);
  return pageIn(isWanted, events, page, (event) => ({
    id: event.id,
    runId: event.job.runId,
    automationId: event.automationId,
    reason: event.reason ?? 'handler_failed',
    error: event.error ?? '',
    receivedAt: event.receivedAt,
    attempts: event.attempts,
    crashes: event.crashes,
    isReplay: event.isReplay,
  }));
}

/** Returns a page of the open events at a monotonic time. The cursor is as in `deadLetterPage`. */
export function openEventPage(
  events: readonly EventRecord[],
  page: PageRequest,
  now: number,
): OpenEventPage {
  return pageIn(isOpen, events, page, (event) => storedOpenEvent(event, now));
}

/** Returns a page of runs, the newest first. The cursor is the number of the first event of the last one on the page before. */
export function runPage(
  jobs: readonly JobRecord[],
  { after, limit }: PageRequest,
  automationId: string | undefined,
): RunPage {
  const before = cursorNumber(after) ?? Infinity;
  const found = jobs
    .toReversed()
    .filter((job) => numberOf(job) < before)
    .filter(({ events: [first] }) => !automationId || first?.automationId === automationId);
  return pageOf(found, limit, { itemOf: storedRun, cursorOf: (job) => String(numberOf(job)) });
}

function numberOf({ events: [first] }: JobRecord): number {
  return first?.number ?? 0;
}

function storedRun({ runId, events, places, waiting }: JobRecord): StoredRun {
  const dead = waiting.filter(({ state }) => state === 'dead').length;
  const last = places.findLast(({ place }) => place < FIRST_CONTRADICTION);
  return {
    runId: runId ?? '',
    automationId: events[0]?.automationId ?? null,
    status: last?.edge?.currentStatus ?? null,
    open: waiting.length - dead,
    dead,
    settled: events.length - waiting.length,
    receivedAt: events[0]?.receivedAt ?? 0,
  };
}

function isOpen({ state }: EventRecord): boolean {
  return state === 'open';
}

function pageIn<Item>(
  isWanted: (event: EventRecord) => boolean,
  events: readonly EventRecord[],
  { after, limit }: PageRequest,
  itemOf: (event: EventRecord) => Item,
): { readonly items: readonly Item[]; readonly next: string | null } {
  const start = cursorNumber(after) ?? 0;
  const found = events.filter((event) => event.number > start && isWanted(event));
  return pageOf(found, limit, { itemOf, cursorOf: ({ number }) => String(number) });
}

function storedOpenEvent(event: EventRecord, now: number): StoredOpenEvent {
  const { lease, dueAt } = event.job;
  return {
    ...storedEvent(event),
    leasedFor: lease === null ? null : Math.max(lease.until - now, 0),
    dueIn: lease !== null || dueAt === Infinity ? null : Math.max(dueAt - now, 0),
  };
}
