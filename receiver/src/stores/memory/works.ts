import type { RunEdge } from '../../order/run-edge.ts';
import { bodyDigest } from '../repetition.ts';
import { StoreError } from '../store-error.ts';
import type { DeadLetterReason, EventState, IncomingEvent } from '../store.ts';

/** An event as the memory store keeps it. Times with `At` are monotonic. */
export interface EventRecord {
  readonly id: string;
  readonly work: WorkRecord;
  readonly position: number;
  readonly edge: RunEdge | null;
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
export interface WorkRecord {
  readonly runId: string | null;
  readonly events: EventRecord[];
  /** Number of events that are not settled, dead letters included. */
  unsettled: number;
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

/** The events of a memory store by id and by work, with their bounds. */
export class Works {
  readonly byId: Map<string, EventRecord> = new Map();
  readonly byRun: Map<string, WorkRecord> = new Map();
  readonly #bounds: MemoryBounds;
  /** Works whose events are all settled, the one that was untouched for the longest time first. */
  readonly #settledWorks = new Set<WorkRecord>();
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
   * Adds an event to its work.
   *
   * @throws {StoreError} `store_full` when the event exceeds a bound.
   */
  add({ id, body, content }: IncomingEvent, now: number, receivedAt: number): EventRecord {
    const { maxEvents, maxBytes } = this.#bounds;
    refuseAbove(maxEvents, 'maxEvents', this.#unsettled + 1, 'events');
    refuseAbove(maxBytes, 'maxBytes', this.#bodyBytes + body.length, 'bytes');
    const work = content.kind === 'run' ? this.#workOfRun(content.runId) : newWork(null);
    const isInvalid = content.kind === 'invalid';
    const event: EventRecord = {
      id,
      work,
      position: work.events.length + 1,
      edge: content.kind === 'run' ? content.edge : null,
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
    work.events.push(event);
    work.unsettled += 1;
    this.byId.set(id, event);
    this.#unsettled += 1;
    this.#bodyBytes += body.length;
    return event;
  }

  /** Settles an event, then forgets works until the bound is kept. */
  settle(event: EventRecord): void {
    const { body, work } = event;
    this.#bodyBytes -= body?.length ?? 0;
    event.digest = body === null ? event.digest : bodyDigest(body);
    event.body = null;
    event.state = 'settled';
    this.#unsettled -= 1;
    work.unsettled -= 1;
    if (work.unsettled === 0) this.#settledWorks.add(work);
    for (const settled of this.#settledWorks) {
      if (this.settledCount <= this.#bounds.maxHandled) return;
      if (settled.lease === null) this.#forget(settled);
    }
  }

  /** Forgets the works whose events are all settled and were accepted before this time. */
  purge(before: number): number {
    const sizeBefore = this.byId.size;
    for (const work of this.#settledWorks) {
      const isOld = work.events.every(({ acceptedAt }) => acceptedAt < before);
      if (isOld && work.lease === null) this.#forget(work);
    }
    return sizeBefore - this.byId.size;
  }

  #workOfRun(runId: string): WorkRecord {
    const known = this.byRun.get(runId);
    if (known !== undefined) {
      this.#settledWorks.delete(known);
      return known;
    }
    const work = newWork(runId);
    this.byRun.set(runId, work);
    return work;
  }

  #forget(work: WorkRecord): void {
    this.#settledWorks.delete(work);
    if (work.runId !== null) this.byRun.delete(work.runId);
    for (const { id } of work.events) this.byId.delete(id);
  }
}

function newWork(runId: string | null): WorkRecord {
  return {
    runId,
    events: [],
    unsettled: 0,
    dueAt: Infinity,
    lease: null,
    isRunSettled: false,
  };
}

function refuseAbove(bound: number, option: string, size: number, unit: string): void {
  if (size <= bound) return;
  throw new StoreError(
    'store_full',
    `The memory store must hold at most ${bound} unhandled ${unit} (${option}), got ${size}. ` +
      `Check deadLetters(), raise ${option}, or use the SQLite store.`,
  );
}
