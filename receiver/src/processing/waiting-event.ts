import type { Gap, Timeline } from '../order/timeline.ts';
import { edgesIn, eventsOfRun } from './history.ts';
import { storedEvent } from './stored-event.ts';
import type { StoredEvent } from './stored-event.ts';
import type { EventFilter, EventRecord, EventState, PageRequest, Store } from '../stores/store.ts';
import type { Pauses } from '../worker/pauses.ts';
import type { Walk } from '../worker/source-work.ts';

/**
 * Why an event waits:
 *
 * - `paused`: its handler, its source or every handler is paused;
 * - `in_hand`: a process handles its run now;
 * - `retry`: its handler failed or its process ended, and the next attempt is later;
 * - `order`: it waits for earlier events of its run, or for the grace that they have;
 * - `due`: nothing holds it up.
 */
export type WaitReason = 'paused' | 'in_hand' | 'retry' | 'order' | 'due';

/** An event that is not handled yet. Durations are milliseconds at the time of the call. */
export interface WaitingEvent extends StoredEvent {
  /** How long its run is leased without renewal; `null` when it is free. */
  readonly leasedFor: number | null;
  /**
   * How long until its run is due, 0 when it is; `null`: not before another event or the end of a
   * lease.
   */
  readonly dueIn: number | null;
  /** Why it is not handled now. */
  readonly why: WaitReason;
  /**
   * `order`: the gap before it, in which events are missing. `null` when it waits for something
   * else, for instance for an earlier event of its run that failed.
   */
  readonly gap: Pick<Gap, 'after' | 'before'> | null;
}

/** Some waiting events, oldest first. */
export interface WaitingPage {
  /** Oldest first. */
  readonly items: readonly WaitingEvent[];
  /** Pass it as `after` to read the next page; `null` at the end. */
  readonly next: string | null;
}

type Paused = Pick<Pauses, 'has'>;

/** Returns a page of open events, each with the reason why it waits. */
export async function waitingPage(
  store: Pick<Store, 'list'>,
  filter: EventFilter,
  page: PageRequest,
  pauses: Paused,
  walk: Walk | null,
): Promise<WaitingPage> {
  const { items, next } = await store.list({ ...filter, state: 'open' }, page);
  const runs = new Map<string, Run>();
  const waiting: WaitingEvent[] = [];
  for (const record of items) {
    const event = storedEvent(record, walk);
    const { source, id, runId } = event;
    const why = waitReason(record, pauses);
    let gap: WaitingEvent['gap'] = null;
    if (why === 'order' && runId !== null && walk !== null) {
      const name = JSON.stringify([source, runId]);
      const run = runs.get(name) ?? (await readRun(store, source, runId, walk));
      runs.set(name, run);
      gap = gapBefore(id, run);
    }
    waiting.push({ ...event, leasedFor: record.leasedFor, dueIn: record.dueIn, why, gap });
  }
  return { items: waiting, next };
}

interface Run {
  readonly timeline: Timeline;
  readonly states: ReadonlyMap<string, EventState>;
}

async function readRun(
  store: Pick<Store, 'list'>,
  source: string,
  runId: string,
  walk: Walk,
): Promise<Run> {
  const records = await eventsOfRun(store, source, runId, walk);
  return {
    timeline: walk.resolve(edgesIn(records, walk)),
    states: new Map(records.map(({ id, state }) => [id, state] as const)),
  };
}

/** Returns the last gap before an event; `null` when events after that gap are handled already. */
function gapBefore(id: string, { timeline, states }: Run): WaitingEvent['gap'] {
  const { steps, gaps } = timeline;
  const index = steps.findIndex((step) => step.id === id);
  const gap = gaps.findLast((each) => each.index <= index);
  const first = steps[gap?.index ?? -1];
  if (gap === undefined || first === undefined || states.get(first.id) !== 'open') return null;
  return { after: gap.after, before: gap.before };
}

function waitReason(
  { source, handler, attempts, crashes, leasedFor, dueIn }: EventRecord,
  pauses: Paused,
): WaitReason {
  if (leasedFor !== null) return 'in_hand';
  if (pauses.has(source, handler)) return 'paused';
  if (dueIn === 0) return 'due';
  return attempts + crashes > 0 && dueIn !== null ? 'retry' : 'order';
}
