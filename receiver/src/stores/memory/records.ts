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
  settle(record: EventRecord): void;
  bury(record: EventRecord, reason: DeadLetterReason, error: string): void;
  dead(): readonly DeadLetter[];
  reopen(id: string, now: number): boolean;
  purge(before: number): { readonly count: number; readonly runIds: readonly string[] };
}

export function memoryRecords(bounds: { maxEvents: number; maxBytes: number }): MemoryRecords {
  const all = new Map<string, EventRecord>();
  const works = new Map<string, EventRecord[]>();
  const waiting = dueQueue<EventRecord>(({ state }) => state === 'open');
  /** Works that had a due event when last looked at. */
  const ready = new Set<string>();
  let bytes = 0;
  let sequence = 0;

  return {
    get: (id) => all.get(id),
    add(event) {
      refuseWhenFull(all.size + 1, bounds.maxEvents, 'events', 'maxEvents');
      refuseWhenFull(bytes + event.body.length, bounds.maxBytes, 'bytes', 'maxBytes');
      sequence += 1;
      const record = newRecord(event, sequence);
      all.set(event.id, record);
      works.set(record.work, [record]);
      waiting.push(record);
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
      let count = 0;
      const runIds: string[] = [];
      for (const [work, records] of works) {
        if (!records.every(({ state, receivedAt }) => state === 'settled' && receivedAt < before)) {
          continue;
        }
        works.delete(work);
        for (const record of records) all.delete(record.id);
        count += records.length;
        runIds.push(...records.slice(0, 1).flatMap(({ runId }) => runId ?? []));
      }
      return { count, runIds };
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
    body: Uint8Array.from(event.body),
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
    `The memory store is full: ${size} ${unit} would be more than ${bound}. ` +
      `Raise ${option}, shorten the retention, or use the SQLite store.`,
  );
}
