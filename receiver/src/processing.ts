import type { Timeline } from './order/timeline.ts';
import type {
  AcceptOutcome,
  DeadLetterFilter,
  DeadLetterPage,
  IncomingEvent,
  StoredEvent,
  StoreStats,
} from './stores/store.ts';
import type { HandlerName, Handlers } from './worker/handlers.ts';

/** A verified delivery that comes from a queue. */
export type QueuedDelivery = Pick<IncomingEvent, 'id' | 'body' | 'timestamp'>;

/** What people do with the events of a store; a receiver and a processor have all of it. */
export interface Processing<Tx = unknown> {
  /**
   * Opens the store and starts handling its events. With `work: false` it only accepts events; then
   * another process handles them, or `work()` does.
   *
   * @throws {TypeError} On a second call, and after `close()`.
   * @throws {StoreError} When the store cannot be opened. You can call it again then.
   */
  start(options?: { readonly work?: boolean }): Promise<void>;
  /**
   * Handles what is due, and resolves when nothing is due any more or at `until`: for cron jobs and
   * functions that end after a request. Use it after `start({ work: false })`. Handlers that run at
   * `until` go on; when the process ends before they do, their events are handled again later.
   *
   * @throws {TypeError} Before `start()`, after `close()`, and when `until` is not a time.
   */
  work(options?: { readonly until?: Date | number }): Promise<void>;
  /** Adds a handler. Handlers of one name are called in the order in which they were added. */
  on<Name extends HandlerName>(name: Name, handler: NonNullable<Handlers<Tx>[Name]>): void;
  /**
   * Resolves when no event is due and none is being handled. Events that are due later do not count. A
   * handler that awaits it waits for itself.
   */
  idle(): Promise<void>;
  /** Returns how much is open, due, in hand, dead and remembered, and the age of the oldest open event. */
  stats(): Promise<StoreStats>;
  /** Returns what is known of one event, without its body; `null` when it is unknown. */
  inspect(eventId: string): Promise<StoredEvent | null>;
  /** Returns the known history of a run; `null` when none of its events is known. */
  timeline(runId: string): Promise<Timeline | null>;
  /** Returns some dead letters, oldest first. Default: 100 from the start. */
  deadLetters(page?: { readonly after?: string; readonly limit?: number }): Promise<DeadLetterPage>;
  /** Handles dead letters again, with all their attempts. Returns their number. */
  redrive(filter: DeadLetterFilter): Promise<number>;
  /** Gives a dead letter up: it counts as handled. Returns false when the id is not a dead letter. */
  discard(eventId: string): Promise<boolean>;
  /**
   * Stops accepting, waits for current handlers, at most `closeTimeoutMilliseconds`, and closes the
   * store. Do not await it in a handler: it would wait for itself until then, and handle its event again.
   */
  close(): Promise<void>;
}

/** Handles events that an ingress or a queue hands over. */
export interface Processor<Tx = unknown> extends Processing<Tx> {
  /**
   * Keeps a verified delivery. Acknowledge the message of your queue after it resolves: the event is
   * then as durable as the store, and handled later. A repetition resolves with `duplicate`.
   *
   * @throws {StoreError} When the store cannot keep it now. Do not acknowledge the message then.
   */
  process(delivery: QueuedDelivery): Promise<AcceptOutcome>;
  /** As `process`, for an event that is decoded: a processor is the sink of an ingress. */
  put(event: IncomingEvent): Promise<AcceptOutcome>;
}
