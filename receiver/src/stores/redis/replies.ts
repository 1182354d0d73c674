import { orderKey } from '../../order/order-key.ts';
import type { RunEdge } from '../../order/run-edge.ts';
import { ARRIVALS } from '../../order/timeline.ts';
import type { Arrival } from '../../order/timeline.ts';
import { StoreError } from '../store-error.ts';
import { DEAD_LETTER_REASONS } from '../store.ts';
import type {
  DeadLetter,
  DeadLetterReason,
  EventState,
  IncomingEvent,
  KnownEvent,
  OpenEvent,
  StoredEvent,
  StoredOpenEvent,
  StoredRun,
  JobEvents,
} from '../store.ts';

/** An event as Redis keeps it. Times are those of the server. */
export interface EventRecord {
  readonly state: EventState;
  readonly attempts: number;
  readonly crashes: number;
  readonly dueAt: number;
  readonly isReplay: boolean;
  readonly arrival: Arrival;
  readonly receivedAt: number;
  readonly sequence: number;
  readonly id: string;
  /** Base64url. */
  readonly digest: string;
  readonly edge: RunEdge | null;
  readonly automationId: string | null;
}

export function listIn(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : malformed('a list');
}

/** Returns the pairs of a map, which is a flat list or, in version 3 of the protocol, an object. */
export function pairsIn(reply: unknown): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(reply)) {
    return typeof reply === 'object' && reply !== null ? Object.entries(reply) : malformed('a map');
  }
  return reply.flatMap((value, index) =>
    index % 2 === 0 ? [[textIn(value), reply[index + 1]] as const] : [],
  );
}

export function bytesIn(reply: unknown): Buffer {
  return Buffer.isBuffer(reply) ? reply : malformed('a text');
}

export function textIn(reply: unknown): string {
  return typeof reply === 'string' ? reply : bytesIn(reply).toString();
}

export function numberIn(reply: unknown): number {
  const number = Buffer.isBuffer(reply) ? Number(reply.toString()) : reply;
  return typeof number === 'number' && Number.isFinite(number) ? number : malformed('a number');
}

const STATES: Readonly<Record<string, EventState>> = { o: 'open', s: 'settled', d: 'dead' };

/** Returns what a record keeps of an accepted event: the part that the scripts do not read. */
export function detailsOf({ id, content }: IncomingEvent, digest: string): string {
  const edge =
    content.kind === 'run'
      ? [
          content.edge.previousStatus,
          content.edge.currentStatus,
          content.edge.createdAt,
          content.automationId,
        ]
      : [];
  const key = content.kind === 'run' ? orderKey(content.edge) : '';
  return `${key}\n${id}\n${JSON.stringify([digest, ...edge])}`;
}

export function recordIn(reply: unknown): EventRecord {
  const [
    state = '',
    attempts,
    crashes,
    dueAt,
    replay,
    arrival = '',
    receivedAt,
    sequence,
    ,
    id = '',
    details = '',
  ] = textIn(reply).split('\n');
  return {
    state: STATES[state] ?? malformed('a record'),
    attempts: Number(attempts),
    crashes: Number(crashes),
    dueAt: Number(dueAt),
    isReplay: replay === '1',
    arrival: ARRIVALS.find((each) => each.startsWith(arrival)) ?? 'applied',
    receivedAt: Number(receivedAt),
    sequence: Number(sequence),
    id,
    ...detailsIn(details, id),
  };
}

/** Returns the digest, and the step of an event of a run. */
function detailsIn(
  text: string,
  id: string,
): Pick<EventRecord, 'digest' | 'edge' | 'automationId'> {
  const texts = textsIn(text);
  const [digest, previousStatus = null, currentStatus, createdAt, automationId = null] = texts;
  if (typeof digest !== 'string') return malformed('a record');
  if (texts.length === 1) return { digest, edge: null, automationId: null };
  if (typeof currentStatus !== 'string' || typeof createdAt !== 'string') {
    return malformed('a record');
  }
  return { digest, edge: { id, previousStatus, currentStatus, createdAt }, automationId };
}

function textsIn(json: string): readonly (string | null)[] {
  try {
    const values = listIn(JSON.parse(json));
    return values.map((value) => (value === null ? null : textIn(value)));
  } catch {
    return malformed('a record');
  }
}

/** Returns events in a reply of their positions, records and first bodies. */
export function jobEventsIn(reply: unknown, now: number): Omit<JobEvents, 'hasMoreAfter'> {
  const [positions, records, read] = listIn(reply).map(listIn);
  const bodies = read ?? [];
  const open: OpenEvent[] = [];
  const known: KnownEvent[] = [];
  for (const [index, record] of (records ?? []).map(recordIn).entries()) {
    const position = numberIn(positions?.[index]);
    if (record.edge !== null) known.push({ edge: record.edge, state: record.state, position });
    if (record.state !== 'open') continue;
    const body = open.length < bodies.length ? bytesIn(bodies[open.length]) : null;
    const { id, attempts, crashes, isReplay, arrival } = record;
    const age = now - record.receivedAt;
    const dueIn = record.dueAt === 0 ? 0 : record.dueAt - now;
    open.push({ id, position, body, age, dueIn, attempts, crashes, isReplay, arrival });
  }
  return { open, known };
}

/** Returns the events of a run in its records. */
export function historyIn(reply: unknown): readonly KnownEvent[] {
  return listIn(reply).flatMap((record, index): readonly KnownEvent[] => {
    const { edge, state } = recordIn(record);
    return edge === null ? [] : [{ edge, state, position: index + 1 }];
  });
}

export function runIdOf(job: string): string | null {
  return job.startsWith('run:') ? job.slice('run:'.length) : null;
}

/** Returns the event in a reply of its job, record and error, and until when its body is kept. */
export function storedEventIn(reply: unknown, keptUntil: number | null = null): StoredEvent {
  const [job, record, failure] = listIn(reply);
  const { id, state, receivedAt, attempts, edge, automationId, isReplay } = recordIn(record);
  const text = failure === null || failure === undefined ? '' : textIn(failure);
  const comma = text.indexOf(',');
  const error = comma === -1 ? null : text.slice(comma + 1);
  const reason = reasonIn(text.slice(0, Math.max(comma, 0)));
  const runId = runIdOf(textIn(job));
  const known = { id, runId, automationId, state, receivedAt, attempts, edge, error, reason };
  return { ...known, isReplay, keptUntil };
}

/** Returns an open event in a reply of its job at a time of the server, and the cursor after it. */
export function openEventIn(
  reply: unknown,
  now: number,
): { readonly event: StoredOpenEvent; readonly cursor: string } {
  const [, record, , leasedUntil, dueAt, ref] = listIn(reply);
  const until = timeIn(leasedUntil);
  const due = timeIn(dueAt);
  const event = {
    ...storedEventIn(reply),
    leasedFor: until === null ? null : Math.max(until - now, 0),
    dueIn: until !== null || due === null ? null : Math.max(due - now, 0),
  };
  return { event, cursor: `${recordIn(record).receivedAt}:${textIn(ref)}` };
}

export function timeIn(reply: unknown): number | null {
  return reply === null || reply === undefined ? null : Number(textIn(reply));
}

export interface FoundDeadLetter {
  readonly letter: DeadLetter;
  readonly sequence: number;
}

/** Returns a dead letter, and the number by which dead letters are ordered. */
export function deadLetterIn(reply: unknown): FoundDeadLetter {
  const {
    reason,
    error,
    edge: _edge,
    state: _state,
    keptUntil: _kept,
    ...known
  } = storedEventIn(reply);
  const { sequence, crashes } = recordIn(listIn(reply)[1]);
  if (reason === null) return malformed('a dead letter');
  return { letter: { ...known, crashes, reason, error: error ?? '' }, sequence };
}

/** Returns a run in its reply, and the sequence by which runs are ordered. */
export function storedRunIn(reply: unknown): {
  readonly run: StoredRun;
  readonly sequence: string;
} {
  const [job, sequence, automation, first, last, count, unsettled, deadCount] = listIn(reply);
  const dead = numberIn(deadCount);
  const run = {
    runId: runIdOf(textIn(job)) ?? malformed('a run'),
    automationId: automation === null ? null : textIn(automation),
    status: last === null ? null : (recordIn(last).edge?.currentStatus ?? null),
    open: numberIn(unsettled) - dead,
    dead,
    settled: numberIn(count) - numberIn(unsettled),
    receivedAt: recordIn(first).receivedAt,
  };
  return { run, sequence: textIn(sequence) };
}

function reasonIn(text: string): DeadLetterReason | null {
  return DEAD_LETTER_REASONS.find((reason) => reason === text) ?? null;
}

function malformed(expected: string): never {
  const fix = 'Another program or release may write to the same keys.';
  throw new StoreError('store_unavailable', `Redis must return ${expected}, got another. ${fix}`);
}
