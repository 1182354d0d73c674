import type { RunEdge } from '../../order/run-edge.ts';
import type { DeadLetter, EventState, KnownEvent, OpenEvent } from '../store.ts';
import type { SqlRow } from './driver.ts';

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

export function state(row: SqlRow): EventState {
  const value = row['state'];
  if (value === 'open' || value === 'settled' || value === 'dead') return value;
  throw new TypeError(`Column state must be open, settled or dead, got ${String(value)}.`);
}

export function openEvent(row: SqlRow): OpenEvent {
  return {
    id: text(row, 'id'),
    body: bytesOrNull(row, 'body') ?? new Uint8Array(),
    receivedAt: integer(row, 'received_at'),
    attempts: integer(row, 'attempts'),
    starts: integer(row, 'starts'),
    dueAt: integer(row, 'due_at'),
  };
}

export function knownEvent(row: SqlRow): KnownEvent {
  const edge: RunEdge = {
    id: text(row, 'id'),
    previousStatus: textOrNull(row, 'previous_status'),
    currentStatus: text(row, 'current_status'),
    createdAt: text(row, 'created_at'),
  };
  return { edge, state: state(row) };
}

export function deadLetter(row: SqlRow): DeadLetter {
  const reason = row['reason'];
  return {
    id: text(row, 'id'),
    runId: textOrNull(row, 'run_id'),
    reason:
      reason === 'event_quarantined' || reason === 'event_poisoned' ? reason : 'handler_failed',
    error: text(row, 'error'),
    receivedAt: integer(row, 'received_at'),
    attempts: integer(row, 'attempts'),
  };
}
