import { eventRecord, jobEvent, number, numberOrNull } from '../rows.ts';
import type { EventRecord, JobEvent } from '../store.ts';
import type { SqlRow } from './driver.ts';
import type { Moment } from './moment.ts';

/** The columns of `jobEventAt`. */
export const JOB_EVENT = `seq, id, position, state, handler, facts, received_at, accepted_at, retry_at, failed_at,
  attempts, crashes, is_replay, first_failed_at`;

/** Returns an event of a leased job. */
export function jobEventAt(at: Moment, row: SqlRow): JobEvent {
  return jobEvent(row, () => {
    const firstFailedAt = numberOrNull(row, 'first_failed_at');
    const failingFor = firstFailedAt === null ? 0 : at.wall - firstFailedAt;
    return { age: ageOf(at, row), dueIn: dueIn(at, row), failingFor };
  });
}

/** What `recordAt` reads: an event `e` with its job. */
export const RECORDS = `SELECT e.*, j.key, j.owner, j.due, j.until,
  (SELECT until FROM hookproof_bodies WHERE event = e.seq) AS kept_until
  FROM hookproof_events e CROSS JOIN hookproof_jobs j ON j.seq = e.job`;

/** Returns an event for people. */
export function recordAt({ monotonic }: Moment, row: SqlRow): EventRecord {
  const [until, due] = [numberOrNull(row, 'until'), numberOrNull(row, 'due')];
  return eventRecord(row, {
    leasedFor: until === null ? null : Math.max(until - monotonic, 0),
    dueIn: until !== null || due === null ? null : Math.max(due - monotonic, 0),
  });
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
  const age = monotonic - number(row, 'accepted_at');
  return age >= 0 ? age : Math.max(wall - number(row, 'received_at'), 0);
}

/** A failure from before a restart of the machine, whose clock began again, delays nothing. */
function dueIn({ monotonic }: Moment, row: SqlRow): number {
  const failedAt = numberOrNull(row, 'failed_at');
  const retryAt = numberOrNull(row, 'retry_at');
  return failedAt === null || retryAt === null || failedAt > monotonic ? 0 : retryAt - monotonic;
}
