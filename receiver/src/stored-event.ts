import { edgeFromFacts } from './runs/event-content.ts';
import { resolveTimeline } from './order/resolve-timeline.ts';
import type { RunEdge } from './order/run-edge.ts';
import type {
  DeadLetterReason,
  EventRecord,
  EventState,
  KeyRecord,
  PastAttempt,
} from './stores/store.ts';

/** What is known of one event, without its body. Times are milliseconds since the epoch. */
export interface StoredEvent {
  /** The name of its source; `platform` for a receiver without `sources`. */
  readonly source: string;
  /** The event id, unique within its source. */
  readonly id: string;
  /** The type of the event; `null` when it is not known. */
  readonly type: string | null;
  /** What it belongs to, such as the run; `null`: it stands alone. */
  readonly key: string | null;
  /** The name by which its handling is paused and listed; `null`: it has none. */
  readonly handler: string | null;
  /** `null` for an event without a run, and for a body that is not an event. */
  readonly runId: string | null;
  /** The agent or workflow of its run. */
  readonly automationId: string | null;
  /** `open`: it is to be handled. `dead`: it is a dead letter. */
  readonly state: EventState;
  /** From which status to which it leads; `null` for an event without a run. */
  readonly edge: RunEdge | null;
  /** When it was accepted. */
  readonly receivedAt: number;
  /** When it was handled or discarded; `null` while it is not. */
  readonly handledAt: number | null;
  /** Number of failures since it was accepted, redriven or replayed. */
  readonly attempts: number;
  /** When the first of them was; later by each pause since. */
  readonly firstFailedAt: number | null;
  /** The newest ten failures, the oldest first, also those before a redrive or replay. */
  readonly failures: readonly PastAttempt[];
  /** How often in a row the process ended while it handled the event. */
  readonly crashes: number;
  /** The message of the last failure. */
  readonly error: string | null;
  /** Why it is a dead letter; `null` when it is none. */
  readonly reason: DeadLetterReason | null;
  /** True once it was handled and then replayed. */
  readonly isReplay: boolean;
  /**
   * Until when the body of a handled event is kept; `null`: it is not, and the event cannot be
   * replayed.
   */
  readonly keptUntil: number | null;
}

/** An event that nothing handles any more until it is redriven. */
export interface DeadLetter extends StoredEvent {
  /** Why nothing handles it any more. */
  readonly reason: DeadLetterReason;
  /** The message of the last failure. */
  readonly error: string;
}

/** Some dead letters, oldest first. */
export interface DeadLetterPage {
  /** Oldest first. */
  readonly items: readonly DeadLetter[];
  /** Pass it as `after` to read the next page; `null` at the end. */
  readonly next: string | null;
}

/** A run with the number of its events by state. */
export interface StoredRun {
  /** The run id. */
  readonly runId: string;
  /** The agent or workflow. */
  readonly automationId: string | null;
  /**
   * The status after its last known event, as in `timeline()`; `null` when each known event
   * contradicts itself.
   */
  readonly status: string | null;
  /** How many of its events are not handled yet. */
  readonly open: number;
  /** How many of its events are dead letters. */
  readonly dead: number;
  /** How many of its events are handled and remembered. */
  readonly handled: number;
  /** When its first event was accepted, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Some runs, the newest first. */
export interface RunPage {
  /** Those that began last come first. */
  readonly items: readonly StoredRun[];
  /** Pass it as `after` to read the next page; `null` at the end. */
  readonly next: string | null;
}

export function storedEvent(record: EventRecord): StoredEvent {
  const { source, id, type, key, handler, owner, facts } = record;
  const { state, receivedAt, handledAt, attempts, firstFailedAt, failures, crashes } = record;
  const { error, reason, isReplay, keptUntil } = record;
  const edge = edgeFromFacts(id, facts);
  return {
    source,
    id,
    type,
    key,
    handler,
    runId: edge === null ? null : key,
    automationId: owner,
    state,
    edge,
    receivedAt,
    handledAt,
    attempts,
    firstFailedAt,
    failures,
    crashes,
    error,
    reason,
    isReplay,
    keptUntil,
  };
}

export function deadLetter(record: EventRecord): DeadLetter {
  const { reason, error } = record;
  return {
    ...storedEvent(record),
    reason: reason ?? 'handler_failed',
    error: error ?? '',
  };
}

export function storedRun({ key: runId, owner, events, ...record }: KeyRecord): StoredRun {
  const edges = events.flatMap(({ id, facts }) => edgeFromFacts(id, facts) ?? []);
  const { open, dead, handled, receivedAt } = record;
  const { status } = resolveTimeline(edges);
  return { runId, automationId: owner, status, open, dead, handled, receivedAt };
}
