import type { HandleTrace } from '../diagnostics.ts';
import type { ReportProblem } from '../problems.ts';
import type { RunEdge, Timeline } from '../order/timeline.ts';
import type { Store } from '../stores/store.ts';
import type { EventContext } from './event-context.ts';
import type { LeasedEvents, PendingEvent } from './leased-events.ts';
import type { Moment, NextEvent } from './next-event.ts';

/** One call of one handler. */
export interface Call<Context> {
  /** The name of the handler. */
  readonly name: string;
  readonly run: (context: Context) => unknown;
}

/** The handlers to call for one event, in order. */
export interface Plan<Tx> {
  readonly calls: readonly Call<EventContext<Tx>>[];
  /** True when the job is settled with this event. */
  readonly settlesJob: boolean;
  /** What the diagnostics say of the event. */
  readonly about: Pick<HandleTrace, 'handler' | 'order'>;
}

/** What the worker passes to a source that plans an event. */
export interface Planning {
  readonly store: Store;
  readonly report: ReportProblem;
  /** Aborts when the event must not be handled any longer. */
  readonly signal: AbortSignal;
}

/** From which status to which each event of a key leads, as a source with runs says it. */
export interface Walk {
  /** Reads an edge that the source has put into the facts of an event; `null` without one. */
  edgeFrom(id: string, facts: string | null): RunEdge | null;
  /** Resolves the order of a run. */
  resolve(edges: readonly RunEdge[]): Timeline;
}

/** How the events of one source are handled. */
export interface SourceWork<Tx> {
  /** `null` when the events of one key are no run. */
  readonly walk: Walk | null;
  /**
   * Adds handlers, which are called after those before.
   *
   * @throws {TypeError} For a handler that would never be called.
   */
  add(handlers: unknown): void;
  /**
   * Refuses a name by which no event is paused, listed and replayed.
   *
   * @throws {TypeError} When it is one.
   */
  requireHandler(name: unknown): void;
  /** Decides which event of a leased job is next. It reads nothing. */
  next(events: LeasedEvents, moment: Moment): NextEvent;
  /**
   * Reads an event, and returns the handlers to call.
   *
   * @throws {WebhookVerificationError} When the body is no event.
   */
  plan(
    events: LeasedEvents,
    event: PendingEvent,
    body: Uint8Array,
    planning: Planning,
  ): Promise<Plan<Tx>>;
  /** Returns the least wait before the next attempt, in milliseconds, that a service asked for. */
  leastWait(cause: unknown): number;
}

/** Names a job for people. */
export function jobName({ walk }: Pick<SourceWork<never>, 'walk'>, key: string | null): string {
  if (key === null) return 'an event';
  return walk === null ? `the events of ${key}` : `run ${key}`;
}

/** What problems say of a job. */
export function runIdOf(
  { walk }: Pick<SourceWork<never>, 'walk'>,
  key: string | null,
): string | null {
  return walk === null ? null : key;
}
