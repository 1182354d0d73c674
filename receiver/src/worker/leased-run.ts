import { createTimelineResolver } from '../order/timeline-resolver.ts';
import type { Arrival } from '../order/timeline.ts';
import type { LeasedJob, OpenEvent, Outcome, JobEvents } from '../stores/store.ts';
import { backoff } from './next-event.ts';
import type { PendingEvent, RetryPolicy } from './next-event.ts';
import { Progress } from './progress.ts';

/** An open event of a leased job. */
export interface LeasedEvent extends PendingEvent {
  readonly position: number;
  /** `null` until it is read from the store. */
  readonly body: Uint8Array | null;
}

/** The events of a leased job, and the results of handling since the lease began. */
export class LeasedRun {
  readonly runId: string | null;
  /** In order of acceptance. */
  readonly open: Map<string, LeasedEvent> = new Map();
  /** Ids that are not settled, dead letters included. */
  readonly unsettled: Set<string> = new Set();
  isSettled: boolean;
  lastPosition = 0;
  readonly #resolver = createTimelineResolver();
  /** How each event relates to those that were accepted before it. */
  readonly #arrivals = new Map<string, Arrival>();
  readonly #retry: RetryPolicy;
  #progress: Progress | null = null;

  /** `now` is the monotonic time of the lease. */
  constructor(job: LeasedJob, now: number, retry: RetryPolicy) {
    this.runId = job.runId;
    this.#retry = retry;
    this.isSettled = job.isRunSettled;
    this.add(job, now);
  }

  /** `null` for a single event. */
  get progress(): Progress | null {
    if (this.runId === null) return null;
    this.#progress ??= new Progress(this.#resolver.timeline(), this.open, this.unsettled);
    return this.#progress;
  }

  /** Adds events that the store returned at this monotonic time. */
  add({ open, known }: JobEvents, now: number): void {
    const statuses = new Map(known.map(({ edge }) => [edge.id, edge.currentStatus] as const));
    for (const event of open) {
      const status = statuses.get(event.id) ?? null;
      this.open.set(event.id, { ...leasedEvent(event, now, this.#retry), status });
      this.unsettled.add(event.id);
      this.lastPosition = Math.max(this.lastPosition, event.position);
    }
    for (const { edge, state, position } of known) {
      if (state !== 'settled') this.unsettled.add(edge.id);
      this.lastPosition = Math.max(this.lastPosition, position);
      this.#arrivals.set(edge.id, this.#resolver.add(edge));
    }
    this.#progress = null;
  }

  /** Adds bodies that were read from the store. */
  addBodies(bodies: ReadonlyMap<string, Uint8Array>): void {
    for (const [id, body] of bodies) {
      const event = this.open.get(id);
      if (event !== undefined) this.open.set(id, { ...event, body });
    }
  }

  /** Returns how an event relates to those that were accepted before it. */
  arrivalOf({ id }: LeasedEvent): Arrival {
    return this.#arrivals.get(id) ?? 'applied';
  }

  /** Returns true when this is the last unsettled event of a run that has ended, gaps not counted. */
  isEndedBy({ id }: LeasedEvent): boolean {
    const { progress } = this;
    return !this.isSettled && progress?.timeline.isTerminal === true && progress.isLast(id);
  }

  /** Records the result of handling an event at this monotonic time. */
  note(outcome: Outcome, now: number): void {
    const event = this.open.get(outcome.id);
    if (event === undefined) return;
    if (outcome.as === 'failed') {
      const attempts = event.attempts + 1;
      this.open.set(outcome.id, { ...event, attempts, crashes: 0, retryAt: now + outcome.dueIn });
      return;
    }
    this.open.delete(outcome.id);
    this.#progress?.close(outcome.id);
    if (outcome.as !== 'settled') return;
    this.isSettled ||= outcome.runSettled;
    if (this.unsettled.delete(outcome.id)) this.#progress?.settle(outcome.id);
  }
}

function leasedEvent(
  { age, dueIn, ...event }: OpenEvent,
  now: number,
  retry: RetryPolicy,
): Omit<LeasedEvent, 'status'> {
  const wait = event.crashes > 0 ? backoff(event.crashes, retry) : 0;
  return { ...event, acceptedAt: now - age, retryAt: now + dueIn + wait };
}
