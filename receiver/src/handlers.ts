import { RUN_STATUSES } from '@hookproof/spec';
import type { RunCreatedEvent, RunEvent, RunStatus, RunStatusChangedEvent } from '@hookproof/spec';

import type { Arrival } from './order/classify-arrival.ts';
import type { Gap, Timeline } from './order/resolve-timeline.ts';
import type { UnknownEvent, WebhookEvent } from './verify/webhook-event.ts';

/** What is known about an event beyond itself. */
export interface HandlingContext {
  /** What the event was to those that came before it. */
  readonly arrival: Arrival;
  /**
   * `proven`: everything before this event was handled before it, and nothing is missing.
   * `unproven`: something is missing before it, or something after it was handled earlier.
   */
  readonly order: 'proven' | 'unproven';
  /** What is missing before this event, oldest first. */
  readonly missing: readonly Gap[];
  /** The history of the run as far as it is known now, this event included. */
  readonly timeline: Timeline;
  /** 1 for the first handling, one more after each failure. */
  readonly attempt: number;
  /** False when the event is of another `apiVersion` than this release knows. */
  readonly isKnownVersion: boolean;
  /** True when `data.run.output` was left out by the sender and filled in by `fetchRun`. */
  readonly isOutputFetched: boolean;
}

/** A run that has ended. */
export interface SettledRun {
  readonly runId: string;
  /** The one in which the run ended. */
  readonly status: RunStatus;
  /** The event with which the last one was handled; not always the one that ended the run. */
  readonly event: RunEvent;
  readonly timeline: Timeline;
  /**
   * `events`: they tell the whole history. `snapshot`: some never came, and `timeline.gaps` names where;
   * the run itself, read with `fetchRun`, confirms that it ended in this status.
   */
  readonly provenBy: 'events' | 'snapshot';
}

export type Handler<Event> = (event: Event, context: HandlingContext) => unknown;
export type SingleHandler<Event> = (event: Event, context: { readonly attempt: number }) => unknown;

/**
 * Functions by what they are called for. Each may return a promise. An event calls first `event`,
 * then the one of its type, then the one of its status; a throw in any of them brings all of them
 * again, later. An event may also come again when the process ended while it was handled.
 */
export type Handlers = {
  /** Every event of a run. */
  readonly event?: Handler<RunEvent>;
  readonly 'run.created'?: Handler<RunCreatedEvent>;
  readonly 'run.status_changed'?: Handler<RunStatusChangedEvent>;
  /** Once for each run that is terminal, with a whole history or an end confirmed by `fetchRun`. */
  readonly settled?: (run: SettledRun) => unknown;
  /** Events of the Send test action, which never reach another handler. */
  readonly test?: SingleHandler<WebhookEvent>;
  /** Events of a type or version that this release does not know. */
  readonly unknown?: SingleHandler<UnknownEvent>;
} & {
  /** By `data.run.status`: `completed`, `failed` and so on. */
  readonly [Status in RunStatus]?: Handler<RunEvent>;
};

const NAMES: ReadonlySet<string> = new Set([
  'event',
  'run.created',
  'run.status_changed',
  'settled',
  'test',
  'unknown',
  ...RUN_STATUSES,
]);

/** Throws a `TypeError` for a handler that would never be called. */
export function checkHandlers(handlers: Handlers): void {
  if (typeof handlers !== 'object' || handlers === null) {
    throw new TypeError('handlers must be an object of functions');
  }
  for (const [name, handler] of Object.entries(handlers)) {
    if (!NAMES.has(name)) {
      throw new TypeError(
        `handlers.${name} is not called for anything; one of ${[...NAMES].join(', ')}`,
      );
    }
    if (handler !== undefined && typeof handler !== 'function') {
      throw new TypeError(`handlers.${name} must be a function, not ${typeof handler}`);
    }
  }
}

/** Calls what is there for an event of a run, one after the other. */
export async function callHandlers(
  handlers: Handlers,
  event: RunEvent,
  context: HandlingContext,
): Promise<void> {
  await handlers.event?.(event, context);
  if (event.type === 'run.created') await handlers['run.created']?.(event, context);
  else await handlers['run.status_changed']?.(event, context);
  await handlers[event.data.run.status]?.(event, context);
}
