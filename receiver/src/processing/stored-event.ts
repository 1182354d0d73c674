import { edgesIn } from './history.ts';
import type { RunEdge } from '../order/timeline.ts';
import type { DeadLetterReason, EventRecord, KeyRecord, KnownEvent } from '../stores/store.ts';
import type { Walk } from '../worker/source-work.ts';

/** What is known of one event, without its body. Times are milliseconds since the epoch. */
export interface StoredEvent extends KnownEvent {
  /** `null` for an event without a run, and for a body that is not an event. */
  readonly runId: string | null;
  /** The agent or workflow of its run. */
  readonly automationId: string | null;
  /** From which status to which it leads; `null` for an event without a run. */
  readonly edge: RunEdge | null;
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

export function storedEvent(record: EventRecord, walk: Walk | null): StoredEvent {
  const { owner, facts, leasedFor: _leasedFor, dueIn: _dueIn, ...known } = record;
  const edge = walk?.edgeFrom(known.id, facts) ?? null;
  return { ...known, runId: edge === null ? null : known.key, automationId: owner, edge };
}

export function deadLetter(record: EventRecord, walk: Walk | null): DeadLetter {
  const { reason, error } = record;
  return {
    ...storedEvent(record, walk),
    reason: reason ?? 'handler_failed',
    error: error ?? '',
  };
}

export function storedRun(
  { key: runId, owner, events, ...record }: KeyRecord,
  walk: Walk,
): StoredRun {
  const { open, dead, handled, receivedAt } = record;
  const { status } = walk.resolve(edgesIn(events, walk));
  return { runId, automationId: owner, status, open, dead, handled, receivedAt };
}
