import type { RunEdge } from '../../order/run-edge.ts';
import { ARRIVALS } from '../../order/timeline.ts';
import { DEAD_LETTER_REASONS } from '../store.ts';
import type {
  DeadLetter,
  DeadLetterReason,
  EventState,
  KnownEvent,
  OpenEvent,
  StoredEvent,
  StoredOpenEvent,
  StoredRun,
} from '../store.ts';
import type { SqlRow } from './driver.ts';

/** Returns a column that is never null. */
export function text(row: SqlRow, column: string): string {
  const value = row[column];
  if (value != null) return value;
  throw new TypeError(`Column ${column} must be a text, got none.`);
}

export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] ?? null;
}

/** Returns a column of any numeric type. */
export function number(row: SqlRow, column: string): number {
  const parsed = Number(text(row, column));
  if (Number.isFinite(parsed)) return parsed;
  throw new TypeError(`Column ${column} must be a number, got ${row[column]}.`);
}

export function numberOrNull(row: SqlRow, column: string): number | null {
  return row[column] == null ? null : number(row, column);
}

export function boolean(row: SqlRow, column: string): boolean {
  return row[column] === 't';
}

/** Returns bytes that the statement encoded as `base64`: a setting of the server decides on their own form. */
export function bytesOrNull(row: SqlRow, column: string): Uint8Array | null {
  const value = row[column];
  return value == null ? null : Buffer.from(value, 'base64');
}

/** Returns an event of a run; `null` for a single event. */
export function knownEvent(row: SqlRow): KnownEvent | null {
  const edge = edgeOrNull(row);
  return edge && { edge, state: state(row), position: number(row, 'position') };
}

export function openEvent(row: SqlRow): OpenEvent {
  return {
    id: text(row, 'id'),
    position: number(row, 'position'),
    body: bytesOrNull(row, 'body'),
    age: number(row, 'age'),
    dueIn: numberOrNull(row, 'due_in') ?? 0,
    attempts: number(row, 'attempts'),
    crashes: number(row, 'crashes'),
    isReplay: boolean(row, 'is_replay'),
    arrival: ARRIVALS.find((arrival) => arrival === row['arrival']) ?? 'applied',
  };
}

export function storedEvent(row: SqlRow): StoredEvent {
  return {
    id: text(row, 'id'),
    runId: textOrNull(row, 'run_id'),
    automationId: textOrNull(row, 'automation_id'),
    state: state(row),
    receivedAt: number(row, 'received_at'),
    attempts: number(row, 'attempts'),
    edge: edgeOrNull(row),
    error: textOrNull(row, 'error'),
    reason: reasonOrNull(row),
    isReplay: boolean(row, 'is_replay'),
    keptUntil: numberOrNull(row, 'kept_until'),
  };
}

/** The row of its job says when it goes on: `due_in` is the end of the lease while there is a holder. */
export function storedOpenEvent(row: SqlRow): StoredOpenEvent {
  const dueIn = numberOrNull(row, 'due_in');
  const left = dueIn === null ? null : Math.max(dueIn, 0);
  const isFree = textOrNull(row, 'holder') === null;
  return { ...storedEvent(row), leasedFor: isFree ? null : left, dueIn: isFree ? left : null };
}

export function deadLetter(row: SqlRow): DeadLetter {
  const { id, runId, automationId, receivedAt, attempts, reason, error, isReplay } =
    storedEvent(row);
  const crashes = number(row, 'crashes');
  return {
    id,
    runId,
    automationId,
    receivedAt,
    attempts,
    crashes,
    reason: reason ?? 'handler_failed',
    error: error ?? '',
    isReplay,
  };
}

export function storedRun(row: SqlRow): StoredRun {
  const [open, dead] = [number(row, 'open'), number(row, 'dead')];
  return {
    runId: text(row, 'run_id'),
    automationId: textOrNull(row, 'automation_id'),
    status: textOrNull(row, 'status'),
    open,
    dead,
    settled: number(row, 'last_position') - open - dead,
    receivedAt: number(row, 'received_at'),
  };
}

function edgeOrNull(row: SqlRow): RunEdge | null {
  const currentStatus = textOrNull(row, 'current_status');
  if (currentStatus === null) return null;
  return {
    id: text(row, 'id'),
    previousStatus: textOrNull(row, 'previous_status'),
    currentStatus,
    createdAt: text(row, 'created_at'),
  };
}

function state(row: SqlRow): EventState {
  const value = row['state'];
  if (value === 'open' || value === 'settled' || value === 'dead') return value;
  throw new TypeError('Column state must be open, settled or dead.');
}

function reasonOrNull(row: SqlRow): DeadLetterReason | null {
  return DEAD_LETTER_REASONS.find((reason) => reason === row['reason']) ?? null;
}
