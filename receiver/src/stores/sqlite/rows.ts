import { DEAD_LETTER_REASONS } from '../store.ts';
import type { EventRecord, EventState, JobEvent, PastAttempt } from '../store.ts';
import type { SqlRow } from './driver.ts';
import type { Moment } from './moment.ts';

/** The columns of `jobEvent`. */
export const JOB_EVENT = `seq, id, position, state, handler, facts, received_at, accepted_at, retry_at, failed_at,
  attempts, crashes, is_replay, first_failed_at`;

/** Returns an event of a leased job. */
export function jobEvent(at: Moment, row: SqlRow): JobEvent {
  const event = {
    id: text(row, 'id'),
    position: numberIn(row, 'position'),
    state: state(row),
    handler: textOrNull(row, 'handler'),
    facts: textOrNull(row, 'facts'),
  };
  if (event.state !== 'open') return { ...event, open: null };
  const firstFailedAt = numberOrNull(row, 'first_failed_at');
  const open = {
    age: ageOf(at, row),
    dueIn: dueIn(at, row),
    attempts: numberIn(row, 'attempts'),
    failingFor: firstFailedAt === null ? 0 : at.wall - firstFailedAt,
    crashes: numberIn(row, 'crashes'),
    isReplay: numberIn(row, 'is_replay') === 1,
  };
  return { ...event, open };
}

/** What `eventRecord` reads: an event `e` with its job. */
export const RECORDS = `SELECT e.*, j.key, j.owner, j.due, j.until,
  (SELECT until FROM hookproof_bodies WHERE event = e.seq) AS kept_until
  FROM hookproof_events e CROSS JOIN hookproof_jobs j ON j.seq = e.job`;

/** Returns an event for people. */
export function eventRecord({ monotonic }: Moment, row: SqlRow): EventRecord {
  const [until, due] = [numberOrNull(row, 'until'), numberOrNull(row, 'due')];
  return {
    source: text(row, 'source'),
    id: text(row, 'id'),
    key: textOrNull(row, 'key'),
    owner: textOrNull(row, 'owner'),
    type: textOrNull(row, 'type'),
    handler: textOrNull(row, 'handler'),
    facts: textOrNull(row, 'facts'),
    state: state(row),
    receivedAt: numberIn(row, 'received_at'),
    handledAt: numberOrNull(row, 'handled_at'),
    attempts: numberIn(row, 'attempts'),
    firstFailedAt: numberOrNull(row, 'first_failed_at'),
    failures: failures(row),
    crashes: numberIn(row, 'crashes'),
    error: textOrNull(row, 'error'),
    reason: DEAD_LETTER_REASONS.find((reason) => reason === row['reason']) ?? null,
    isReplay: numberIn(row, 'is_replay') === 1,
    keptUntil: numberOrNull(row, 'kept_until'),
    leasedFor: until === null ? null : Math.max(until - monotonic, 0),
    dueIn: until !== null || due === null ? null : Math.max(due - monotonic, 0),
  };
}

/** Returns the failed attempts of an event, the oldest first. */
export function failures(row: SqlRow): readonly PastAttempt[] {
  const json = textOrNull(row, 'failures');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the store wrote it
  return json === null ? [] : (JSON.parse(json) as PastAttempt[]);
}

export function text(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new TypeError(`Column ${column} must hold text, got ${typeof value}.`);
}

export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

export function numberIn(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new TypeError(`Column ${column} must hold a number, got ${typeof value}.`);
}

export function numberOrNull(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : numberIn(row, column);
}

/** Returns bytes that own their memory, so that they can be sent to another thread alone. */
export function bytes(row: SqlRow, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) {
    throw new TypeError(`Column ${column} must hold bytes, got ${typeof value}.`);
  }
  return value.byteLength === value.buffer.byteLength ? value : Uint8Array.from(value);
}

/**
 * Returns how long ago an event was accepted, by the clock that never steps. After a restart of the
 * machine, which began it again, the result is too small or comes from the time since the epoch.
 */
export function ageOf({ monotonic, wall }: Moment, row: SqlRow): number {
  const age = monotonic - numberIn(row, 'accepted_at');
  return age >= 0 ? age : Math.max(wall - numberIn(row, 'received_at'), 0);
}

/** A failure from before a restart of the machine, whose clock began again, delays nothing. */
function dueIn({ monotonic }: Moment, row: SqlRow): number {
  const failedAt = numberOrNull(row, 'failed_at');
  const retryAt = numberOrNull(row, 'retry_at');
  return failedAt === null || retryAt === null || failedAt > monotonic ? 0 : retryAt - monotonic;
}

function state(row: SqlRow): EventState {
  const value = row['state'];
  if (value === 'open' || value === 'handled' || value === 'dead') return value;
  throw new TypeError(`Column state must be open, handled or dead, got ${String(value)}.`);
}
