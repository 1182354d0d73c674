import { DEAD_LETTER_REASONS } from './store.ts';
import type { EventRecord, EventState, JobEvent, OpenFacts, PastAttempt } from './store.ts';

/**
 * A row by the names of its columns. SQLite returns values, PostgreSQL their text form, so the
 * functions below read both.
 */
export type Row = Readonly<Record<string, unknown>>;

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new TypeError(`Column ${column} must hold text, got ${typeof value}.`);
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

export function number(row: Row, column: string): number {
  const value = row[column];
  const parsed = typeof value === 'string' ? Number(value) : value;
  if (typeof parsed === 'number' && Number.isFinite(parsed)) return parsed;
  throw new TypeError(`Column ${column} must hold a number, got ${typeof value}.`);
}

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column);
}

export function isTrue(row: Row, column: string): boolean {
  return row[column] === 1 || row[column] === 't';
}

/** Returns the failed attempts of an event, the oldest first. */
export function failures(row: Row): readonly PastAttempt[] {
  const json = textOrNull(row, 'failures');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the store wrote it
  return json === null ? [] : (JSON.parse(json) as PastAttempt[]);
}

/** Returns an event of a leased job. Each store counts its durations in its own way. */
export function jobEvent(
  row: Row,
  durations: () => Pick<OpenFacts, 'age' | 'dueIn' | 'failingFor'>,
): JobEvent {
  const event = {
    id: text(row, 'id'),
    position: number(row, 'position'),
    state: stateIn(row),
    handler: textOrNull(row, 'handler'),
    facts: textOrNull(row, 'facts'),
  };
  if (event.state !== 'open') return { ...event, open: null };
  const attempts = number(row, 'attempts');
  const crashes = number(row, 'crashes');
  const isReplay = isTrue(row, 'is_replay');
  return { ...event, open: { ...durations(), attempts, crashes, isReplay } };
}

/** Returns an event for people. */
export function eventRecord(
  row: Row,
  durations: Pick<EventRecord, 'leasedFor' | 'dueIn'>,
): EventRecord {
  return {
    source: text(row, 'source'),
    id: text(row, 'id'),
    key: textOrNull(row, 'key'),
    owner: textOrNull(row, 'owner'),
    type: textOrNull(row, 'type'),
    handler: textOrNull(row, 'handler'),
    facts: textOrNull(row, 'facts'),
    state: stateIn(row),
    receivedAt: number(row, 'received_at'),
    handledAt: numberOrNull(row, 'handled_at'),
    attempts: number(row, 'attempts'),
    firstFailedAt: numberOrNull(row, 'first_failed_at'),
    failures: failures(row),
    crashes: number(row, 'crashes'),
    error: textOrNull(row, 'error'),
    reason: DEAD_LETTER_REASONS.find((reason) => reason === row['reason']) ?? null,
    isReplay: isTrue(row, 'is_replay'),
    keptUntil: numberOrNull(row, 'kept_until'),
    ...durations,
  };
}

function stateIn(row: Row): EventState {
  const value = row['state'];
  if (value === 'open' || value === 'handled' || value === 'dead') return value;
  throw new TypeError(`Column state must be open, handled or dead, got ${String(value)}.`);
}
