import { channel, tracingChannel } from 'node:diagnostics_channel';
import type { Channel, TracingChannel } from 'node:diagnostics_channel';

/** One request, until its response is known: the tracing channel `hookproof:receive`. */
export interface ReceiveTrace {
  /** The `code` of the response. `null` at the start. */
  code: string | null;
  /** The HTTP status of the response. `null` at the start. */
  status: number | null;
  /** The position in `secrets` of the secret that matched, 0 for the first. `null`: none did. */
  secretIndex: number | null;
  /** `null` until the signature matches. */
  eventId: string | null;
}

/** One durable write of a verified event: the tracing channel `hookproof:accept`. */
export interface AcceptTrace {
  /** The id of the event, which is also the idempotency key. */
  readonly eventId: string;
  /**
   * `run`: an event of a run. `single`: a test event or one of an unknown type. `invalid`: a dead
   * letter.
   */
  readonly kind: 'run' | 'single' | 'invalid';
  /** `null`: the store has not accepted the event, or failed. */
  outcome: 'new' | 'duplicate' | 'conflict' | null;
}

/**
 * One attempt to handle one event, with all its handlers: the tracing channel `hookproof:handle`.
 */
export interface HandleTrace {
  /** The id of the event. */
  readonly eventId: string;
  /** `null` for an event without a run. */
  readonly runId: string | null;
  /** 1 for the first attempt, one more after each failure. */
  readonly attempt: number;
  /** True for an event that was handled before, and then replayed. */
  readonly isReplay: boolean;
  /**
   * The most specific handler: the status of the run, `test` or `unknown`. `null` until it is
   * known.
   */
  handler: string | null;
  /** As in `HandlingContext`. `null` for an event without a run, and until it is known. */
  order: string | null;
  /**
   * `failed`: a handler threw or took too long. `lost`: another process may have the event. `null`
   * until it is known.
   */
  outcome: 'handled' | 'failed' | 'lost' | null;
}

/** One call of `fetchRun`: the tracing channel `hookproof:fetchRun`. */
export interface FetchRunTrace {
  /** The event for which the run is read. */
  readonly eventId: string;
  /** The run that is read. */
  readonly runId: string;
  /** `output`: the event omits its output. `end`: events of an ended run are missing. */
  readonly purpose: 'output' | 'end';
  /** `null` until it is known. */
  outcome: 'read' | 'failed' | null;
}

/**
 * One problem, as passed to `onError`: the channel `hookproof:problem`, which is not a tracing
 * channel.
 */
export interface ProblemMessage {
  /** As in `Problem`. */
  readonly code: string;
  /** What happened and what to do, for people. */
  readonly message: string;
  /** `null` when it concerns no single event. */
  readonly eventId: string | null;
  /** `null` when it concerns no single run. */
  readonly runId: string | null;
}

/** What each message of a tracing channel has beside its own fields. */
export interface Enclosing {
  /**
   * Runs the work. A subscriber of `start` may replace it, to run the work inside a context of its
   * own, such as an OpenTelemetry span.
   */
  enclose: <Result>(work: () => Result) => Result;
}

/**
 * A tracing channel whose messages have these fields. Releases of `@types/node` differ in the order
 * of the two parameters, so both are the same.
 */
export type Tracing<Message extends object> = TracingChannel<
  Message & Enclosing,
  Message & Enclosing
>;

/*
 * The channels that every receiver of the process publishes to. Messages hold ids and outcomes,
 * never a payload or a secret.
 */
export const RECEIVE_CHANNEL: Tracing<ReceiveTrace> = tracingChannel('hookproof:receive');
export const ACCEPT_CHANNEL: Tracing<AcceptTrace> = tracingChannel('hookproof:accept');
export const HANDLE_CHANNEL: Tracing<HandleTrace> = tracingChannel('hookproof:handle');
export const FETCH_RUN_CHANNEL: Tracing<FetchRunTrace> = tracingChannel('hookproof:fetchRun');
export const PROBLEM_CHANNEL: Channel = channel('hookproof:problem');

/**
 * Runs a task and publishes its start, its end and its error. The task fills in the message. Its
 * result is not published, because it may hold a payload. Without a subscriber only the task runs.
 */
export function traced<Message extends object, Result>(
  tracing: Tracing<Message>,
  message: Message,
  work: (message: Message) => Promise<Result>,
): Promise<Result> {
  return tracing.hasSubscribers ? published(tracing, message, work) : work(message);
}

function published<Message extends object, Result>(
  tracing: Tracing<Message>,
  message: Message,
  work: (message: Message) => Promise<Result>,
): Promise<Result> {
  const shown = { ...message, enclose: direct };
  return new Promise((resolve, reject) => {
    let pass: (() => void) | undefined;
    const run = async (): Promise<void> => {
      const result = await shown.enclose(() => work(shown));
      pass = () => resolve(result);
    };
    tracing.tracePromise(run, shown).then(() => pass?.(), reject);
  });
}

function direct<Result>(work: () => Result): Result {
  return work();
}
