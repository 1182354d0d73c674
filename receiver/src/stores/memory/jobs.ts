import { orderPlace } from '../../order/order-key.ts';
import type { RunEdge } from '../../order/run-edge.ts';
import type { Arrival } from '../../order/timeline.ts';
import { bodyDigest } from '../repetition.ts';
import { StoreError } from '../store-error.ts';
import type { DeadLetterReason, EventState, IncomingEvent } from '../store.ts';

/** An event as the memory store keeps it. Times with `At` are monotonic. */
export interface EventRecord {
  readonly id: string;
  readonly job: JobRecord;
  readonly position: number;
  /** 1 for the first event of the store, 2 for the next. */
  readonly number: number;
  readonly edge: RunEdge | null;
  readonly automationId: string | null;
  /** Its place among the events of its run. */
  readonly place: string;
  /** For people, in milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly acceptedAt: number;
  body: Uint8Array | null;
  digest: string | null;
  state: EventState;
  retryAt: number;
  attempts: number;
  crashes: number;
  reason: DeadLetterReason | null;
  error: string | null;
  isReplay: boolean;
  arrival: Arrival;
  /** How long the body of a settled event is kept: by both clocks, the second for people. */
  kept: KeptUntil | null;
}

export interface KeptUntil {
  readonly monotonic: number;
  readonly wall: number;
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
    /** Somebody opened an event of the job again, or ended a pause. */
    isDueAgain: boolean;
    /** The event that is being handled. */
    begun: string | null;
  } | null;
  /** The event with which the run was settled. */
  settledBy: string | null;
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
  /** Settled events with a body, the one that was settled first at the front. */
  readonly #kept = new Set<EventRecord>();
  #accepted = 0;
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
    for (const kept of this.#kept) {
      if (this.#bodyBytes + body.length <= maxBytes) break;
      this.#dropBody(kept);
    }
    refuseAbove(maxBytes, 'maxBytes', this.#bodyBytes + body.length, 'bytes');
    const job = content.kind === 'run' ? this.#jobOfRun(content.runId) : newJob(null);
    const isInvalid = content.kind === 'invalid';
    const position = job.events.length + 1;
    const edge = content.kind === 'run' ? content.edge : null;
    this.#accepted += 1;
    const event: EventRecord = {
      id,
      job,
      position,
      number: this.#accepted,
      edge,
      automationId: content.kind === 'run' ? content.automationId : null,
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
      isReplay: false,
      arrival: 'applied',
      kept: null,
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

  /** Settles an event, then forgets jobs until the bound is kept. Without `kept` it deletes the body. */
  settle(event: EventRecord, kept: KeptUntil | null = null): void {
    const { job } = event;
    event.state = 'settled';
    event.kept = kept;
    if (kept === null) this.#dropBody(event);
    else this.#kept.add(event);
    this.#unsettled -= 1;
    job.waiting.splice(indexOfPlace(job.waiting, event.place), 1);
    if (job.waiting.length === 0) this.#settledJobs.add(job);
    for (const settled of this.#settledJobs) {
      if (this.settledCount <= this.#bounds.maxHandled) return;
      if (settled.lease === null) this.#forget(settled);
    }
  }

  /** Returns the settled events whose bodies are kept at this time, in order of acceptance. */
  kept(now: number): readonly EventRecord[] {
    const isKept = ({ kept }: EventRecord): boolean => kept !== null && kept.monotonic > now;
    return [...this.byId.values()].filter(isKept);
  }

  /**
   * Opens settled events again whose bodies are kept: all of them, or none.
   *
   * @throws {StoreError} `store_full` when there would be too many open events.
   */
  replay(events: readonly EventRecord[], now: number): void {
    refuseAbove(this.#bounds.maxEvents, 'maxEvents', this.#unsettled + events.length, 'events');
    for (const event of events) {
      const { job } = event;
      this.#kept.delete(event);
      this.#settledJobs.delete(job);
      this.#unsettled += 1;
      job.waiting.splice(indexOfPlace(job.waiting, event.place), 0, event);
      if (job.settledBy === event.id) job.settledBy = null;
      Object.assign(event, {
        state: 'open',
        attempts: 0,
        crashes: 0,
        retryAt: now,
        isReplay: true,
        kept: null,
      });
    }
  }

  /** Deletes the bodies that were kept until this time. */
  purgeBodies(now: number): void {
    for (const event of this.#kept) {
      if (event.kept !== null && event.kept.monotonic <= now) this.#dropBody(event);
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
    for (const event of job.events) {
      this.#dropBody(event);
      this.byId.delete(event.id);
    }
  }

  #dropBody(event: EventRecord): void {
    const { body } = event;
    this.#kept.delete(event);
    event.kept = null;
    if (body === null) return;
    this.#bodyBytes -= body.length;
    event.digest = bodyDigest(body);
    event.body = null;
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
    settledBy: null,
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
