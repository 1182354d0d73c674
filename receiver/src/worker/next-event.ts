import type { Timeline } from '../order/resolve-timeline.ts';
import type { OpenEvent } from '../stores/store.ts';

/** `live`: each event at once. `ordered`: in proven order, waiting for what is missing for a while. */
export type Mode = 'live' | 'ordered';

export type NextEvent =
  | { readonly do: 'handle'; readonly event: OpenEvent }
  | { readonly do: 'wait'; readonly until: number }
  | { readonly do: 'stop' };

export interface OrderSettings {
  readonly mode: Mode;
  /** How long an event waits for what is missing before it. */
  readonly gapGraceMilliseconds: number;
  /** How long an event waits where a round trip may be missing, which leaves no gap. */
  readonly roundTripGraceMilliseconds: number;
}

/** The statuses between which a run may go to and fro. */
const ROUND_TRIP_STATUSES: ReadonlySet<string | null> = new Set(['running', 'waiting']);

interface Run {
  readonly timeline: Timeline;
  readonly open: readonly OpenEvent[];
}

/** What to do now with a run: handle one event, wait for a time, or stop until something comes. */
export function nextEvent(run: Run, settings: OrderSettings & { readonly now: number }): NextEvent {
  return settings.mode === 'live' ? nextLive(run.open, settings.now) : nextOrdered(run, settings);
}

function nextLive(open: readonly OpenEvent[], now: number): NextEvent {
  const event = open.find(({ dueAt }) => dueAt <= now);
  return event === undefined ? { do: 'stop' } : { do: 'handle', event };
}

function nextOrdered(run: Run, settings: OrderSettings & { readonly now: number }): NextEvent {
  const open = new Map(run.open.map((event) => [event.id, event] as const));
  const order = [...run.timeline.steps, ...run.timeline.impossible];
  const index = order.findIndex(({ id }) => open.has(id));
  const event = open.get(order[index]?.id ?? '');
  if (event === undefined) return { do: 'stop' };
  // What waited for its turn may go as soon as that comes; only a failure makes its due time binding.
  const retryAt = event.attempts > 0 ? event.dueAt : 0;
  const until = Math.max(retryAt, event.receivedAt + grace(run, index, settings));
  return until > settings.now ? { do: 'wait', until } : { do: 'handle', event };
}

/** How long after its acceptance the event at this place of the timeline waits for others. */
function grace({ timeline, open }: Run, index: number, settings: OrderSettings): number {
  if (timeline.gaps.some((gap) => gap.index === index)) return settings.gapGraceMilliseconds;
  const step = timeline.steps[index];
  if (step === undefined || !ROUND_TRIP_STATUSES.has(step.previousStatus)) return 0;
  const isNewest = timeline.steps.slice(index).every(({ id }) => open.some((one) => one.id === id));
  return isNewest ? settings.roundTripGraceMilliseconds : 0;
}
