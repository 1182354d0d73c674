import type { RunEdge } from '../../order/run-edge.ts';
import type {
  DeadLetter,
  DeadLetterReason,
  EventState,
  KnownEvent,
  OpenEvent,
  StoredEvent,
} from '../store.ts';
import type { SqlRow } from './driver.ts';
/** The time of one operation: monotonic, and in milliseconds since the epoch. */
export interface Now {
  readonly monotonic: number;
  readonly epoch: number;
}

export function text(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new TypeError(`Column ${column} must hold text, got ${typeof value}.`);
}

export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

export function integer(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new TypeError(`Column ${column} must hold a number, got ${typeof value}.`);
}

export function bytesOrNull(row: SqlRow, column: string): Uint8Array | null {
  const value = row[column];
  return value instanceof Uint8Array ? value : null;
}

function state(row: SqlRow): EventState {
  const value = row['state'];
  if (value === 'open' || value === 'settled' || value === 'dead') return value;
  throw new TypeError(`Column state must be open, settled or dead, got ${String(value)}.`);
}

function reasonOf(row: SqlRow): DeadLetterReason | null {
  const { reason } = row;
  const isReason =
    reason === 'event_quarantined' || reason === 'event_poisoned' || reason === 'handler_failed';
  return isReason ? reason : null;
}

function edgeOf(row: SqlRow): RunEdge | null {
  if (row['current_status'] === null) return null;
  return {
    id: text(row, 'id'),
    previousStatus: textOrNull(row, 'previous_status'),
    currentStatus: text(row, 'current_status'),
    createdAt: text(row, 'created_at'),
  };
}

export function openEvent(row: SqlRow, body: Uint8Array | null, now: Now): OpenEvent {
  return {
    id: text(row, 'id'),
    position: integer(row, 'position'),
    body,
    age: Math.max(now.epoch - integer(row, 'received_at'), 0),
    dueIn: integer(row, 'retry_at') - now.monotonic,
    attempts: integer(row, 'attempts'),
    starts: integer(row, 'starts'),
  };
}

export function knownEvent(row: SqlRow): KnownEvent {
  const edge = edgeOf(row);
  if (edge === null) throw new TypeError('Column current_status must hold text, got null.');
  return { edge, state: state(row), position: integer(row, 'position') };
}

export function storedEvent(row: SqlRow): StoredEvent {
  return {
    id: text(row, 'id'),
    runId: textOrNull(row, 'run_id'),
    state: state(row),
    receivedAt: integer(row, 'received_at'),
    attempts: integer(row, 'attempts'),
    edge: edgeOf(row),
    error: textOrNull(row, 'error'),
    reason: reasonOf(row),
  };
}

export function deadLetter(row: SqlRow): DeadLetter {
  const { id, runId, receivedAt, attempts, error, reason } = storedEvent(row);
  return {
    id,
    runId,
    reason: reason ?? 'handler_failed',
    error: error ?? '',
    receivedAt,
    attempts,
  };
}
