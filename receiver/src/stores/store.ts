import type { RunEdge } from '../order/run-edge.ts';

/** A verified delivery that the store should accept. */
export interface IncomingEvent {
  /** The idempotency key: `webhook-id`, which is the event id. */
  readonly id: string;
  /** The body exactly as received. The store keeps a copy. */
  readonly body: Uint8Array;
  /** The time of signing, in seconds since the epoch. */
  readonly timestamp: number;
  /** The time of arrival, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** `conflict`: other bytes were accepted under this id before, which is an alarm and not a repetition. */
export type AcceptOutcome = 'new' | 'duplicate' | 'conflict';

/** `open`: to be handled. `settled`: handled. `dead`: a dead letter. */
export type EventState = 'open' | 'settled' | 'dead';

/** The right to process a work. `token` grows with each lease, so that an expired holder is recognised. */
export interface Lease {
  /** The name of the work; unique in the store. */
  readonly work: string;
  readonly token: number;
}

/** An event that is not handled yet. */
export interface OpenEvent {
  readonly id: string;
  readonly body: Uint8Array;
  readonly receivedAt: number;
  /** Number of failures. */
  readonly attempts: number;
  /** How often handling started without a result, because the process ended. */
  readonly starts: number;
  /** The earliest time to handle it, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** What the store remembers of every event of a run, also after it is handled. */
export interface KnownEvent {
  readonly edge: RunEdge;
  readonly state: EventState;
}

/** One work: a single event that is not decoded yet, or a run with events to handle. */
export interface LeasedWork {
  readonly lease: Lease;
  /** `null` for a single event. */
  readonly runId: string | null;
  /** The events to handle, in order of acceptance. */
  readonly open: readonly OpenEvent[];
  /** All events of the run, in order of acceptance. Empty for a single event. */
  readonly known: readonly KnownEvent[];
  /** True after an event was settled with `runSettled`. */
  readonly isRunSettled: boolean;
}

/** Why an event became a dead letter. */
export type DeadLetterReason = 'handler_failed' | 'event_quarantined' | 'event_poisoned';

export interface DeadLetter {
  readonly id: string;
  readonly runId: string | null;
  readonly reason: DeadLetterReason;
  /** The message of the last failure. */
  readonly error: string;
  readonly receivedAt: number;
  readonly attempts: number;
}

/**
 * Keeps accepted events until they are handled, and their ids for longer. All times are milliseconds
 * since the epoch. When `accept` and `redrive` resolve, their write is as durable as the store
 * can make it. All other writes survive the end of the process; if the machine loses them, events are
 * handled again. A store that cannot do its work rejects with a `StoreError`.
 *
 * Work is leased: each run has one holder at a time. Operations with a lease return `false`, and
 * change nothing, when another holder has the work.
 */
export interface Store {
  open(): Promise<void>;
  /** Writes an event unless its id is known: one atomic step over all processes that share the store. */
  accept(event: IncomingEvent): Promise<AcceptOutcome>;
  /** Leases up to `limit` works that are due at `now` and free, or whose lease has expired. */
  lease(request: { now: number; until: number; limit: number }): Promise<readonly LeasedWork[]>;
  /** Extends a lease. */
  renew(lease: Lease, until: number): Promise<boolean>;
  /** Assigns an event to its run, and ends the lease of the single event. */
  place(lease: Lease, id: string, runId: string, edge: RunEdge): Promise<boolean>;
  /** Counts a start of handling; `settle` and `recordFailure` reset the count. */
  start(lease: Lease, id: string): Promise<boolean>;
  /** Marks an event as handled: drops its body and keeps its id. */
  settle(lease: Lease, id: string, options: { runSettled: boolean }): Promise<boolean>;
  /** Counts a failure, and makes the event due at `dueAt`. */
  recordFailure(
    lease: Lease,
    id: string,
    failure: { dueAt: number; error: string },
  ): Promise<boolean>;
  /** Makes an event a dead letter. */
  deadLetter(
    lease: Lease,
    id: string,
    failure: { reason: DeadLetterReason; error: string },
  ): Promise<boolean>;
  /** Ends the lease, and makes the events in `wait` due at `dueAt`, also if that is earlier than before. */
  release(lease: Lease, wait?: { ids: readonly string[]; dueAt: number }): Promise<boolean>;
  /** Returns the earliest time after `now` at which an open event is due or a lease expires. */
  nextDue(now: number): Promise<number | null>;
  /** Returns the dead letters, oldest first. */
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Opens a dead letter again without failures. Returns false when the id is not a dead letter. */
  redrive(id: string, now: number): Promise<boolean>;
  /**
   * Forgets runs and single events whose events are all settled and arrived before this time. Returns
   * the number of events.
   */
  purge(before: number): Promise<number>;
  /** Waits for current writes, then releases all resources. */
  close(): Promise<void>;
}
