import type {
  DeadLetterReason,
  EventFilter,
  EventRecord,
  EventState,
  JobEvent,
  LeasedJob,
  NewEvent,
  PastAttempt,
} from '../store.ts';
import { MAX_JOB_EVENTS } from '../store.ts';

/** An event as the memory store keeps it. Times with `At` are monotonic. */
export interface MemoryEvent extends Readonly<Omit<NewEvent, 'body' | 'error' | 'timestamp'>> {
  readonly job: MemoryJob;
  readonly position: number;
  /** 1 for the first event of the store, 2 for the next. */
  readonly sequence: number;
  readonly digest: string;
  readonly receivedAt: number;
  readonly acceptedAt: number;
  body: Uint8Array | null;
  state: EventState;
  retryAt: number;
  attempts: number;
  firstFailedAt: number | null;
  failures: readonly PastAttempt[];
  crashes: number;
  reason: DeadLetterReason | null;
  error: string | null;
  isReplay: boolean;
  handledAt: number | null;
  keptUntil: number | null;
}

/** The events of a key, or one event without a key, with its lease. */
export interface MemoryJob {
  readonly name: string;
  readonly source: string;
  readonly key: string | null;
  readonly owner: string | null;
  readonly events: MemoryEvent[];
  /** How many of them are not handled. */
  unhandled: number;
  /** When it may be leased; `Infinity` when nothing is due. */
  dueAt: number;
  lease: MemoryLease | null;
  lastToken: number;
  /** The event with which it was settled. */
  settledBy: string | null;
  /** When the newest of its events was signed. */
  newest: number;
}

interface MemoryLease {
  readonly holder: string;
  readonly token: number;
  until: number;
  /** The last position that the holder knows. */
  seen: number;
  /** The event that is being handled. */
  begun: string | null;
  /** Somebody opened an event of the job again, or ended a pause. */
  isDueAgain: boolean;
}

/** The readings of the clock at one time. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

export function leasedJob(job: MemoryJob, token: number, now: Moment): LeasedJob {
  const { name, source, key, events, settledBy } = job;
  const newest = Math.max(events.length - MAX_JOB_EVENTS, 0);
  const isShown = ({ position, state }: MemoryEvent): boolean =>
    position > newest || state !== 'handled';
  return {
    lease: { job: name, token },
    source,
    key,
    events: events.filter(isShown).map((event) => jobEvent(event, now)),
    lastPosition: events.length,
    isSettled: settledBy !== null,
  };
}

export function jobEvent(event: MemoryEvent, { wall, monotonic }: Moment): JobEvent {
  const { id, position, state, handler, facts, attempts, crashes, isReplay, firstFailedAt } = event;
  const open = {
    age: monotonic - event.acceptedAt,
    dueIn: event.retryAt - monotonic,
    attempts,
    failingFor: firstFailedAt === null ? 0 : wall - firstFailedAt,
    crashes,
    isReplay,
  };
  return { id, position, state, handler, facts, open: state === 'open' ? open : null };
}

export function eventRecord(event: MemoryEvent, { monotonic }: Moment): EventRecord {
  const { source, id, key, owner, type, handler, facts, state, receivedAt, handledAt } = event;
  const { attempts, firstFailedAt, failures, crashes, error, reason, isReplay, keptUntil } = event;
  const { lease, dueAt } = event.job;
  return {
    source,
    id,
    key,
    owner,
    type,
    handler,
    facts,
    state,
    receivedAt,
    handledAt,
    attempts,
    firstFailedAt,
    failures,
    crashes,
    error,
    reason,
    isReplay,
    keptUntil,
    leasedFor: lease === null ? null : Math.max(lease.until - monotonic, 0),
    dueIn: lease !== null || dueAt === Infinity ? null : Math.max(dueAt - monotonic, 0),
  };
}

/** Returns whether a filter chooses an event. */
export function isChosen(event: MemoryEvent, filter: EventFilter): boolean {
  const { ids, message, since = -Infinity, until = Infinity } = filter;
  const names = ['source', 'key', 'owner', 'state', 'reason', 'handler'] as const;
  return (
    names.every((name) => filter[name] === undefined || event[name] === filter[name]) &&
    (ids === undefined || ids.includes(event.id)) &&
    (message === undefined || event.error?.startsWith(message) === true) &&
    event.receivedAt >= since &&
    event.receivedAt < until
  );
}
