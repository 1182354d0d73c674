import type { Clock } from '../clock.ts';

/** A verified delivery, as its source describes it. */
export interface NewEvent {
  /** Which sender it comes from. An id is unique within its source. */
  readonly source: string;
  readonly id: string;
  /**
   * What is handled one after another: events of one source with the same key are one job. `null`:
   * the event is a job of its own.
   */
  readonly key: string | null;
  /** For people who search: what the key belongs to. */
  readonly owner: string | null;
  readonly type: string | null;
  /** The name by which its handling is paused, listed and replayed. */
  readonly handler: string | null;
  /** What else the source knows of it. No store reads it. */
  readonly facts: string | null;
  /** Exactly as received. The store keeps a copy until the event is handled. */
  readonly body: Uint8Array;
  /** When the delivery was signed, in seconds since the epoch. */
  readonly timestamp: number;
  /**
   * Why it can never be handled: it is a dead letter from the start. `null`: it is to be handled.
   */
  readonly error: string | null;
}

/**
 * `conflict`: other bytes were accepted under this id before, which is an alarm and not a
 * repetition.
 */
export type AcceptOutcome = 'new' | 'duplicate' | 'conflict';

/** `open`: to be handled. `dead`: a dead letter. */
export type EventState = 'open' | 'handled' | 'dead';

/**
 * Why an event can become a dead letter: its handlers failed too long or gave it up, its output
 * does not match the schema of `withOutput()`, its body is not an event, or the process ended too
 * often during it.
 */
export const DEAD_LETTER_REASONS = [
  'handler_failed',
  'output_invalid',
  'event_quarantined',
  'event_poisoned',
] as const;

/** Why an event became a dead letter. */
export type DeadLetterReason = (typeof DEAD_LETTER_REASONS)[number];

/**
 * The right to handle a job. `token` grows with each lease of the job, so that a holder that lost
 * its lease is recognized.
 */
export interface Lease {
  /** The name of the job; unique in the store. */
  readonly job: string;
  readonly token: number;
}

export interface TakeRequest {
  /**
   * Unique to this receiver. SQLite can see from the name that a receiver is gone: `holderName()`.
   */
  readonly holder: string;
  /**
   * The jobs that this holder handles now. They are never returned, also when their lease has
   * expired.
   */
  readonly inHand: readonly string[];
  /** Maximum number of jobs to return. */
  readonly limit: number;
  /** Length of each lease in milliseconds. */
  readonly leaseFor: number;
}

export interface Taken {
  readonly jobs: readonly LeasedJob[];
  /**
   * How long until another job is due or a lease of another holder expires, in milliseconds; 0 when
   * there may be more jobs now, `null` when there is nothing to wait for.
   */
  readonly nextIn: number | null;
}

/**
 * How many events of a job a lease comes with, the newest ones. Those that are not handled come
 * with it in any case.
 */
export const MAX_JOB_EVENTS = 1_000;

/** One leased job with its newest events, and all that are not handled, by position. */
export interface LeasedJob {
  readonly lease: Lease;
  readonly source: string;
  readonly key: string | null;
  readonly events: readonly JobEvent[];
  /**
   * The highest position of an event in the job. With more than `events.length` older handled
   * events are left out.
   */
  readonly lastPosition: number;
  /** True after an event was handled with `settlesJob`, until that event is replayed. */
  readonly isSettled: boolean;
}

/** An event of a leased job. */
export interface JobEvent {
  readonly id: string;
  /** 1 for the first accepted event of the job, 2 for the next, without holes. */
  readonly position: number;
  readonly state: EventState;
  readonly handler: string | null;
  readonly facts: string | null;
  /** What only an open event has. */
  readonly open: OpenFacts | null;
}

/** Durations are milliseconds at the time of the call. */
export interface OpenFacts {
  /** How long ago it was accepted. */
  readonly age: number;
  /**
   * How long until it may be handled; 0 or less: now. Only a failure delays an event. After a crash
   * it counts from the moment in which the store noticed it.
   */
  readonly dueIn: number;
  /** Number of failures since it was accepted, redriven or replayed. */
  readonly attempts: number;
  /**
   * How long ago the first of them was, without the time in which the event was paused; 0 when
   * there was none.
   */
  readonly failingFor: number;
  /**
   * How often the lease of a holder expired while it handled this event, since the last outcome.
   */
  readonly crashes: number;
  /** True after a replay. */
  readonly isReplay: boolean;
}

/** One failed attempt to handle an event. */
export interface Attempt {
  /** The handler that failed, if one was called: its name in `handlers`. */
  readonly handler: string | null;
  /** What was thrown, for people. */
  readonly error: string;
  /** How long it took. */
  readonly milliseconds: number;
}

/** How many attempts of an event are remembered, the newest ones. */
export const MAX_ATTEMPTS_KEPT = 10;

/** The result of handling one event. An event that is not open is left as it is. */
export type Outcome =
  | {
      readonly id: string;
      /** What becomes of the event. */
      readonly as: 'handled';
      /** True when the job is settled with this event. */
      readonly settlesJob: boolean;
      /** How long the body is kept from now on, in milliseconds; 0: it is deleted. */
      readonly keepBodyFor: number;
    }
  | {
      readonly id: string;
      readonly as: 'failed';
      /** How long until the next attempt, in milliseconds. */
      readonly dueIn: number;
      readonly attempt: Attempt;
    }
  | {
      readonly id: string;
      readonly as: 'dead';
      readonly reason: DeadLetterReason;
      /** For people. */
      readonly error: string;
      /** The attempt that failed; `null` when the event is given up without one. */
      readonly attempt: Attempt | null;
    };

/** What becomes of a lease. */
export type Next =
  | {
      readonly do: 'hold';
      /** How long from now on, in milliseconds. */
      readonly leaseFor: number;
      /** The event that is handled from now on, as with `begin()`; `null`: none. */
      readonly begin: string | null;
    }
  | {
      readonly do: 'release';
      /** How long until the job is due again, in milliseconds; `null`: not before another event. */
      readonly dueIn: number | null;
    };

export interface Finished {
  /** False: another holder has the job, and nothing was written. */
  readonly isHeld: boolean;
  /** The highest position of an event in the job. */
  readonly lastPosition: number;
  /** The body of the event that `next` begins. */
  readonly body: Uint8Array | null;
}

/** What a store knows of one event, apart from what only its source can read. */
export interface KnownEvent {
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
  /** `open`: it is to be handled. `dead`: it is a dead letter. */
  readonly state: EventState;
  /** When it was accepted, in milliseconds since the epoch. */
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

/** An event as stores list it. */
export interface EventRecord extends KnownEvent, Pick<NewEvent, 'owner' | 'facts'> {
  /** How long its job is leased without renewal, in milliseconds; `null` when it is free. */
  readonly leasedFor: number | null;
  /**
   * How long until its job is due, 0 when it is; `null`: not before another event or the end of a
   * lease.
   */
  readonly dueIn: number | null;
}

/** A failed attempt, and when it ended. */
export interface PastAttempt extends Attempt {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Which events to choose; without a member, all of them. */
export interface EventFilter {
  readonly source?: string;
  /** An empty list chooses none. */
  readonly ids?: readonly string[];
  readonly key?: string;
  readonly owner?: string;
  readonly state?: EventState;
  readonly reason?: DeadLetterReason;
  readonly handler?: string;
  /** The message of the last failure begins with it. */
  readonly message?: string;
  /** Accepted then or later, in milliseconds since the epoch. */
  readonly since?: number;
  /** Accepted before then, in milliseconds since the epoch. */
  readonly until?: number;
}

/** Where a page of a list begins, after the `next` of the page before, and how long it is. */
export interface PageRequest {
  /** The `next` of the page before; `null` for the first page. */
  readonly after: string | null;
  /** Maximum number of items. */
  readonly limit: number;
}

/** A page of events: in the order of their acceptance, or the other way round. */
export interface ListRequest extends PageRequest {
  /** Default: false. */
  readonly newestFirst?: boolean;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Pass it as `after` to read the next page; `null` at the end. */
  readonly next: string | null;
}

/** A job with a key, for people. */
export interface KeyRecord {
  readonly source: string;
  readonly key: string;
  readonly owner: string | null;
  readonly open: number;
  readonly dead: number;
  readonly handled: number;
  /** When its first event was accepted, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Its newest events (`MAX_JOB_EVENTS`), in order of acceptance. */
  readonly events: readonly Pick<EventRecord, 'id' | 'facts'>[];
}

/**
 * What can be done with many events:
 *
 * - `redrive`: dead letters are open again, without failures;
 * - `discard`: dead letters count as handled;
 * - `replay`: handled events whose bodies are kept are open again, without failures and with
 *   `isReplay`. All that are chosen of a job are opened in one step. A job that one of them settled
 *   is no longer settled.
 */
export type Change = 'redrive' | 'discard' | 'replay';

export interface StoreStats {
  /** Events that are not handled yet. */
  readonly open: number;
  /** Open events that failed at least once. */
  readonly retrying: number;
  /** Jobs that are due and free. */
  readonly due: number;
  /** Jobs that are leased. */
  readonly inHand: number;
  /** Dead letters. */
  readonly dead: number;
  /** Age of the oldest open event in milliseconds; `null` when none is open. */
  readonly oldestOpen: number | null;
}

/** A statement with `$1`, `$2`, … for its values, each of which occurs once and in order. */
export interface SqlStatement {
  /** The statement itself. */
  readonly text: string;
  /** The values of `$1`, `$2`, … in order. */
  readonly values: readonly (string | number | boolean | Uint8Array | null)[];
}

/** How many events `byHour()` looks at, the newest ones: more would hold up other calls. */
export const MAX_COUNTED_EVENTS = 100_000;
/** How many hours it counts, the current one included. */
export const COUNTED_HOURS = 24;

/** What was done in one hour. */
export interface HourCounts {
  /** When the hour begins, in milliseconds since the epoch. */
  readonly at: number;
  /** Events that were handled or discarded. */
  readonly handled: number;
  /** Failed attempts; of each event at most the last ten. */
  readonly failed: number;
}

/** A transaction that starts with the first use of `tx`. */
export interface StoreTransaction<Tx> {
  /** The client of the database, inside the transaction. */
  readonly tx: Tx;
  /** True after the first use of `tx`. */
  isUsed(): boolean;
  /**
   * As `finish` of the store, in the transaction, and commits it; with a lost lease it rolls back
   * instead. It rejects with a `StoreError` when the store is down, and with another error when the
   * database refuses what the handlers wrote; then they count as failed.
   */
  finish(lease: Lease, outcomes: readonly Outcome[], next: Next): Promise<Finished>;
  /** Gives up what was written in it. */
  rollback(): Promise<void>;
}

/**
 * Keeps accepted events until they are handled, and their ids for longer. It keeps facts and
 * states; what they mean is decided by the worker. Only the receiver calls it, and any release may
 * change it: create one with `sqliteStore()`, `postgresStore()` or `memoryStore()` and pass it on.
 *
 * When `accept`, `change` and `setPaused` resolve, their write is as durable as the store can make
 * it. All other writes survive the end of the process; if the machine loses them, events are
 * handled again. A store that cannot do its work rejects with a `StoreError`. No caller passes a
 * time: durations are milliseconds, and the store reads its own clock.
 *
 * A job is due when an event is accepted or opened again for it, also during a lease: `finish` with
 * `release` then makes it due at once. A job has one holder at a time.
 */
export interface Store<Tx = unknown> {
  /** Opens the store. A receiver calls it once, before everything else. */
  open(host: {
    /** The time of stores without a server of their own. A database uses its own clock. */
    readonly clock: Clock;
  }): Promise<void>;
  /** Waits for current writes, then releases all resources. */
  close(): Promise<void>;

  /**
   * Writes an event unless its id is known: one atomic step over all processes that share the
   * store.
   */
  accept(event: NewEvent): Promise<AcceptOutcome>;
  /**
   * Leases jobs that are due and free: without a lease, with an expired one, or with one of this
   * holder that is not in hand. When the lease of another holder has expired, the event that it had
   * begun gets one more crash, if it is still open.
   */
  take(request: TakeRequest): Promise<Taken>;
  /** Reads the events of a leased job after a position; `null` when the lease is lost. */
  events(lease: Lease, afterPosition: number): Promise<readonly JobEvent[] | null>;
  /** Extends a lease; false when it is lost. */
  renew(lease: Lease, leaseFor: number): Promise<boolean>;
  /**
   * Records the one event of a job that is handled from now on, until an outcome, and returns its
   * body. `null`: the lease is lost, or the event is not open.
   */
  begin(lease: Lease, id: string): Promise<Uint8Array | null>;
  /** Writes outcomes, then holds or releases the lease: one atomic step. */
  finish(lease: Lease, outcomes: readonly Outcome[], next: Next): Promise<Finished>;
  /** Starts a lazy transaction. Only stores in a database of the user have it. */
  transaction?(): StoreTransaction<Tx>;
  /** How many of these transactions have a connection at the same time; `null`: unknown. */
  readonly maxTransactions?: number | null;
  /**
   * Returns the statements that write an event as handled in a transaction of the user. The last
   * one changes no row when the lease is lost. Only stores in a database of the user have it.
   */
  settlement?(lease: Lease, outcome: Outcome & { readonly as: 'handled' }): readonly SqlStatement[];

  /** Counts events and jobs by state. */
  stats(): Promise<StoreStats>;
  /**
   * Counts by hour what was done in the last 24 hours (`COUNTED_HOURS`, the current one is the
   * last), of the newest `MAX_COUNTED_EVENTS` events.
   */
  byHour(): Promise<readonly HourCounts[]>;
  /** Lists events that match. */
  list(filter: EventFilter, page: ListRequest): Promise<Page<EventRecord>>;
  /**
   * Lists jobs of a source with a key, those first whose first event was accepted last; all, or
   * those of one owner.
   */
  keys(source: string, owner: string | null, page: PageRequest): Promise<Page<KeyRecord>>;
  /**
   * Returns the body of an event that is not handled, or whose body is kept; `null` for any other.
   */
  body(source: string, id: string): Promise<Uint8Array | null>;
  /** Changes the events that match, and returns how many; with `dryRun` it only counts them. */
  change(
    what: Change,
    filter: Omit<EventFilter, 'state'>,
    options: {
      /** True to change nothing. */
      readonly dryRun: boolean;
    },
  ): Promise<number>;
  /**
   * Keeps a name until it is set to false, for all that share the store. Then every job that waits
   * for a time is due at once, or when its lease is released, and the pause does not count as time
   * in which the events failed whose `handler` is the name. `*` means all, `stripe/*` those of the
   * source `stripe`, and `stripe/a` those of that source with the handler `a`. Many jobs become due
   * in parts; those that a crash in between leaves out wait for their time.
   */
  setPaused(name: string, isPaused: boolean): Promise<void>;
  /** Returns the names that are paused, sorted. */
  paused(): Promise<readonly string[]>;
  /**
   * Forgets jobs whose events are all handled and were signed so many milliseconds before the
   * newest signed time of all events, and deletes kept bodies whose time is over. Returns the
   * number of events that it has forgotten.
   */
  purge(olderThan: number): Promise<number>;
}
