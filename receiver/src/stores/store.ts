import type { Clock } from '../clock.ts';
import type { RunEdge } from '../order/run-edge.ts';
import type { Arrival } from '../order/timeline.ts';

/** What the body of an authentic delivery is. */
export type EventContent =
  /** An event of a run. */
  | {
      /** What it is. */
      readonly kind: 'run';
      /** The run, whose events are one job. */
      readonly runId: string;
      /** `null` when no store can keep it: it is only for people who search. */
      readonly automationId: string | null;
      /** From which status to which it leads. */
      readonly edge: RunEdge;
    }
  /** A test event, or an event of an unknown type: it belongs to no run. */
  | {
      /** What it is. */
      readonly kind: 'single';
    }
  /** Not an event of the contract. It is kept as a dead letter from the start. */
  | {
      /** What it is. */
      readonly kind: 'invalid';
      /** What is wrong with it, for people. */
      readonly error: string;
    };

/** A verified delivery that a store should accept. */
export interface IncomingEvent {
  /** The idempotency key: `webhook-id`, which is the event id. */
  readonly id: string;
  /** The body exactly as received. The store keeps a copy. */
  readonly body: Uint8Array;
  /** The time of signing, in seconds since the epoch. */
  readonly timestamp: number;
  /** What its body is. */
  readonly content: EventContent;
}

/** `conflict`: other bytes were accepted under this id before, which is an alarm and not a repetition. */
export type AcceptOutcome = 'new' | 'duplicate' | 'conflict';

/** `open`: to be handled. `settled`: handled. `dead`: a dead letter. */
export type EventState = 'open' | 'settled' | 'dead';

/** What a store needs from the receiver that opens it. */
export interface StoreHost {
  /** The time of stores without a server of their own. A database uses its own clock. */
  readonly clock: Clock;
  /** Call it when another process may have made work due. */
  wake(): void;
  /** Call it when a delivery that was accepted as new turns out to be a conflict. */
  conflict(id: string): void;
}

/**
 * The right to handle a job: one run, or one event without a run. `token` grows with each lease, so
 * that a holder that lost its lease is recognised.
 */
export interface Lease {
  /** The name of the job; unique in the store. */
  readonly job: string;
  /** Grows with each lease of the job. */
  readonly token: number;
}

/** What a store remembers of every event of a run, also after it is handled. */
export interface KnownEvent {
  /** From which status to which it leads. */
  readonly edge: RunEdge;
  /** Whether it is still to be handled. */
  readonly state: EventState;
  /** 1 for the first accepted event of the run, 2 for the next, without holes. */
  readonly position: number;
}

/** An event that is not handled yet. Durations are milliseconds at the time of the call. */
export interface OpenEvent {
  /** The event id. */
  readonly id: string;
  /** As in `KnownEvent`. */
  readonly position: number;
  /** `null`: read it with `bodies()`. */
  readonly body: Uint8Array | null;
  /** How long ago it was accepted. */
  readonly age: number;
  /**
   * How long until it may be handled; 0 or less: now. Only a failure delays an event. After a crash it
   * counts from the moment in which the store noticed it.
   */
  readonly dueIn: number;
  /** Number of failures. */
  readonly attempts: number;
  /** How often the lease of a holder expired while it handled this event, since the last outcome. */
  readonly crashes: number;
  /** True after `replay`. */
  readonly isReplay: boolean;
  /** What `keepArrivals` wrote last; `applied` before. */
  readonly arrival: Arrival;
}

/** How an event of a run relates to those that were accepted before it. */
export interface EventArrival {
  /** The event id. */
  readonly id: string;
  /** How it relates to them. */
  readonly arrival: Arrival;
}

/** Maximum number of events that one call returns, apart from `near` and `history`. */
export const MAX_EVENTS = 64;
/** Maximum number of settled events that a lease comes with. */
export const MAX_SETTLED_BEFORE = 16;

/** Some events of a job: a bounded number, however many it has. */
export interface JobEvents {
  /** Those that are to be handled. The first ones have their bodies. */
  readonly open: readonly OpenEvent[];
  /** All of them. Empty for a single event. */
  readonly known: readonly KnownEvent[];
  /** True when the job has more such events after these. */
  readonly hasMoreAfter: boolean;
}

/**
 * One leased job with its first events by place (`orderPlace`): up to 64 that are not settled, and up to
 * 16 that are settled directly before them.
 */
export interface LeasedJob extends JobEvents {
  /** The right to handle it, for all further calls. */
  readonly lease: Lease;
  /** `null` for a single event. */
  readonly runId: string | null;
  /** The text that `finish` wrote last; `null` for a new run. */
  readonly order: string | null;
  /** The highest position of an event in the job. */
  readonly lastPosition: number;
  /** True when settled events are before those in `known`. */
  readonly hasMoreBefore: boolean;
  /** True after an event was settled with `runSettled`, until that event is replayed. */
  readonly isRunSettled: boolean;
}

export interface TakeRequest {
  /** Unique to this receiver. From the name that a receiver uses, its machine can see that it is gone. */
  readonly holder: string;
  /** The jobs that this holder handles now. They are never returned, also when their lease has expired. */
  readonly inHand: readonly string[];
  /** Maximum number of jobs to return. */
  readonly limit: number;
  /** Length of each lease in milliseconds. */
  readonly leaseFor: number;
}

/**
 * Why an event can become a dead letter: its handlers failed too often, its output does not match the schema of
 * `withOutput()`, its body is not an event, or the process ended too often during it.
 */
export const DEAD_LETTER_REASONS = [
  'handler_failed',
  'output_invalid',
  'event_quarantined',
  'event_poisoned',
] as const;

/** Why an event became a dead letter. */
export type DeadLetterReason = (typeof DEAD_LETTER_REASONS)[number];

/** The result of handling one event. */
export type Outcome =
  | {
      /** The event id. */
      readonly id: string;
      /** It was handled. */
      readonly as: 'settled';
      /** True when the run is settled with this event. */
      readonly runSettled: boolean;
      /** How long the body is kept from now on, in milliseconds; 0: it is deleted. */
      readonly keepBodyFor: number;
    }
  | {
      /** The event id. */
      readonly id: string;
      /** An attempt failed, and another one follows. */
      readonly as: 'failed';
      /** How long until the next attempt, in milliseconds. */
      readonly dueIn: number;
      /** The message of the failure. */
      readonly error: string;
    }
  | {
      /** The event id. */
      readonly id: string;
      /** It becomes a dead letter. */
      readonly as: 'dead';
      /** Why nothing handles it any more. */
      readonly reason: DeadLetterReason;
      /** The message of the last failure. */
      readonly error: string;
      /** True when the last attempt failed: it counts too. */
      readonly isFailure: boolean;
    };

/** What becomes of a lease. */
export type Next =
  | {
      /** Keep it. */
      readonly do: 'hold';
      /** How long from now on, in milliseconds. */
      readonly leaseFor: number;
      /** The event that is handled from now on, as with `begin()`. Default: none. */
      readonly begin?: string;
    }
  | {
      /** End it. */
      readonly do: 'release';
      /** How long until the job is due again, in milliseconds; `null`: not before another event. */
      readonly dueIn: number | null;
    };

export interface Finished {
  /** False: another holder has the job, and nothing was written. */
  readonly isHeld: boolean;
  /** The highest position of an event in the job. */
  readonly lastPosition: number;
}

export interface DeadLetter {
  /** The event id. */
  readonly id: string;
  /** `null` for an event without a run, and for a body that is not an event. */
  readonly runId: string | null;
  /** The agent or workflow of its run. */
  readonly automationId: string | null;
  /** Why nothing handles it any more. */
  readonly reason: DeadLetterReason;
  /** The message of the last failure. */
  readonly error: string;
  /** The time of acceptance, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Number of failures. */
  readonly attempts: number;
  /** How often the process ended while it handled the event, since its last failure. */
  readonly crashes: number;
  /** True when it was handled before, and then replayed. */
  readonly isReplay: boolean;
}

/** Some dead letters, oldest first. */
export interface DeadLetterPage {
  /** Oldest first. */
  readonly items: readonly DeadLetter[];
  /** Pass it as `after` to read the next page; `null` at the end. */
  readonly next: string | null;
}

/** Which dead letters to choose; without a member, all of them. */
export interface DeadLetterFilter {
  /** Only events with these ids. An empty list chooses none. */
  readonly ids?: readonly string[];
  /** Only dead letters of this reason. */
  readonly reason?: DeadLetterReason;
  /** Only events of this run. */
  readonly runId?: string;
  /** The agent or workflow of their runs. */
  readonly automationId?: string;
}

/** A run with the number of its events by state. */
export interface StoredRun {
  /** The run id. */
  readonly runId: string;
  /** The agent or workflow. */
  readonly automationId: string | null;
  /** The status after its last known event; `null` when each known event contradicts itself. */
  readonly status: string | null;
  /** How many of its events are not handled yet. */
  readonly open: number;
  /** How many of its events are dead letters. */
  readonly dead: number;
  /** How many of its events are handled and remembered. */
  readonly settled: number;
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

/** Where a page of a list begins, after the `next` of the page before, and how long it is. */
export interface PageRequest {
  /** The `next` of the page before; `null` for the first page. */
  readonly after: string | null;
  /** Maximum number of items. */
  readonly limit: number;
}

/** Which handled events to choose among those whose bodies are kept; without a member, all of them. */
export interface ReplayFilter {
  /** Only events with these ids. An empty list chooses none. */
  readonly ids?: readonly string[];
  /** Only events of this run. */
  readonly runId?: string;
  /** The agent or workflow of their runs. */
  readonly automationId?: string;
  /** The status of the run in the event. */
  readonly handler?: string;
  /** Accepted then or later, in milliseconds since the epoch. */
  readonly since?: number;
  /** Accepted before then, in milliseconds since the epoch. */
  readonly until?: number;
}

export interface StoreStats {
  /** Events that are not handled yet. */
  readonly open: number;
  /** Jobs that are due and free. */
  readonly due: number;
  /** Jobs that are leased. */
  readonly inHand: number;
  /** Dead letters. */
  readonly dead: number;
  /** Handled events that are remembered. */
  readonly settled: number;
  /** Age of the oldest open event in milliseconds; `null` when none is open. */
  readonly oldestOpen: number | null;
}

/** Everything that a store knows of one event, without its body. */
export interface StoredEvent {
  /** The event id. */
  readonly id: string;
  /** `null` for an event without a run. */
  readonly runId: string | null;
  /** The agent or workflow of its run. */
  readonly automationId: string | null;
  /** Whether it is still to be handled. */
  readonly state: EventState;
  /** The time of acceptance, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Number of failures. */
  readonly attempts: number;
  /** From which status to which it leads; `null` for an event without a run. */
  readonly edge: RunEdge | null;
  /** The message of the last failure. */
  readonly error: string | null;
  /** Why it is a dead letter; `null` when it never was one. */
  readonly reason: DeadLetterReason | null;
  /** True once it was handled and then replayed. */
  readonly isReplay: boolean;
  /**
   * Until when the body of a handled event is kept, in milliseconds since the epoch; `null`: it is not. Only
   * an event whose body is kept can be replayed.
   */
  readonly keptUntil: number | null;
}

/** An open event, and when its run goes on. Durations are milliseconds at the time of the call. */
export interface StoredOpenEvent extends StoredEvent {
  /** How long its run is leased without renewal; `null` when it is free. */
  readonly leasedFor: number | null;
  /** How long until its run is due, 0 when it is; `null`: not before another event or the end of a lease. */
  readonly dueIn: number | null;
}

/** Some open events, oldest first. */
export interface OpenEventPage {
  /** Oldest first. */
  readonly items: readonly StoredOpenEvent[];
  /** Pass it as `after` to read the next page; `null` at the end. */
  readonly next: string | null;
}

/** A statement with `$1`, `$2`, … for its values, each of which occurs once and in order. */
export interface SqlStatement {
  /** The statement. */
  readonly text: string;
  /** The values of `$1`, `$2`, … in order. */
  readonly values: readonly (string | number | boolean | Uint8Array | null)[];
}

/** A transaction that starts with the first use of `tx`. */
export interface StoreTransaction<Tx> {
  /** The client of the database, inside the transaction. */
  readonly tx: Tx;
  /** True after the first use of `tx`. */
  isUsed(): boolean;
  /**
   * Writes the outcomes in the transaction and commits it; with a lost lease it rolls back instead. It
   * rejects with a `StoreError` when the store is down, and with another error when the database
   * refuses what the handlers wrote; then they count as failed.
   */
  finish(
    lease: Lease,
    outcomes: readonly Outcome[],
    next: Next,
    order?: string | null,
  ): Promise<Finished>;
  /** Gives up what was written in it. */
  rollback(): Promise<void>;
}

/**
 * Keeps accepted events until they are handled, and their ids for longer.
 *
 * When `accept`, `redrive`, `replay`, `discard`, `pause` and `resume` resolve, their write is as durable as the store can make it. All other
 * writes survive the end of the process; if the machine loses them, events are handled again. A store
 * that cannot do its work rejects with a `StoreError`. No caller passes a time: durations are
 * milliseconds, and the store reads its own clock.
 *
 * Events of one run form one job, and so does each event without a run. A job is due when an event
 * is accepted or opened again for it, also during a lease: `finish` with `release` then makes it due at once. A job
 * has one holder at a time.
 */
export interface Store<Tx = unknown> {
  /** Opens the store. A receiver calls it once, before everything else. */
  open(host: StoreHost): Promise<void>;
  /** Writes an event unless its id is known: one atomic step over all processes that share the store. */
  accept(event: IncomingEvent): Promise<AcceptOutcome>;
  /**
   * Leases jobs that are due and free: without a lease, with an expired one, or with one of this
   * holder that is not in hand. When the lease of another holder has expired, the event that it had
   * begun gets one more crash, if it is still open.
   */
  take(request: TakeRequest): Promise<readonly LeasedJob[]>;
  /** Reads bodies of open events of a leased job. An id that is not open is left out. */
  bodies(lease: Lease, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Reads up to 64 events that were accepted after a position, the first ones; `null` when the lease is lost. */
  news(lease: Lease, afterPosition: number): Promise<JobEvents | null>;
  /** Reads up to 64 events after a place that are not settled, the first ones; `null` when the lease is lost. */
  waiting(lease: Lease, afterPlace: string): Promise<JobEvents | null>;
  /**
   * Reads the events of a leased run around a place: up to `limit` before it, and as many from it on, sorted by
   * place. `null` when the lease is lost.
   */
  near(lease: Lease, place: string, limit: number): Promise<readonly KnownEvent[] | null>;
  /** Keeps how events of a leased run arrived, also when they are settled by now. False: the lease is lost. */
  keepArrivals(lease: Lease, arrivals: readonly EventArrival[]): Promise<boolean>;
  /** Extends a lease; returns false when it is lost. */
  renew(lease: Lease, leaseFor: number): Promise<boolean>;
  /** Records the one event of a job that is handled from now on, until an outcome. False: lost. */
  begin(lease: Lease, id: string): Promise<boolean>;
  /**
   * Writes outcomes, then holds or releases the lease: one atomic step. It also keeps `order`, a text about
   * the run, for the next lease. Without one it keeps the last text.
   */
  finish(
    lease: Lease,
    outcomes: readonly Outcome[],
    next: Next,
    order?: string | null,
  ): Promise<Finished>;
  /** Returns the milliseconds until a job is due or a lease of another holder expires; `null`: none. */
  nextDueIn(request: Pick<TakeRequest, 'holder' | 'inHand'>): Promise<number | null>;
  /** Starts a lazy transaction. Only stores in a database of the user have it. */
  transaction?(): StoreTransaction<Tx>;
  /** How many of these transactions have a connection at the same time; `null`: unknown. */
  readonly maxTransactions?: number | null;
  /**
   * Returns the statements that settle an event in a transaction of the user. The last one changes
   * no row when the lease is lost. Only stores in a database of the user have it.
   */
  settlement?(
    lease: Lease,
    id: string,
    options: {
      /** True when the run is settled with this event. */
      readonly runSettled: boolean;
      /** As for `finish`. */
      readonly order: string | null;
      /** How long the body is kept from now on, in milliseconds; 0: it is deleted. */
      readonly keepBodyFor: number;
    },
  ): readonly SqlStatement[];
  /** Counts events and jobs by state. */
  stats(): Promise<StoreStats>;
  /** Returns what is known of one event; `null` when it is unknown. */
  inspect(id: string): Promise<StoredEvent | null>;
  /** Returns what is known of a run, in order of acceptance. */
  history(runId: string): Promise<readonly KnownEvent[]>;
  /** Lists open events, oldest first; of one run without a look at others. */
  openEvents(page: PageRequest, runId?: string): Promise<OpenEventPage>;
  /** Lists dead letters that match, oldest first. It does not look at those of other runs or automations. */
  deadLetters(page: PageRequest, filter?: DeadLetterFilter): Promise<DeadLetterPage>;
  /** Lists runs, those first whose first event was accepted last; of one automation without a look at others. */
  runs(page: PageRequest, automationId?: string): Promise<RunPage>;
  /** Returns the body of an event that is not settled, or whose body is kept; `null` for any other. */
  body(id: string): Promise<Uint8Array | null>;
  /** Opens dead letters again without failures; returns how many. */
  redrive(filter: DeadLetterFilter): Promise<number>;
  /**
   * Opens settled events again whose bodies are kept, without failures and with `isReplay`; returns how many. All
   * that it chooses of a run are opened in one step. It does not look at those of other ids, runs or automations.
   * A run that one of them settled is no longer settled. With `dryRun` it only counts them.
   */
  replay(
    filter: ReplayFilter,
    options: {
      /** True: change nothing. */
      readonly dryRun: boolean;
    },
  ): Promise<number>;
  /** Settles dead letters without handling them, and deletes their bodies; returns how many. */
  discard(filter: DeadLetterFilter): Promise<number>;
  /** Counts dead letters that match. As `deadLetters` it does not look at those of other runs or automations. */
  countDead(filter: DeadLetterFilter): Promise<number>;
  /** Keeps a name until `resume()`, for all that share the store. What it pauses is up to them. */
  pause(name: string): Promise<void>;
  /**
   * Ends a pause of this name. Then every job that waits for a time is due at once, or when its lease is released. Many
   * jobs become due in parts; those that a crash in between leaves out wait for their time.
   */
  resume(name: string): Promise<void>;
  /** Returns the names that are paused, sorted. */
  paused(): Promise<readonly string[]>;
  /** Returns the time of the clock by which events grow old, in milliseconds since the epoch. */
  now(): Promise<number>;
  /** Deletes the bodies of settled events whose time is over. */
  purgeBodies(): Promise<void>;
  /**
   * Forgets jobs whose events are all settled and older than this, with the bodies that are kept of them. Returns
   * the number of events. An event grows old from its acceptance, or from its `timestamp` if that is later: the clock
   * of a server may have been behind.
   */
  purge(olderThan: number): Promise<number>;
  /** Waits for current writes, then releases all resources. */
  close(): Promise<void>;
}
