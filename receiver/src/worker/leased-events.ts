import { edgeFromFacts } from '../event-content.ts';
import type { RunEdge } from '../order/run-edge.ts';
import type { EventState, JobEvent, Lease, LeasedJob, Outcome } from '../stores/store.ts';
import { backoff } from './retry.ts';
import type { RetryPolicy } from './retry.ts';
import { Run } from './run.ts';

/** An event that is not handled yet. Times are monotonic milliseconds. */
export interface PendingEvent {
  readonly id: string;
  /** The name by which it can be paused; `null` for an event without a run. */
  readonly handler: string | null;
  readonly position: number;
  readonly attempts: number;
  /** When it failed first; `null` when it did not. */
  readonly failingSince: number | null;
  /** How often a process ended while it handled this event, since the last outcome. */
  readonly crashes: number;
  readonly acceptedAt: number;
  /** When it may be handled; later than its acceptance only after a failure or a crash. */
  readonly retryAt: number;
  readonly isReplay: boolean;
}

/** The events of a leased job: what the store said of them, and what became of them since. */
export class LeasedEvents {
  readonly lease: Lease;
  /** `null` for an event without a run. */
  readonly runId: string | null;
  /** In order of acceptance. */
  readonly open: Map<string, PendingEvent> = new Map();
  isSettled: boolean;
  lastPosition: number;
  readonly #retry: RetryPolicy;
  readonly #states = new Map<string, EventState>();
  readonly #edges: RunEdge[] = [];
  #run: Run | null = null;

  constructor(job: LeasedJob, now: number, retry: RetryPolicy) {
    this.lease = job.lease;
    this.runId = job.key;
    this.isSettled = job.isSettled;
    this.lastPosition = 0;
    this.#retry = retry;
    this.add(job.events, now);
  }

  /** What all events of the run show; `null` for an event without a run. */
  get run(): Run | null {
    if (this.runId === null) return null;
    const isWhole = this.#states.size === this.lastPosition;
    this.#run ??= new Run(this.#edges, (id) => this.#states.get(id), isWhole);
    return this.#run;
  }

  /** Adds what the store has read at a monotonic time. */
  add(events: readonly JobEvent[], now: number): void {
    this.#run = null;
    for (const event of events) {
      this.lastPosition = Math.max(this.lastPosition, event.position);
      this.#states.set(event.id, event.state);
      const edge = edgeFromFacts(event.id, event.facts);
      if (edge !== null) this.#edges.push(edge);
      if (event.open !== null)
        this.open.set(event.id, pending(event, event.open, now, this.#retry));
    }
  }

  /** Records the result of handling an event at a monotonic time. */
  note(outcome: Outcome, now: number): void {
    const event = this.open.get(outcome.id);
    if (event === undefined) return;
    if (outcome.as === 'failed') {
      const [attempts, failingSince] = [event.attempts + 1, event.failingSince ?? now];
      const retryAt = now + outcome.dueIn;
      this.open.set(outcome.id, { ...event, attempts, failingSince, crashes: 0, retryAt });
      return;
    }
    this.open.delete(outcome.id);
    this.#states.set(outcome.id, outcome.as);
    if (outcome.as === 'handled') this.isSettled ||= outcome.settlesJob;
  }
}

function pending(
  { id, position, handler }: JobEvent,
  { age, dueIn, attempts, failingFor, crashes, isReplay }: NonNullable<JobEvent['open']>,
  now: number,
  retry: RetryPolicy,
): PendingEvent {
  const wait = crashes > 0 ? backoff(crashes, id, retry) : 0;
  return {
    id,
    position,
    handler,
    attempts,
    crashes,
    isReplay,
    failingSince: attempts === 0 ? null : now - failingFor,
    acceptedAt: now - age,
    retryAt: now + dueIn + wait,
  };
}
