import type { RunEdge } from '../order/run-edge.ts';

/** A verified delivery on its way into the store. */
export interface IncomingEvent {
  /** The idempotency key: `webhook-id`, which is the event id. */
  readonly id: string;
  /** The body exactly as received. The store keeps a copy of its own. */
  readonly body: Uint8Array;
  /** When the delivery was signed, in seconds since the epoch. */
  readonly timestamp: number;
  /** When it came, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** `conflict`: the id is taken by other bytes, which is an alarm and not a repetition. */
export type AcceptOutcome = 'new' | 'duplicate' | 'conflict';

/** `open`: to be handled. `settled`: handled for good. `dead`: set aside as a dead letter. */
export type EventState = 'open' | 'settled' | 'dead';

/** Proof of holding a piece of work; `token` grows with each lease, so that an old holder is told apart. */
export interface Lease {
  readonly work: string;
  readonly token: number;
}

/** An event that waits to be handled. */
export interface OpenEvent {
  readonly id: string;
  readonly body: Uint8Array;
  readonly receivedAt: number;
  /** Failures so far. */
  readonly attempts: number;
  /** Times that handling began without any outcome: the process ended in between. */
  readonly starts: number;
  /** Not to be handled before this time, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** What is remembered of every event of a run, handled or not. */
export interface KnownEvent {
  readonly edge: RunEdge;
  readonly state: EventState;
}

/** One piece of work: an event that nobody decoded yet, or a run with events to handle. */
export interface LeasedWork {
  readonly lease: Lease;
  /** `null`: a single event whose run is not known. */
  readonly runId: string | null;
  /** In order of acceptance. */
  readonly open: readonly OpenEvent[];
  /** All events of the run, in order of acceptance. Empty without a run. */
  readonly known: readonly KnownEvent[];
  /** True once an event was settled with `runSettled`. */
  readonly isRunSettled: boolean;
}

/** Why an event was set aside. */
export type DeadLetterReason = 'handler_failed' | 'event_quarantined' | 'event_poisoned';

export interface DeadLetter {
  readonly id: string;
  readonly runId: string | null;
  readonly reason: DeadLetterReason;
  /** What the last failure said. */
  readonly error: string;
  readonly receivedAt: number;
  readonly attempts: number;
}

/**
 * Where accepted events live until they are handled, and their ids for longer. All times are
 * milliseconds since the epoch. Before its promise resolves, what `accept` and `redrive` write is as durable
 * as the store can make it; everything else survives the end of the process, and when it is lost with the
 * machine, events are handled again. A store that cannot do its work rejects with a `StoreError`.
 *
 * Work is leased: one holder at a time for each run. What takes a lease answers `false`, and changes
 * nothing, once somebody else holds the work.
 */
export interface Store {
  open(): Promise<void>;
  /** Writes an event unless its id is known: one atomic step, over all processes that share the store. */
  accept(event: IncomingEvent): Promise<AcceptOutcome>;
  /** Takes up to `limit` pieces of work that are due at `now` and free, or whose lease ran out. */
  lease(request: { now: number; until: number; limit: number }): Promise<readonly LeasedWork[]>;
  /** Keeps the work until a later time. */
  renew(lease: Lease, until: number): Promise<boolean>;
  /** Tells to which run an event belongs, and ends the lease of the single event. */
  place(lease: Lease, id: string, runId: string, edge: RunEdge): Promise<boolean>;
  /** Notes that handling begins; a failure or a settlement takes the note away. */
  start(lease: Lease, id: string): Promise<boolean>;
  /** The event is handled for good; its body is dropped, its id kept. */
  settle(lease: Lease, id: string, options: { runSettled: boolean }): Promise<boolean>;
  recordFailure(
    lease: Lease,
    id: string,
    failure: { dueAt: number; error: string },
  ): Promise<boolean>;
  deadLetter(
    lease: Lease,
    id: string,
    failure: { reason: DeadLetterReason; error: string },
  ): Promise<boolean>;
  /** Ends the lease; the events named fall due at `dueAt`, be that later or earlier than before. */
  release(lease: Lease, wait?: { ids: readonly string[]; dueAt: number }): Promise<boolean>;
  /** The earliest time after `now` at which an open event falls due or a lease runs out. */
  nextDue(now: number): Promise<number | null>;
  /** Oldest first. */
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Opens a dead letter again with no failures; false when there is none with this id. */
  redrive(id: string, now: number): Promise<boolean>;
  /** Forgets runs and single events whose events are all settled and came before this time; says how many events. */
  purge(before: number): Promise<number>;
  /** Waits for what is being written, then lets go of everything. */
  close(): Promise<void>;
}
