import type { PendingEvent } from './leased-events.ts';

/** When a source decides what is next. */
export interface Moment {
  /** Monotonic milliseconds. */
  readonly now: number;
  /** Whether an event with crashes may be handled now. */
  readonly maySuspect: boolean;
  /** Whether events with this handler wait. */
  readonly isPaused: (handler: string | null) => boolean;
}

/** `until` is `null` when there is nothing to wait for. */
export type NextEvent =
  | { readonly do: 'handle'; readonly event: PendingEvent }
  | { readonly do: 'wait'; readonly until: number | null };

/** Decides for events that hold up no other: the first accepted of those that are due is next. */
export function nextDue(open: Iterable<PendingEvent>, moment: Moment): NextEvent {
  let until: number | null = null;
  let next: PendingEvent | null = null;
  for (const event of open) {
    const at = readyAt(event, moment);
    if (at > moment.now) until = Math.min(until ?? Infinity, at);
    else if (next === null || event.position < next.position) next = event;
  }
  return next === null ? { do: 'wait', until } : { do: 'handle', event: next };
}

/** Decides for events in the order of their acceptance: one that failed holds up those after it. */
export function nextSerial(open: Iterable<PendingEvent>, moment: Moment): NextEvent {
  let first: PendingEvent | null = null;
  for (const event of open) if (first === null || event.position < first.position) first = event;
  return first === null ? { do: 'wait', until: null } : whenReady(first, 0, moment);
}

/** Decides for one event, that also waits for a time of its source. */
export function whenReady(event: PendingEvent, notBefore: number, moment: Moment): NextEvent {
  const until = Math.max(readyAt(event, moment), notBefore);
  return until > moment.now ? { do: 'wait', until } : { do: 'handle', event };
}

/** How long an event with crashes waits for its turn before it looks again. */
const TURN_MILLISECONDS = 1_000;

/** How long an event of a paused handler waits, unless the pause ends before. */
const PAUSE_MILLISECONDS = 60_000;

/** Returns when an event may be handled, apart from its order. */
function readyAt(
  { attempts, crashes, retryAt, handler }: PendingEvent,
  { now, maySuspect, isPaused }: Moment,
): number {
  if (isPaused(handler)) return now + PAUSE_MILLISECONDS;
  if (attempts === 0 && crashes === 0) return 0;
  return crashes === 0 || maySuspect ? retryAt : Math.max(retryAt, now + TURN_MILLISECONDS);
}
