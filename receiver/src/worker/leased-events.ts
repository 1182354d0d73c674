import type { EventState, JobEvent, Lease, LeasedJob, Outcome } from '../stores/store.ts';
import { backoff } from './retry.ts';
import type { RetryPolicy } from './retry.ts';

/** An event that is not handled yet. Times are monotonic milliseconds. */
export interface PendingEvent {
  readonly id: string;
  /** The name by which it can be paused; `null`: it has none. */
  readonly handler: string | null;
  readonly position: number;
  /** What its source said of it. */
  readonly facts: string | null;
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
  readonly source: string;
  /** `null`: the job is one event. */
  readonly key: string | null;
  /** In order of acceptance. */
  readonly open: Map<string, PendingEvent> = new Map();
  isSettled: boolean;
  lastPosition: number;
  readonly #retry: RetryPolicy;
  readonly #states = new Map<string, EventState>();
  readonly #known: Pick<JobEvent, 'id' | 'facts'>[] = [];

  constructor(job: LeasedJob, now: number, retry: RetryPolicy) {
    this.lease = job.lease;
    this.source = job.source;
    this.key = job.key;
    this.isSettled = job.isSettled;
    this.lastPosition = 0;
    this.#retry = retry;
    this.add(job.events, now);
  }

  /** All that are known, in order of acceptance. It grows with news. */
  get known(): readonly Pick<JobEvent, 'id' | 'facts'>[] {
    return this.#known;
  }

  /** False when older handled events are left out. */
  get isWhole(): boolean {
    return this.#states.size === this.lastPosition;
  }

  /** What became of an event. */
  readonly stateOf = (id: string): EventState | undefined => this.#states.get(id);

  /** Adds what the store has read at a monotonic time. */
  add(events: readonly JobEvent[], now: number): void {
    for (const event of events) {
      this.lastPosition = Math.max(this.lastPosition, event.position);
      this.#states.set(event.id, event.state);
      this.#known.push({ id: event.id, facts: event.facts });
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
  { id, position, handler, facts }: JobEvent,
  { age, dueIn, attempts, failingFor, crashes, isReplay }: NonNullable<JobEvent['open']>,
  now: number,
  retry: RetryPolicy,
): PendingEvent {
  const wait = crashes > 0 ? backoff(crashes, id, retry) : 0;
  return {
    id,
    position,
    handler,
    facts,
    attempts,
    crashes,
    isReplay,
    failingSince: attempts === 0 ? null : now - failingFor,
    acceptedAt: now - age,
    retryAt: now + dueIn + wait,
  };
}
