import type { Timeline } from '../order/timeline.ts';
import type { DeadLetterFilter, ReplayRequest, WaitingFilter } from './event-filter.ts';
import type { ReportProblem } from '../problems.ts';
import type { DeadLetterPage, RunPage, StoredEvent } from './stored-event.ts';
import type { HourCounts, StoreStats } from '../stores/store.ts';
import type { WaitingPage } from './waiting-event.ts';

/** Where a page of a list begins, and how long it is. */
export interface PageOptions {
  /** The `next` of the page before. Default: the first page. */
  readonly after?: string;
  /** Maximum number of items. Default: 100. */
  readonly limit?: number;
}

/** Which runs to list. */
export interface RunFilter {
  /** Only runs of this source. Default: the first source with runs. */
  readonly source?: string;
  /** Only runs of this agent or workflow. */
  readonly automationId?: string;
}

/** What to pause: everything, a source, a handler, or a handler of a source. */
export interface SourcePause {
  /** The name of a source. Default: every source. */
  readonly source?: string;
  /** The status of a run, or the type of an event without a run. Default: every handler. */
  readonly handler?: string;
}

export interface ChangeOptions {
  /** True: only count what would change. Default: false. */
  readonly dryRun?: boolean;
}

export interface StartOptions {
  /** False: only accept events. Default: true. */
  readonly work?: boolean;
}

export interface WorkOptions {
  /** When to begin no more events: a `Date`, or milliseconds since the epoch. Default: never. */
  readonly until?: Date | number;
}

export interface ProcessorStats extends StoreStats {
  /**
   * What is paused: `*` for every handler, statuses of runs and other types; of one source as in
   * `stripe/*` and `stripe/invoice.paid`.
   */
  readonly paused: readonly string[];
}

export interface ReceiverStats extends ProcessorStats {
  /**
   * How many deliveries this process refused for good since it created the receiver: requests with
   * at least one of the headers of a delivery, and a response after which their sender does not
   * send them again. For the platform that is 401, 404, 405, 409, 413 and 415, for GitHub each that
   * is not 2xx, for Stripe none.
   */
  readonly refused: number;
}

/** What only the inbox of this package needs of a receiver. */
export const INBOX: unique symbol = Symbol.for('@hookproof/receiver inbox');

/** The events of a run, and what their order shows. */
export interface RunHistory {
  readonly events: readonly StoredEvent[];
  readonly timeline: Timeline;
}

/** What `INBOX` names. */
export interface InboxAccess {
  /** Reports a problem at the rate of its code, as the receiver does with its own. */
  readonly report: ReportProblem;
  /**
   * Returns what is known of the events of a run, in order of acceptance, and their timeline;
   * without a source, of the first that has such a run. `null` when none is known.
   */
  readonly history: (runId: string, source?: string) => Promise<RunHistory | null>;
}

/** What people do with the events of a store; a receiver and a processor have all of it. */
export interface Processing {
  /** The names of its sources; `platform` without `sources`. */
  readonly sources: readonly string[];
  /**
   * Opens the store and starts handling its events. With `work: false` it only accepts events; then
   * another process handles them, or `work()` does.
   *
   * @throws {TypeError} On a second call, and after `close()`.
   * @throws {StoreError} When the store cannot be opened. You can call it again then.
   */
  start(options?: StartOptions): Promise<void>;
  /**
   * Handles what is due, and resolves when nothing is due any more or at `until`: for cron jobs and
   * functions that end after a request. Use it after `start({ work: false })`. Handlers that run at
   * `until` go on; when the process ends before they do, their events are handled again later.
   *
   * @throws {TypeError} Before `start()`, after `close()`, and when `until` is not a time.
   */
  work(options?: WorkOptions): Promise<void>;
  /**
   * Resolves when no event is due and none is being handled. Events that are due later do not
   * count. A handler that awaits it waits for itself.
   */
  idle(): Promise<void>;
  /**
   * Returns how much is open, due, in hand and dead, the age of the oldest open event, and what is
   * paused.
   */
  stats(): Promise<ProcessorStats>;
  /**
   * Counts by hour what was handled and what failed in the last 24 hours, the current one last, of
   * the newest 100,000 events.
   */
  byHour(): Promise<readonly HourCounts[]>;
  /**
   * Returns some events that are not handled yet, oldest first, and why each waits. Default: 100
   * from the start.
   */
  waiting(page?: WaitingFilter & PageOptions): Promise<WaitingPage>;
  /**
   * Returns what is known of one event, without its body; `null` when it is unknown. An id is
   * unique within its source. Default: the first event with this id of any source.
   */
  inspect(eventId: string, source?: string): Promise<StoredEvent | null>;
  /**
   * Returns the known history of a run; `null` when none of its events is known. Default: of the
   * first source that has it.
   */
  timeline(runId: string, source?: string): Promise<Timeline | null>;
  /**
   * Returns some runs, those that began last first; with `automationId` those of one agent or
   * workflow. Default: 100.
   */
  runs(page?: RunFilter & PageOptions): Promise<RunPage>;
  /**
   * Returns the body of an event that waits or is a dead letter, as it was received; `null` for any
   * other.
   */
  body(eventId: string, source?: string): Promise<Uint8Array | null>;
  /** Returns some dead letters that match, newest first. Default: the newest 100 of all. */
  deadLetters(page?: DeadLetterFilter & PageOptions): Promise<DeadLetterPage>;
  /**
   * Handles dead letters again, with all their attempts. Returns their number; with `dryRun` it
   * changes nothing.
   */
  redrive(filter: DeadLetterFilter, options?: ChangeOptions): Promise<number>;
  /**
   * Hands handled events to their handlers again, with `isReplay` in the context and with all their
   * attempts. Only events whose bodies are kept (`keepBodiesDays`) can be replayed. Returns their
   * number; with `dryRun` it changes nothing.
   *
   * @throws {TypeError} When no source has such a handler, or `since` or `until` is not a time.
   */
  replay(filter: ReplayRequest, options?: ChangeOptions): Promise<number>;
  /**
   * Gives dead letters up: they count as handled. Returns their number; with `dryRun` it changes
   * nothing.
   */
  discard(filter: DeadLetterFilter, options?: ChangeOptions): Promise<number>;
  /**
   * Handles nothing from now on, no event whose run has this status, or none of a source or a
   * handler, in every process that shares the store, also after a restart. Deliveries are accepted,
   * and their events wait. What is being handled is finished. Other processes notice it after
   * `pollMilliseconds`. In `ordered` mode a paused event holds up its run.
   *
   * @throws {TypeError} When the receiver has no such source, or no source such a handler.
   */
  pause(what?: string | SourcePause): Promise<void>;
  /**
   * Ends the same pause. Events go on at once, in other processes after `pollMilliseconds`.
   *
   * @throws {TypeError} When the receiver has no such source, or no source such a handler.
   */
  resume(what?: string | SourcePause): Promise<void>;
  /** For the inbox of this package. */
  readonly [INBOX]: InboxAccess;
  /**
   * Stops accepting, waits for current handlers, at most `closeTimeoutMilliseconds`, and closes the
   * store. Do not await it in a handler: it would wait for itself until then, and handle its event
   * again.
   */
  close(): Promise<void>;
}
