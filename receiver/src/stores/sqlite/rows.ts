import type { RunEdge } from '../../order/run-edge.ts';
import { ARRIVALS } from '../../order/timeline.ts';
import type { Arrival } from '../../order/timeline.ts';
import { DEAD_LETTER_REASONS } from '../store.ts';
import type { DeadLetterReason, EventState } from '../store.ts';
import type { SqlRow } from './driver.ts';
import type { Moment } from './moment.ts';

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

/** Returns bytes that own their memory, so that they can be transferred to another thread. */
export function bytes(row: SqlRow, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) {
    throw new TypeError(`Column ${column} must hold bytes, got ${typeof value}.`);
  }
  return value.byteLength === value.buffer.byteLength ? value : Uint8Array.from(value);
}

export function state(row: SqlRow): EventState {
  const value = row['state'];
  if (value === 'open' || value === 'settled' || value === 'dead') return value;
  throw new TypeError(`Column state must be open, settled or dead, got ${String(value)}.`);
}

export function reasonOrNull(row: SqlRow): DeadLetterReason | null {
  return DEAD_LETTER_REASONS.find((reason) => reason === row['reason']) ?? null;
}

export function arrival(row: SqlRow): Arrival {
  return ARRIVALS.find((each) => each === row['arrival']) ?? 'applied';
}

/** Returns the step of an event of a run; `null` for an event without a run. */
export function edgeOrNull(row: SqlRow): RunEdge | null {
  if (row['current_status'] === null) return null;
  return {
    id: text(row, 'id'),
    previousStatus: textOrNull(row, 'previous_status'),
    currentStatus: text(row, 'current_status'),
    createdAt: text(row, 'created_at'),
  };
}

/**
 * Returns how long ago an event was accepted, by the clock that never steps. After a restart of the
 * machine, which began it again, the result is too small or comes from the time since the epoch.
 */
export function ageOf({ monotonic, wall }: Moment, row: SqlRow): number {
  const age = monotonic - numberIn(row, 'accepted_at');
  return age >= 0 ? age : Math.max(wall - numberIn(row, 'received_at'), 0);
}

/** What the names of jobs begin with. */
export const RUN_JOB = 'run:';
export const SINGLE_JOB = 'event:';

/** The name of a row of `hookproof_jobs`, in SQL: of its run, or of its one event. */
export const JOB_NAME: string = `ifnull('${RUN_JOB}' || run_id,
  '${SINGLE_JOB}' || (SELECT id FROM hookproof_events WHERE job = hookproof_jobs.seq))`;
