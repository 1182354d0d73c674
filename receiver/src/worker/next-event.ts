import type { Timeline } from '../order/resolve-timeline.ts';
import type { OpenEvent } from '../stores/store.ts';

/** `live`: each event at once. `ordered`: in proven order, with a limited wait for missing events. */
export type Mode = 'live' | 'ordered';

export type NextEvent =
  | { readonly do: 'handle'; readonly event: OpenEvent }
  | { readonly do: 'wait'; readonly until: number }
  | { readonly do: 'stop' };

export interface OrderSettings {
  readonly mode: Mode;
  /** How long an event waits for missing earlier events. */
  readonly gapGraceMilliseconds: number;
  /** How long an event waits where a round trip can be missing without a gap. */
  readonly roundTripGraceMilliseconds: number;
}

/** The statuses between which a run can alternate. */
const ROUND_TRIP_STATUSES: ReadonlySet<string | null> = new Set(['running', 'waiting']);

interface Run {
  readonly timeline: Timeline;
  readonly open: readonly OpenEvent[];
}

/** Decides what to do with a run now: handle one event, wait until a time, or stop until a new event. */
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
  // An event that waited for its turn is handled as soon as its turn comes; only a failure binds it to its due time.
  const retryAt = event.attempts > 0 ? event.dueAt : 0;
  const until = Math.max(retryAt, event.receivedAt + grace(run, index, settings));
  return until > settings.now ? { do: 'wait', until } : { do: 'handle', event };
}

/** Returns how long after its acceptance the event at this place of the timeline waits for others. */
function grace({ timeline, open }: Run, index: number, settings: OrderSettings): number {
  if (timeline.gaps.some((gap) => gap.index === index)) return settings.gapGraceMilliseconds;
  const step = timeline.steps[index];
  if (step === undefined || !ROUND_TRIP_STATUSES.has(step.previousStatus)) return 0;
  const isNewest = timeline.steps.slice(index).every(({ id }) => open.some((one) => one.id === id));
  return isNewest ? settings.roundTripGraceMilliseconds : 0;
}

/** The limits of handling an event again after a failure. */
export interface RetryPolicy {
  /** How often an event is handled, the first time included, before it becomes a dead letter. */
  readonly maxAttempts: number;
  /** Wait after the first failure; each further failure doubles it. */
  readonly firstDelayMilliseconds: number;
  readonly maxDelayMilliseconds: number;
}

/** Returns the milliseconds to wait after this number of failures; `null` when no attempt is left. */
export function retryDelay(failures: number, policy: RetryPolicy): number | null {
  if (failures >= policy.maxAttempts) return null;
  const delay = policy.firstDelayMilliseconds * 2 ** (failures - 1);
  return Math.min(delay, policy.maxDelayMilliseconds);
}
