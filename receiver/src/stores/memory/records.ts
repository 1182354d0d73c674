import type { RunEdge } from '../../order/run-edge.ts';
import { bodyDigest } from '../repetition.ts';
import { StoreError } from '../store-error.ts';
import type {
  DeadLetter,
  DeadLetterReason,
  EventState,
  IncomingEvent,
  OpenEvent,
} from '../store.ts';
import { dueQueue } from './due-queue.ts';

/** An event as the memory store keeps it. */
export interface EventRecord {
  readonly id: string;
  readonly sequence: number;
  readonly receivedAt: number;
  /** The unit that is leased: the event alone, or its run. */
  work: string;
  runId: string | null;
  edge: RunEdge | null;
  body: Uint8Array | null;
  digest: Uint8Array | null;
  state: EventState;
  attempts: number;
  starts: number;
  dueAt: number;
  reason: DeadLetterReason;
  error: string;
}

/** The options of `memoryStore`, with every default filled in. */
export interface MemoryBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly maxHandled: number;
}

/** The events of a memory store by id and by work, with their bounds. */
export class MemoryRecords {
  readonly #bounds: MemoryBounds;
  readonly #byId = new Map<string, EventRecord>();
  readonly #byWork = new Map<string, EventRecord[]>();
  readonly #waiting = dueQueue<EventRecord>(({ state }) => state === 'open');
  /** Works that had a due event at the last look. */
  readonly #readyWorks = new Set<string>();
  /** Works whose events are all settled, the one that was untouched for the longest time first. */
  readonly #settledWorks = new Set<string>();
  #unsettledCount = 0;
  #bodyBytes = 0;
  #lastSequence = 0;

  constructor(bounds: MemoryBounds) {
    this.#bounds = bounds;
  }

  get(id: string): EventRecord | undefined {
    return this.#byId.get(id);
  }

  ofRun(runId: string): readonly EventRecord[] {
    return this.#byWork.get(runWork(runId)) ?? [];
  }

  /** @throws {StoreError} `store_full` when the event exceeds a bound. */
  add(event: IncomingEvent): void {
    const { maxEvents, maxBytes } = this.#bounds;
    refuseAbove(maxEvents, 'maxEvents', this.#unsettledCount + 1, 'events');
    refuseAbove(maxBytes, 'maxBytes', this.#bodyBytes + event.body.length, 'bytes');
    this.#lastSequence += 1;
    const record = newRecord(event, this.#lastSequence);
    this.#byId.set(event.id, record);
    this.#byWork.set(record.work, [record]);
    this.#waiting.push(record);
    this.#unsettledCount += 1;
    this.#bodyBytes += event.body.length;
  }

  /** Yields one due event of each work that has any. */
  *due(now: number): Generator<EventRecord> {
    for (const { work } of this.#waiting.takeDue(now)) this.#readyWorks.add(work);
    for (const work of this.#readyWorks) {
      const members = this.#byWork.get(work) ?? [];
      const first = members.find(({ state, dueAt }) => state === 'open' && dueAt <= now);
      if (first === undefined) this.#readyWorks.delete(work);
      else yield first;
    }
  }

  /** Returns the earliest time after `now` at which an event is due; `Infinity` when there is none. */
  nextDue(now: number): number {
    for (const { work } of this.#waiting.takeDue(now)) this.#readyWorks.add(work);
    return this.#waiting.earliest();
  }

  setDue(record: EventRecord, dueAt: number): void {
    record.dueAt = dueAt;
    this.#waiting.push(record);
  }

  /** Assigns an event to its run, in order of acceptance. */
  place(record: EventRecord, runId: string, edge: RunEdge): void {
    const work = runWork(runId);
    this.#byWork.delete(record.work);
    this.#readyWorks.add(work);
    this.#settledWorks.delete(work);
    Object.assign(record, { work, runId, edge });
    const members = [...this.ofRun(runId), record];
    this.#byWork.set(
      work,
      members.toSorted((left, right) => left.sequence - right.sequence),
    );
  }

  /** Settles an event, then forgets runs until the bound is kept. Returns the forgotten runs. */
  settle(record: EventRecord): readonly string[] {
    this.#bodyBytes -= record.body?.length ?? 0;
    record.digest = record.body === null ? record.digest : bodyDigest(record.body);
    record.body = null;
    record.state = 'settled';
    this.#unsettledCount -= 1;
    const members = this.#byWork.get(record.work) ?? [];
    if (members.every(({ state }) => state === 'settled')) this.#settledWorks.add(record.work);
    const forgotten: string[] = [];
    for (const work of this.#settledWorks) {
      if (this.#byId.size - this.#unsettledCount <= this.#bounds.maxHandled) break;
      const runId = this.#forget(work);
      if (runId !== null) forgotten.push(runId);
    }
    return forgotten;
  }

  fail(record: EventRecord, dueAt: number, error: string): void {
    Object.assign(record, { error, starts: 0, attempts: record.attempts + 1 });
    this.setDue(record, dueAt);
  }

  /** Makes an event a dead letter. */
  setAside(record: EventRecord, reason: DeadLetterReason, error: string): void {
    Object.assign(record, { state: 'dead', reason, error });
  }

  deadLetters(): readonly DeadLetter[] {
    return [...this.#byId.values()].filter(({ state }) => state === 'dead').map(deadLetter);
  }

  /** Opens a dead letter again; returns false when the id is not a dead letter. */
  reopen(id: string, now: number): boolean {
    const record = this.#byId.get(id);
    if (record?.state !== 'dead') return false;
    Object.assign(record, { state: 'open', attempts: 0, starts: 0 });
    this.setDue(record, now);
    return true;
  }

  /** Forgets the works that are settled and arrived before this time. */
  purge(before: number): { readonly count: number; readonly runIds: readonly string[] } {
    const sizeBefore = this.#byId.size;
    const runIds: string[] = [];
    for (const work of this.#settledWorks) {
      const members = this.#byWork.get(work) ?? [];
      if (members.some(({ receivedAt }) => receivedAt >= before)) continue;
      const runId = this.#forget(work);
      if (runId !== null) runIds.push(runId);
    }
    return { count: sizeBefore - this.#byId.size, runIds };
  }

  /** Forgets a work with all its events; returns its run, if it has one. */
  #forget(work: string): string | null {
    const members = this.#byWork.get(work) ?? [];
    this.#byWork.delete(work);
    this.#settledWorks.delete(work);
    for (const { id } of members) this.#byId.delete(id);
    return members[0]?.runId ?? null;
  }
}

function runWork(runId: string): string {
  return `run:${runId}`;
}

function newRecord(event: IncomingEvent, sequence: number): EventRecord {
  return {
    id: event.id,
    sequence,
    receivedAt: event.receivedAt,
    work: `event:${event.id}`,
    runId: null,
    edge: null,
    body: new Uint8Array(event.body),
    digest: null,
    state: 'open',
    attempts: 0,
    starts: 0,
    dueAt: event.receivedAt,
    reason: 'handler_failed',
    error: '',
  };
}

export function openEvent(record: EventRecord): OpenEvent {
  const { id, receivedAt, attempts, starts, dueAt } = record;
  return { id, body: record.body ?? new Uint8Array(), receivedAt, attempts, starts, dueAt };
}

function deadLetter({ id, runId, reason, error, receivedAt, attempts }: EventRecord): DeadLetter {
  return { id, runId, reason, error, receivedAt, attempts };
}

function refuseAbove(bound: number, option: string, size: number, unit: string): void {
  if (size <= bound) return;
  throw new StoreError(
    'store_full',
    `The memory store must hold at most ${bound} unhandled ${unit} (${option}), got ${size}. ` +
      `Check deadLetters(), raise ${option}, or use the SQLite store.`,
  );
}
