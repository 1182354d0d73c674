import { knownName } from '../argument-checks.ts';
import { RUN_STATUSES } from '../generated/constants.ts';
import type { RunEvent, RunStatus } from '../generated/run-events.ts';
import type { UnknownEvent, WebhookEvent } from '../verify/decode-event.ts';
import type { EventContext } from '../worker/event-context.ts';
import type { Call } from '../worker/source-work.ts';
import type {
  HandlerName,
  Handlers,
  HandlingContext,
  RunEventByStatus,
  SettledRun,
  StatusHandlers,
} from './handlers.ts';

const NAMES: readonly string[] = [
  'event',
  'run.created',
  'run.status_changed',
  'settled',
  'test',
  'unknown',
  ...RUN_STATUSES,
];

/** The handlers of a receiver: those of its options, then those of `on()`. */
export class HandlerTable<Tx> {
  readonly #lists: Handlers<Tx>[] = [];

  /** @throws {TypeError} For a handler that would never be called. */
  constructor(handlers: unknown) {
    this.add(handlers);
  }

  /** @throws {TypeError} For a handler that would never be called. */
  add(handlers: unknown): void {
    checkHandlers(handlers);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each has a known name and is a function
    this.#lists.push(handlers as Handlers<Tx>);
  }

  /** Returns the calls that a run event makes, in order. */
  forRunEvent(event: RunEvent): readonly Call<HandlingContext<Tx>>[] {
    return this.#lists.flatMap((handlers) => [
      ...calls('event', handlers.event, event),
      ...(event.type === 'run.created'
        ? calls(event.type, handlers[event.type], event)
        : calls(event.type, handlers[event.type], event)),
      ...statusCalls(handlers, event.data.run.status, event),
    ]);
  }

  forSettledRun(run: SettledRun): readonly Call<HandlingContext<Tx>>[] {
    return this.#lists.flatMap((handlers) => calls('settled', handlers.settled, run));
  }

  forTest(event: WebhookEvent): readonly Call<EventContext<Tx>>[] {
    return this.#lists.flatMap((handlers) => calls('test', handlers.test, event));
  }

  forUnknown(event: UnknownEvent): readonly Call<EventContext<Tx>>[] {
    return this.#lists.flatMap((handlers) => calls('unknown', handlers.unknown, event));
  }
}

function calls<Subject, Context>(
  name: HandlerName,
  handler: ((subject: Subject, context: Context) => unknown) | undefined,
  subject: Subject,
): readonly Call<Context>[] {
  return handler === undefined ? [] : [{ name, run: (context) => handler(subject, context) }];
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties the handler to the status of its event
function statusCalls<Status extends RunStatus, Tx>(
  handlers: StatusHandlers<Tx>,
  status: Status,
  event: RunEvent,
): readonly Call<HandlingContext<Tx>>[] {
  return hasStatus(event, status) ? calls(status, handlers[status], event) : [];
}

function hasStatus<Status extends RunStatus>(
  event: RunEvent,
  status: Status,
): event is RunEventByStatus[Status] {
  return event.data.run.status === status;
}

function checkHandlers(handlers: unknown): void {
  if (typeof handlers !== 'object' || handlers === null) {
    const received = handlers === null ? 'null' : typeof handlers;
    throw new TypeError(`handlers must be an object of functions, got ${received}.`);
  }
  for (const [name, handler] of Object.entries(handlers)) {
    knownName('handler', name, NAMES);
    if (handler !== undefined && typeof handler !== 'function') {
      throw new TypeError(`handlers.${name} must be a function, got ${typeof handler}.`);
    }
  }
}
