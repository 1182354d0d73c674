import type { PendingEvent } from './leased-events.ts';
import type { FirstOpen } from './run.ts';

/** `live`: each event at once. `ordered`: in order, with a limited wait for missing events. */
export type Mode = 'live' | 'ordered';

export interface OrderSettings {
  readonly mode: Mode;
  /** How long an event waits for missing earlier events. */
  readonly gapGraceMilliseconds: number;
  /** How long an event waits where a round trip can be missing without a gap. */
  readonly roundTripGraceMilliseconds: number;
}

interface MomentSettings extends OrderSettings {
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

/**
 * Decides in `ordered` mode: the first open event is next, after its grace. A failed event holds up
 * the rest of its run.
 */
export function nextInOrder(
  first: FirstOpen | null,
  open: ReadonlyMap<string, PendingEvent>,
  settings: MomentSettings,
): NextEvent {
  const event = first === null ? undefined : open.get(first.id);
  if (first === null || event === undefined) return { do: 'wait', until: null };
  const { waitsFor } = first;
  const until = Math.max(readyAt(event, settings), event.acceptedAt + grace(waitsFor, settings));
  return until > settings.now ? { do: 'wait', until } : { do: 'handle', event };
}

/**
 * Decides in `live` mode, and for a single event: the one that was accepted first of those that are
 * due.
 */
export function nextLive(open: Iterable<PendingEvent>, settings: MomentSettings): NextEvent {
  let until: number | null = null;
  let next: PendingEvent | null = null;
  for (const event of open) {
    const at = readyAt(event, settings);
    if (at > settings.now) until = Math.min(until ?? Infinity, at);
    else if (next === null || event.position < next.position) next = event;
  }
  return next === null ? { do: 'wait', until } : { do: 'handle', event: next };
}

/** How long an event with crashes waits for its turn before it looks again. */
const TURN_MILLISECONDS = 1_000;

/** How long an event of a paused handler waits, unless the pause ends before. */
const PAUSE_MILLISECONDS = 60_000;

/** Returns when an event may be handled, apart from its order. */
function readyAt(
  { attempts, crashes, retryAt, handler }: PendingEvent,
  { now, maySuspect, isPaused }: MomentSettings,
): number {
  if (isPaused(handler)) return now + PAUSE_MILLISECONDS;
  if (attempts === 0 && crashes === 0) return 0;
  return crashes === 0 || maySuspect ? retryAt : Math.max(retryAt, now + TURN_MILLISECONDS);
}

/** Returns how long after its acceptance the first open event waits for others. */
function grace(waitsFor: FirstOpen['waitsFor'], settings: OrderSettings): number {
  if (waitsFor === 'gap') return settings.gapGraceMilliseconds;
  return waitsFor === 'round-trip' ? settings.roundTripGraceMilliseconds : 0;
}
