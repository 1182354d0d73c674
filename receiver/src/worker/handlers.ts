import { RUN_STATUSES } from '../generated/constants.ts';
import type { TerminalRunStatus } from '../generated/constants.ts';
import type {
  RunCreatedEvent,
  RunEvent,
  RunStatus,
  RunStatusChangedEvent,
} from '../generated/run-events.ts';

import type { Arrival } from '../order/classify-arrival.ts';
import type { Gap, Timeline } from '../order/resolve-timeline.ts';
import type { UnknownEvent, WebhookEvent } from '../verify/decode-event.ts';

/** The second argument of a handler: what is known about the event beyond its content. */
export interface HandlingContext {
  /** How the event relates to the events that arrived before it. */
  readonly arrival: Arrival;
  /**
   * `proven`: all earlier events of the run were handled before this one, and none is missing.
   * `unproven`: an earlier event is missing, or a later one was already handled.
   */
  readonly order: 'proven' | 'unproven';
  /** The gaps before this event, oldest first. */
  readonly missing: readonly Gap[];
  /** The known history of the run, this event included. */
  readonly timeline: Timeline;
  /** 1 for the first attempt, one more after each failure. */
  readonly attempt: number;
  /** False when the event has another `apiVersion` than this release knows. */
  readonly isKnownVersion: boolean;
  /** True when the sender omitted `data.run.output` and `fetchRun` filled it in. */
  readonly isOutputFetched: boolean;
}

/** A run that has ended. */
export interface SettledRun {
  readonly runId: string;
  /** The status in which the run ended. */
  readonly status: TerminalRunStatus;
  /** The event that was handled last. Another event may have ended the run. */
  readonly event: RunEvent;
  readonly timeline: Timeline;
  /**
   * `events`: the events form a complete history. `snapshot`: some are missing, `timeline.gaps` names
   * where, and the run that `fetchRun` read confirms this status.
   */
  readonly provenBy: 'events' | 'snapshot';
}

export type Handler<Event> = (event: Event, context: HandlingContext) => unknown;
export type SingleHandler<Event> = (event: Event, context: { readonly attempt: number }) => unknown;

/** A run event whose run has one status. */
export type RunEventWithStatus<Status extends RunStatus> = RunEvent & {
  data: { run: { status: Status } };
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
export type StatusHandlers = {
  readonly [Status in keyof RunEventByStatus]?: Handler<RunEventByStatus[Status]>;
};

/**
 * The functions to call, by kind of event. Each may return a promise. An event calls `event` first,
 * then the handler of its type, then the handler of its status. When one of them throws, all of them
 * are called again later. They are also called again when the process ended during handling.
 */
export type Handlers = {
  /** Every event of a run. */
  readonly event?: Handler<RunEvent>;
  readonly 'run.created'?: Handler<RunCreatedEvent>;
  readonly 'run.status_changed'?: Handler<RunStatusChangedEvent>;
  /** Once for each ended run with a complete history or an end confirmed by `fetchRun`. */
  readonly settled?: (run: SettledRun) => unknown;
  /** Events of the Send test action. They never reach another handler. */
  readonly test?: SingleHandler<WebhookEvent>;
  /** Events of a type or version that this release does not know. */
  readonly unknown?: SingleHandler<UnknownEvent>;
} & StatusHandlers;

const NAMES: ReadonlySet<string> = new Set([
  'event',
  'run.created',
  'run.status_changed',
  'settled',
  'test',
  'unknown',
  ...RUN_STATUSES,
]);

/** @throws {TypeError} For a handler that would never be called. */
export function checkHandlers(handlers: Handlers): void {
  if (typeof handlers !== 'object' || handlers === null) {
    const received = handlers === null ? 'null' : typeof handlers;
    throw new TypeError(`handlers must be an object of functions, got ${received}.`);
  }
  for (const [name, handler] of Object.entries(handlers)) {
    if (!NAMES.has(name)) {
      throw new TypeError(
        `Unknown handler ${JSON.stringify(name)}; expected one of ${[...NAMES].join(', ')}.`,
      );
    }
    if (handler !== undefined && typeof handler !== 'function') {
      throw new TypeError(`handlers.${name} must be a function, got ${typeof handler}.`);
    }
  }
}

/** Calls the handlers of a run event one after the other. */
export async function callHandlers(
  handlers: Handlers,
  event: RunEvent,
  context: HandlingContext,
): Promise<void> {
  await handlers.event?.(event, context);
  if (event.type === 'run.created') await handlers['run.created']?.(event, context);
  else await handlers['run.status_changed']?.(event, context);
  const { status } = event.data.run;
  if (hasStatus(event, status)) await callStatusHandler(handlers, status, event, context);
}

async function callStatusHandler<Status extends RunStatus>(
  handlers: StatusHandlers,
  status: Status,
  event: RunEventByStatus[Status],
  context: HandlingContext,
): Promise<void> {
  await handlers[status]?.(event, context);
}

function hasStatus<Status extends RunStatus>(
  event: RunEvent,
  status: Status,
): event is RunEventByStatus[Status] {
  return event.data.run.status === status;
}
