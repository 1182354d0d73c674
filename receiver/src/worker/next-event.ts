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
  /** Whether events of a status wait; `null` is the status of an event without a run. */
  readonly isPaused: (status: string | null) => boolean;
}

/** An event that is not handled yet. Times are monotonic milliseconds. */
export interface PendingEvent {
  readonly id: string;
  /** `null` for an event without a run. */
  readonly status: string | null;
  readonly position: number;
  readonly attempts: number;
  /** How often a process ended while it handled this event, since the last outcome. */
  readonly crashes: number;
  readonly acceptedAt: number;
  /** When it may be handled; later than its acceptance only after a failure or a crash. */
  readonly retryAt: number;
}

/** `until` is `null` when there is nothing to wait for. */
export type NextEvent<Event> =
  | { readonly do: 'handle'; readonly event: Event }
  | { readonly do: 'wait'; readonly until: number | null };

/** The first open event in the order of its run, and what can be missing before it. */
export interface FirstEvent<Event> {
  readonly event: Event;
  /** `round-trip`: no later event is handled, and a round trip to the status that it leaves shows no gap. */
  readonly waitsFor: 'gap' | 'round-trip' | 'nothing';
}

/**
 * Decides in `ordered` mode: the first open event is next, after its grace. A failed event holds up the
 * rest of its run.
 */
export function nextInOrder<Event extends PendingEvent>(
  first: FirstEvent<Event> | null,
  settings: MomentSettings,
): NextEvent<Event> {
  if (first === null) return { do: 'wait', until: null };
  const { event, waitsFor } = first;
  const until = Math.max(readyAt(event, settings), event.acceptedAt + grace(waitsFor, settings));
  return until > settings.now ? { do: 'wait', until } : { do: 'handle', event };
}

/** Decides in `live` mode, and for a single event: the one that was accepted first of those that are due. */
export function nextLive<Event extends PendingEvent>(
  open: Iterable<Event>,
  settings: MomentSettings,
): NextEvent<Event> {
  let until: number | null = null;
  let next: Event | null = null;
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
  { attempts, crashes, retryAt, status }: PendingEvent,
  { now, maySuspect, isPaused }: MomentSettings,
): number {
  if (isPaused(status)) return now + PAUSE_MILLISECONDS;
  if (attempts === 0 && crashes === 0) return 0;
  return crashes === 0 || maySuspect ? retryAt : Math.max(retryAt, now + TURN_MILLISECONDS);
}

/** Returns how long after its acceptance the first open event waits for others. */
function grace(waitsFor: FirstEvent<unknown>['waitsFor'], settings: OrderSettings): number {
  if (waitsFor === 'gap') return settings.gapGraceMilliseconds;
  return waitsFor === 'round-trip' ? settings.roundTripGraceMilliseconds : 0;
}

/** The limits of handling an event again after a failure. */
export interface RetryPolicy {
  /** How often an event is handled, the first time included, before it becomes a dead letter. */
  readonly maxAttempts: number;
  /** Wait after the first failure; each further failure doubles it. */
  readonly firstDelayMilliseconds: number;
  readonly maxDelayMilliseconds: number;
}

/**
 * Returns the milliseconds to wait after this number of failures, and at least `asked`; `null` when no attempt
 * is left.
 */
export function retryDelay(
  failures: number,
  policy: RetryPolicy,
  asked: number = 0,
): number | null {
  if (failures >= policy.maxAttempts) return null;
  return Math.max(backoff(failures, policy), asked);
}

/** Returns the wait after this number of failures or crashes in a row. */
export function backoff(
  count: number,
  { firstDelayMilliseconds, maxDelayMilliseconds }: RetryPolicy,
): number {
  return Math.min(firstDelayMilliseconds * 2 ** (count - 1), maxDelayMilliseconds);
}
