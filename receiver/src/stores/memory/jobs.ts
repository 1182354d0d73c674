import { orderPlace } from '../../order/order-key.ts';
import type { RunEdge } from '../../order/run-edge.ts';
import { bodyDigest } from '../repetition.ts';
import { StoreError } from '../store-error.ts';
import type { DeadLetterReason, EventState, IncomingEvent } from '../store.ts';

/** An event as the memory store keeps it. Times with `At` are monotonic. */
export interface EventRecord {
  readonly id: string;
  readonly job: JobRecord;
  readonly position: number;
  readonly edge: RunEdge | null;
  /** Its place among the events of its run. */
  readonly place: string;
  /** For people, in milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly acceptedAt: number;
  body: Uint8Array | null;
  digest: Uint8Array | null;
  state: EventState;
  retryAt: number;
  attempts: number;
  crashes: number;
  reason: DeadLetterReason | null;
  error: string | null;
}

/** A run, or one event without a run, with its lease. */
export interface JobRecord {
  readonly runId: string | null;
  readonly events: EventRecord[];
  /** The same events by place. */
  readonly places: EventRecord[];
  /** Those that are not settled, dead letters included, by place. */
  readonly waiting: EventRecord[];
  /** What the order knows of the run. */
  order: string | null;
  /** When it may be leased; `Infinity` when nothing is due. */
  dueAt: number;
  lease: {
    readonly holder: string;
    readonly token: number;
    until: number;
    hasNews: boolean;
    /** The event that is being handled. */
    begun: string | null;
  } | null;
  isRunSettled: boolean;
}

/** The options of `memoryStore`, with every default filled in. */
export interface MemoryBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly maxHandled: number;
}

/** The events of a memory store by id and by job, with their bounds. */
export class Jobs {
  readonly byId: Map<string, EventRecord> = new Map();
  readonly byRun: Map<string, JobRecord> = new Map();
  readonly #bounds: MemoryBounds;
  /** Jobs whose events are all settled, the one that was untouched for the longest time first. */
  readonly #settledJobs = new Set<JobRecord>();
  #unsettled = 0;
  #bodyBytes = 0;

  constructor(bounds: MemoryBounds) {
    this.#bounds = bounds;
  }

  /** Number of handled events that are remembered. */
  get settledCount(): number {
    return this.byId.size - this.#unsettled;
  }

  /**
   * Adds an event to its job.
   *
   * @throws {StoreError} `store_full` when the event exceeds a bound.
   */
  add({ id, body, content }: IncomingEvent, now: number, receivedAt: number): EventRecord {
    const { maxEvents, maxBytes } = this.#bounds;
    refuseAbove(maxEvents, 'maxEvents', this.#unsettled + 1, 'events');
    refuseAbove(maxBytes, 'maxBytes', this.#bodyBytes + body.length, 'bytes');
    const job = content.kind === 'run' ? this.#jobOfRun(content.runId) : newJob(null);
    const isInvalid = content.kind === 'invalid';
    const position = job.events.length + 1;
    const edge = content.kind === 'run' ? content.edge : null;
    const event: EventRecord = {
      id,
      job,
      position,
      edge,
      place: edge === null ? '' : orderPlace(edge, position),
      receivedAt,
      acceptedAt: now,
      // From the pool of Node.js, which is faster than a buffer for each body.
      body: Buffer.from(body),
      digest: null,
      state: isInvalid ? 'dead' : 'open',
      retryAt: now,
      attempts: 0,
      crashes: 0,
      reason: isInvalid ? 'event_quarantined' : null,
      error: isInvalid ? content.error : null,
    };
    job.events.push(event);
    for (const events of [job.places, job.waiting]) {
      events.splice(indexOfPlace(events, event.place), 0, event);
    }
    this.byId.set(id, event);
    this.#unsettled += 1;
    this.#bodyBytes += body.length;
    return event;
  }

  /** Settles an event, then forgets jobs until the bound is kept. */
  settle(event: EventRecord): void {
    const { body, job } = event;
    this.#bodyBytes -= body?.length ?? 0;
    event.digest = body === null ? event.digest : bodyDigest(body);
    event.body = null;
    event.state = 'settled';
    this.#unsettled -= 1;
    job.waiting.splice(indexOfPlace(job.waiting, event.place), 1);
    if (job.waiting.length === 0) this.#settledJobs.add(job);
    for (const settled of this.#settledJobs) {
      if (this.settledCount <= this.#bounds.maxHandled) return;
      if (settled.lease === null) this.#forget(settled);
    }
  }

  /** Forgets the jobs whose events are all settled and were accepted before this time. */
  purge(before: number): number {
    const sizeBefore = this.byId.size;
    for (const job of this.#settledJobs) {
      const isOld = job.events.every(({ acceptedAt }) => acceptedAt < before);
      if (isOld && job.lease === null) this.#forget(job);
    }
    return sizeBefore - this.byId.size;
  }

  #jobOfRun(runId: string): JobRecord {
    const known = this.byRun.get(runId);
    if (known !== undefined) {
      this.#settledJobs.delete(known);
      return known;
    }
    const job = newJob(runId);
    this.byRun.set(runId, job);
    return job;
  }

  #forget(job: JobRecord): void {
    this.#settledJobs.delete(job);
    if (job.runId !== null) this.byRun.delete(job.runId);
    for (const { id } of job.events) this.byId.delete(id);
  }
}

function newJob(runId: string | null): JobRecord {
  return {
    runId,
    events: [],
    places: [],
    waiting: [],
    order: null,
    dueAt: Infinity,
    lease: null,
    isRunSettled: false,
  };
}

/** Returns the index of the first of some events that is not before a place. */
export function indexOfPlace(events: readonly EventRecord[], place: string): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.place ?? '') < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function refuseAbove(bound: number, option: string, size: number, unit: string): void {
  if (size <= bound) return;
  throw new StoreError(
    'store_full',
    `The memory store must hold at most ${bound} unhandled ${unit} (${option}), got ${size}. ` +
      `Check deadLetters(), raise ${option}, or use the SQLite store.`,
  );
}
