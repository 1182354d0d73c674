import type { RunStatus } from '../generated/run-events.ts';
import type { Processing, SourcePause } from '../processing/processing.ts';
import type { WorkingOptions } from '../processing/working-options.ts';
import type { AcceptOutcome } from '../stores/store.ts';
import type { IncomingEvent } from './event-content.ts';
import type { HandlerName, Handlers } from './handlers.ts';
import type { RunOptions } from './run-settings.ts';

export interface ProcessorOptions<Tx = unknown> extends WorkingOptions<Tx>, RunOptions {
  /** The functions to call, by kind of event. Add more with `on()`. Default: none. */
  readonly handlers?: Handlers<NoInfer<Tx>>;
}

/** A verified delivery that comes from a queue. */
export type QueuedDelivery = Pick<IncomingEvent, 'id' | 'body' | 'timestamp'>;

/** What people do with the events of a store whose one source is the platform. */
export interface RunProcessing<Tx = unknown> extends Processing {
  /** Adds a handler. Handlers of one name are called in the order in which they were added. */
  on<Name extends HandlerName>(name: Name, handler: NonNullable<Handlers<Tx>[Name]>): void;
  pause(what?: RunStatus | SourcePause): Promise<void>;
  resume(what?: RunStatus | SourcePause): Promise<void>;
}

/** Handles events that an ingress or a queue hands over. */
export interface Processor<Tx = unknown> extends RunProcessing<Tx> {
  /**
   * Keeps a verified delivery. Acknowledge the message of your queue after it resolves: the event
   * is then as durable as the store, and handled later. A repetition resolves with `duplicate`.
   *
   * @throws {StoreError} When the store cannot keep it now. Do not acknowledge the message then.
   */
  process(delivery: QueuedDelivery): Promise<AcceptOutcome>;
  /** As `process`, for an event that is decoded: a processor is the sink of an ingress. */
  put(event: IncomingEvent): Promise<AcceptOutcome>;
}
