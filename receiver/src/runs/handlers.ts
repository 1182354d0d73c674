import type { TerminalRunStatus } from '../generated/constants.ts';
import type {
  RunCreatedEvent,
  RunEvent,
  RunStatus,
  RunStatusChangedEvent,
} from '../generated/run-events.ts';

import type { Gap, Timeline } from '../order/timeline.ts';
import type { UnknownEvent, WebhookEvent } from '../verify/decode-event.ts';
import type { EventContext } from '../worker/event-context.ts';

/** A place where at least one event is missing. */
export type MissingEvents = Pick<Gap, 'after' | 'before'>;

/** The second argument of a handler: what is known about the event beyond its content. */
export interface HandlingContext<Tx = unknown> extends EventContext<Tx> {
  /**
   * - `proven`: no event of the run can be before this one. Only the creation of a run is.
   * - `assumed`: all known earlier events were handled before this one, and the chain of statuses
   *   leads from the creation to it in one way. Only round trips from a status back to it can be
   *   missing, such as `running`, `waiting`, `running`: they leave no gap.
   * - `unproven`: an earlier event is missing, a later one was already handled or discarded, the
   *   events have several orders that are equally good, or this is a replay.
   */
  readonly order: 'proven' | 'assumed' | 'unproven';
  /** Where events are missing before this one, oldest first: at most the newest 64 places. */
  readonly missing: readonly MissingEvents[];
  /**
   * Reads the known history of the run, this event included.
   *
   * @throws {StoreError} When the store is down.
   */
  readonly timeline: () => Promise<Timeline>;
  /** True when the sender omitted `data.run.output` and `fetchRun` filled it in. */
  readonly isOutputFetched: boolean;
}

/** A run that has ended. */
export interface SettledRun {
  /** The run id. */
  readonly runId: string;
  /** The status in which the run ended. */
  readonly status: TerminalRunStatus;
  /** The event that was handled last. Another event may have ended the run. */
  readonly event: RunEvent;
  /**
   * - `events`: the events are the complete history. Only a run that was created in a terminal
   *   status has no place where another event could be missing.
   * - `events-as-known`: the chain of the known events leads from the creation to the end without a
   *   gap. Only round trips from a status back to it can be missing.
   * - `snapshot`: events are missing, `timeline()` of the context names where, and the run that
   *   `fetchRun` read confirms this status.
   */
  readonly provenBy: 'events' | 'events-as-known' | 'snapshot';
}

export type Handler<Event, Tx = unknown> = (event: Event, context: HandlingContext<Tx>) => unknown;
export type SingleHandler<Event, Tx = unknown> = (
  event: Event,
  context: EventContext<Tx>,
) => unknown;

/** A run event whose run has one status. */
export type RunEventWithStatus<Status extends RunStatus> = RunEvent & {
  /** As in the event. */
  data: {
    /** The run of the event. */
    run: {
      /** The status that names the handler. */
      status: Status;
    };
  };
};

/** The event that the handler of each status receives. */
export interface RunEventByStatus {
  /** The run is being prepared and is not queued yet. */
  readonly created: RunEventWithStatus<'created'>;
  /** The run is queued. */
  readonly pending: RunEventWithStatus<'pending'>;
  /** A worker executes the run. */
  readonly running: RunEventWithStatus<'running'>;
  /** The workflow is paused until a person, a tool or a step continues it. */
  readonly waiting: RunEventWithStatus<'waiting'>;
  /** The main work is done and the results are being saved. */
  readonly finalizing: RunEventWithStatus<'finalizing'>;
  /** The run succeeded. Terminal. */
  readonly completed: RunEventWithStatus<'completed'>;
  /** The run ended with an error or a timeout. Terminal. */
  readonly failed: RunEventWithStatus<'failed'>;
  /** The run was cancelled before it completed. Terminal. */
  readonly cancelled: RunEventWithStatus<'cancelled'>;
  /** The run was refused before it started. Terminal. */
  readonly rejected: RunEventWithStatus<'rejected'>;
}

/** The handlers by `data.run.status`. */
export type StatusHandlers<Tx = unknown> = {
  readonly [Status in keyof RunEventByStatus]?: Handler<RunEventByStatus[Status], Tx>;
};

/**
 * The functions to call, by kind of event. Each may return a promise. An event calls `event` first,
 * then the handler of its type, then the handler of its status, then `settled` if it ends the run.
 * They share one event object, so do not change it. Every handler is called at least once. When one
 * of them throws, all of them are called again later. They are also called again when the process
 * ended during handling.
 */
export type Handlers<Tx = unknown> = {
  /** Every event of a run. */
  readonly event?: Handler<RunEvent, Tx>;
  /** Each creation of a run. */
  readonly 'run.created'?: Handler<RunCreatedEvent, Tx>;
  /** Each change of the status of a run. */
  readonly 'run.status_changed'?: Handler<RunStatusChangedEvent, Tx>;
  /** Each ended run with a complete history or an end confirmed by `fetchRun`, at least once. */
  readonly settled?: (run: SettledRun, context: HandlingContext<Tx>) => unknown;
  /** Events of the Send test action. They never reach another handler. */
  readonly test?: SingleHandler<WebhookEvent, Tx>;
  /** Events of a type or version that this release does not know. */
  readonly unknown?: SingleHandler<UnknownEvent, Tx>;
} & StatusHandlers<Tx>;

export type HandlerName = keyof Handlers;
