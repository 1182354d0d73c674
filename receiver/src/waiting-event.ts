import { isStorable } from './event-content.ts';
import { resolveTimeline } from './order/resolve-timeline.ts';
import type { Timeline } from './order/timeline.ts';
import type { WaitingEvent, WaitingFilter, WaitingPage, WaitReason } from './processing.ts';
import type {
  EventState,
  OpenEventPage,
  PageRequest,
  Store,
  StoredOpenEvent,
} from './stores/store.ts';
import type { Pauses } from './worker/pauses.ts';

type Paused = Pick<Pauses, 'isEverything' | 'has'>;
type Read = Pick<Store, 'openEvents' | 'history'>;

/** How many open events a call looks at for those of an automation, which no store has in an index. */
const MAX_LOOKED_AT = 10_000;
const LOOK_LENGTH = 1_000;

/** Returns a page of open events, each with the reason why it waits. */
export async function waitingPage(
  store: Read,
  page: PageRequest,
  filter: WaitingFilter,
  pauses: Paused,
): Promise<WaitingPage> {
  const { items, next } = await openPage(store, page, filter);
  const reasons = items.map((event) => ({ event, why: waitReason(event, pauses) }));
  const runIds = reasons.map(({ event, why }) => (why === 'order' ? event.runId : null));
  const runs = new Map<string, Run>();
  for (const runId of new Set(runIds)) {
    if (runId !== null) runs.set(runId, await readRun(store, runId));
  }
  const described = ({ event, why }: (typeof reasons)[number]): WaitingEvent => {
    const run = why === 'order' && event.runId !== null ? runs.get(event.runId) : undefined;
    return { ...event, why, gap: run === undefined ? null : gapBefore(event.id, run) };
  };
  return { items: reasons.map(described), next };
}

async function openPage(
  store: Read,
  { after, limit }: PageRequest,
  { runId, automationId }: WaitingFilter,
): Promise<OpenEventPage> {
  if (!isStorable(runId ?? '') || !isStorable(automationId ?? '')) return { items: [], next: null };
  if (automationId === undefined) return store.openEvents({ after, limit }, runId);
  const items: StoredOpenEvent[] = [];
  let next = after;
  for (let looked = 0; looked < MAX_LOOKED_AT;) {
    // The first look is short, because most waiting events may be of this automation.
    const length = Math.min(limit + looked, LOOK_LENGTH);
    const page: OpenEventPage = await store.openEvents({ after: next, limit: length }, runId);
    looked += length;
    for (const [index, event] of page.items.entries()) {
      if (event.automationId !== automationId) continue;
      items.push(event);
      if (items.length < limit) continue;
      // A shorter page ends with this event, so its cursor is behind it.
      const shorter = await store.openEvents({ after: next, limit: index + 1 }, runId);
      return { items, next: shorter.next };
    }
    next = page.next;
    if (next === null) break;
  }
  return { items, next };
}

interface Run {
  readonly timeline: Timeline;
  readonly states: ReadonlyMap<string, EventState>;
}

async function readRun(store: Read, runId: string): Promise<Run> {
  const known = await store.history(runId);
  return {
    timeline: resolveTimeline(known.map(({ edge }) => edge)),
    states: new Map(known.map(({ edge, state }) => [edge.id, state] as const)),
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
  { edge, attempts, leasedFor, dueIn }: StoredOpenEvent,
  pauses: Paused,
): WaitReason {
  if (leasedFor !== null) return 'in_hand';
  if (pauses.isEverything || pauses.has(edge?.currentStatus ?? null)) return 'paused';
  if (dueIn === 0) return 'due';
  return attempts > 0 && dueIn !== null ? 'retry' : 'order';
}
