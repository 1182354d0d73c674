import type { RunEdge } from '../../order/run-edge.ts';
import { bodyDigest } from '../body-digest.ts';
import { StoreError } from '../store-error.ts';
import type {
  DeadLetter,
  DeadLetterReason,
  EventState,
  IncomingEvent,
  OpenEvent,
} from '../store.ts';
import { eventWork, runWork } from '../work-name.ts';
import { dueQueue } from './due-queue.ts';

/** An event as the memory store keeps it. */
export interface EventRecord {
  readonly id: string;
  readonly sequence: number;
  readonly receivedAt: number;
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

export interface MemoryRecords {
  get(id: string): EventRecord | undefined;
  add(event: IncomingEvent): void;
  /** One due event of each work that has any. */
  due(now: number): Iterable<EventRecord>;
  /** The earliest time after `now` at which an event falls due; `Infinity` when there is none. */
  nextDue(now: number): number;
  setDue(record: EventRecord, dueAt: number): void;
  ofRun(runId: string): readonly EventRecord[];
  place(record: EventRecord, runId: string, edge: RunEdge): void;
  /** Answers the runs that were forgotten, so that no more handled events are kept than may be. */
  settle(record: EventRecord): readonly string[];
  bury(record: EventRecord, reason: DeadLetterReason, error: string): void;
  dead(): readonly DeadLetter[];
  reopen(id: string, now: number): boolean;
  purge(before: number): { readonly count: number; readonly runIds: readonly string[] };
}

export interface MemoryBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly maxHandled: number;
}

export function memoryRecords(bounds: MemoryBounds): MemoryRecords {
  const all = new Map<string, EventRecord>();
  const works = new Map<string, EventRecord[]>();
  const waiting = dueQueue<EventRecord>(({ state }) => state === 'open');
  /** Works that had a due event when last looked at. */
  const ready = new Set<string>();
  /** Works of which every event is settled, the one longest untouched first. */
  const finished = new Set<string>();
  let unsettled = 0;
  let bytes = 0;
  let sequence = 0;

  /** Forgets a work with all its events; answers its run, if it has one. */
  const forget = (work: string): string | null => {
    const members = works.get(work) ?? [];
    works.delete(work);
    finished.delete(work);
    for (const { id } of members) all.delete(id);
    return members[0]?.runId ?? null;
  };

  return {
    get: (id) => all.get(id),
    add(event) {
      refuseWhenFull(unsettled + 1, bounds.maxEvents, 'events', 'maxEvents');
      refuseWhenFull(bytes + event.body.length, bounds.maxBytes, 'bytes', 'maxBytes');
      sequence += 1;
      const record = newRecord(event, sequence);
      all.set(event.id, record);
      works.set(record.work, [record]);
      waiting.push(record);
      unsettled += 1;
      bytes += event.body.length;
    },
    *due(now) {
      for (const { work } of waiting.takeDue(now)) ready.add(work);
      for (const work of ready) {
        const members = works.get(work) ?? [];
        const first = members.find(({ state, dueAt }) => state === 'open' && dueAt <= now);
        if (first === undefined) ready.delete(work);
        else yield first;
      }
    },
    nextDue(now) {
      for (const { work } of waiting.takeDue(now)) ready.add(work);
      return waiting.earliest();
    },
    setDue(record, dueAt) {
      record.dueAt = dueAt;
      waiting.push(record);
    },
    ofRun: (runId) => works.get(runWork(runId)) ?? [],
    place(record, runId, edge) {
      works.delete(record.work);
      ready.add(runWork(runId));
      record.work = runWork(runId);
      finished.delete(record.work);
      record.runId = runId;
      record.edge = edge;
      const others = works.get(record.work) ?? [];
      works.set(
        record.work,
        [...others, record].toSorted((left, right) => left.sequence - right.sequence),
      );
    },
    settle(record) {
      bytes -= record.body?.length ?? 0;
      record.digest = record.body === null ? record.digest : bodyDigest(record.body);
      record.body = null;
      record.state = 'settled';
      unsettled -= 1;
      const members = works.get(record.work) ?? [];
      if (members.every(({ state }) => state === 'settled')) finished.add(record.work);
      const forgotten: string[] = [];
      for (const work of finished) {
        if (all.size - unsettled <= bounds.maxHandled) break;
        const runId = forget(work);
        if (runId !== null) forgotten.push(runId);
      }
      return forgotten;
    },
    bury(record, reason, error) {
      Object.assign(record, { state: 'dead', reason, error });
    },
    dead: () => [...all.values()].filter(({ state }) => state === 'dead').map(deadLetter),
    reopen(id, now) {
      const record = all.get(id);
      if (record?.state !== 'dead') return false;
      Object.assign(record, { state: 'open', attempts: 0, starts: 0, dueAt: now });
      waiting.push(record);
      return true;
    },
    purge(before) {
      const sizeBefore = all.size;
      const runIds: string[] = [];
      for (const work of finished) {
        const members = works.get(work) ?? [];
        if (members.some(({ receivedAt }) => receivedAt >= before)) continue;
        const runId = forget(work);
        if (runId !== null) runIds.push(runId);
      }
      return { count: sizeBefore - all.size, runIds };
    },
  };
}

function newRecord(event: IncomingEvent, sequence: number): EventRecord {
  return {
    id: event.id,
    sequence,
    receivedAt: event.receivedAt,
    work: eventWork(event.id),
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

export function openRecord(record: EventRecord): OpenEvent {
  const { id, receivedAt, attempts, starts, dueAt } = record;
  return { id, body: record.body ?? new Uint8Array(), receivedAt, attempts, starts, dueAt };
}

function deadLetter({ id, runId, reason, error, receivedAt, attempts }: EventRecord): DeadLetter {
  return { id, runId, reason, error, receivedAt, attempts };
}

function refuseWhenFull(size: number, bound: number, unit: string, option: string): void {
  if (size <= bound) return;
  throw new StoreError(
    'store_full',
    `The memory store is full: ${size} ${unit} to handle would be more than ${bound}. ` +
      `See deadLetters(), raise ${option}, or use the SQLite store.`,
  );
}
