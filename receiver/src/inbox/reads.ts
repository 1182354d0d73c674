import type { Gap, RunEdge } from '../order/timeline.ts';
import { INBOX } from '../processing/processing.ts';
import { FILTERS, requireFilter } from '../processing/event-filter.ts';
import type { DeadLetterFilter } from '../processing/event-filter.ts';
import type { StoredEvent } from '../processing/stored-event.ts';
import { deadLetterGroups } from './dead-letter-groups.ts';
import { indentJson } from './indent-json.ts';
import type { WaitingEvent } from '../processing/waiting-event.ts';
import type { InboxSource } from './source.ts';

const PAGE_LENGTH = 50;
/** How many events of a run are shown, the last ones. */
const MAX_DESCRIBED = 100;
const MAX_PAYLOAD_LENGTH = 64 * 1024;

/** @throws {TypeError} When there is no such read. */
export function readFor(
  source: InboxSource,
  what: string,
  query: URLSearchParams,
): Promise<unknown> {
  const after = query.get('after');
  const page = { ...(after !== null && { after }), limit: PAGE_LENGTH };
  switch (what) {
    case 'stats':
      return countsOf(source);
    case 'hours':
      return source.byHour();
    case 'waiting':
      return source.waiting({ ...page, ...filterIn(query) });
    case 'dead':
      return source.deadLetters({ ...page, ...deadFilterIn(query) });
    case 'groups':
      return deadLetterGroups(source, deadFilterIn(query));
    case 'runs': {
      const [automationId, name] = [query.get('automationId'), query.get('source')];
      return source.runs({
        ...page,
        ...(automationId !== null && { automationId }),
        ...(name !== null && { source: name }),
      });
    }
    case 'payload':
      return readPayload(source, query.get('id') ?? '', query.get('source') ?? undefined);
    case 'count':
      return countDead(source, query);
    case 'replayable':
      return countReplayable(source, query);
    case 'find':
      return find(source, query.get('id')?.trim() ?? '', query.get('source') ?? undefined);
    default:
      throw new TypeError(
        'read must be stats, hours, waiting, dead, groups, runs, count, replayable, find or payload, got another.',
      );
  }
}

async function countsOf(source: InboxSource): Promise<object> {
  return { ...(await source.stats()), sources: source.sources };
}

/** Counts the dead letters that a filter chooses, before they are changed. */
async function countDead(source: InboxSource, query: URLSearchParams): Promise<object> {
  return { count: await source.discard(deadFilterIn(query), { dryRun: true }) };
}

/** Counts the handled events that can be replayed, before they are. */
async function countReplayable(source: InboxSource, query: URLSearchParams): Promise<object> {
  return { count: await source.replay(filterIn(query), { dryRun: true }) };
}

function deadFilterIn(query: URLSearchParams): DeadLetterFilter {
  const filter = filterIn(query);
  requireFilter(filter, FILTERS.dead);
  return filter;
}

/** Returns everything that a query says apart from what to read and where a page begins. */
function filterIn(query: URLSearchParams): Readonly<Record<string, string | number>> {
  const { read: _read, after: _after, since, until, ...named } = Object.fromEntries(query);
  return {
    ...named,
    ...(since !== undefined && { since: Number(since) }),
    ...(until !== undefined && { until: Number(until) }),
  };
}

/** A run for people: its last events in order, and what they prove. */
export interface FoundRun {
  readonly source: string;
  readonly runId: string;
  readonly automationId: string | null;
  readonly status: string | null;
  readonly isTerminal: boolean;
  readonly isUnbroken: boolean;
  readonly isAmbiguous: boolean;
  /** How many gaps the whole run has. */
  readonly gaps: number;
  /** How many events come before those in `steps`. */
  readonly earlier: number;
  readonly steps: readonly { readonly gap: Gap | null; readonly event: FoundEvent }[];
  /** Events that fit nowhere into the chain of statuses. */
  readonly impossible: readonly FoundEvent[];
}

/** An event, and why it waits if it does. */
export interface FoundEvent extends StoredEvent {
  readonly waits: Pick<WaitingEvent, 'why' | 'gap' | 'dueIn' | 'leasedFor'> | null;
}

/** What the store knows under an id. */
export interface Found {
  readonly run: FoundRun | null;
  readonly event: FoundEvent | null;
  /** Other sources with an event of this id. */
  readonly alsoIn: readonly string[];
  /** The id, when it is that of an agent or workflow with runs. */
  readonly automationId: string | null;
}

/**
 * Finds a run, an event and its run, or an agent or workflow by id, of any source without a name.
 */
async function find(source: InboxSource, id: string, name: string | undefined): Promise<Found> {
  const nothing: Found = { run: null, event: null, alsoIn: [], automationId: null };
  if (id === '') return nothing;
  const event = await source.inspect(id, name);
  if (event !== null) {
    const run = event.runId === null ? null : await findRun(source, event.runId, event.source);
    const alsoIn = await othersWith(source, id, event.source);
    return { ...nothing, run, event: { ...event, waits: null }, alsoIn };
  }
  const run = await findRun(source, id, name);
  if (run !== null) return { ...nothing, run };
  const { items } = await source.runs({ automationId: id, limit: 1 });
  return { ...nothing, automationId: items.length > 0 ? id : null };
}

/** Returns the other sources of the receiver with an event of this id. */
async function othersWith(
  source: InboxSource,
  id: string,
  name: string,
): Promise<readonly string[]> {
  const others = source.sources.filter((each) => each !== name);
  const found = await Promise.all(others.map((each) => source.inspect(id, each)));
  return others.filter((_, index) => found[index] !== null);
}

/** Finds a run of a source; without a name, of the first that has it. */
async function findRun(
  source: InboxSource,
  runId: string,
  name: string | undefined,
): Promise<FoundRun | null> {
  const history = await source[INBOX].history(runId, name);
  const [first] = history?.events ?? [];
  if (history === null || first === undefined) return null;
  const { events: known, timeline } = history;
  const filter = { source: first.source, runId, limit: MAX_DESCRIBED };
  const waiting = new Map(
    (await source.waiting(filter)).items.map(({ id, why, gap, dueIn, leasedFor }) => {
      return [id, { why, gap, dueIn, leasedFor }] as const;
    }),
  );
  const events = new Map(
    known.map((event) => [event.id, { ...event, waits: waiting.get(event.id) ?? null }] as const),
  );
  const described = (edges: readonly RunEdge[]): FoundEvent[] =>
    edges.slice(-MAX_DESCRIBED).flatMap(({ id }) => events.get(id) ?? []);
  const { status, isTerminal, isUnbroken, isAmbiguous, gaps } = timeline;
  const earlier = Math.max(timeline.steps.length - MAX_DESCRIBED, 0);
  const steps = described(timeline.steps).map((event, index) => ({
    gap: gaps.find((gap) => gap.index === earlier + index) ?? null,
    event,
  }));
  return {
    source: first.source,
    runId,
    automationId: first.automationId,
    status,
    isTerminal,
    isUnbroken,
    isAmbiguous,
    gaps: gaps.length,
    earlier,
    steps,
    impossible: described(timeline.impossible),
  };
}

/** The body of an event for people. */
export interface Payload {
  /**
   * Indented when it is JSON, with its numbers as they were sent; `null`: the store keeps no body
   * of this event.
   */
  readonly text: string | null;
  readonly bytes: number;
  readonly isCut: boolean;
}

async function readPayload(
  source: InboxSource,
  id: string,
  name: string | undefined,
): Promise<Payload> {
  const body = await source.body(id, name);
  if (body === null) return { text: null, bytes: 0, isCut: false };
  const text = indentJson(new TextDecoder().decode(body), MAX_PAYLOAD_LENGTH);
  const isCut = text.length > MAX_PAYLOAD_LENGTH;
  return { text: text.slice(0, MAX_PAYLOAD_LENGTH), bytes: body.length, isCut };
}
