import type { RunEdge } from '../../order/run-edge.ts';
import { bodyDigest, repetitionOutcome } from '../repetition.ts';
import type { AcceptOutcome, DeadLetterReason, IncomingEvent } from '../store.ts';
import type { Database } from './driver.ts';
import { bytesOrNull, textOrNull } from './rows.ts';

const MAX_PURGED_ROWS = 1000;

/** Accepts an event with one insertion, which decides between all processes on the file. */
export function acceptEvent(database: Database): (event: IncomingEvent) => AcceptOutcome {
  const insert = database.prepare(
    `INSERT INTO hookproof_events (id, signed_at, received_at, due_at, body)
     VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const known = database.prepare('SELECT body, digest FROM hookproof_events WHERE id = ?');

  return ({ id, body, timestamp, receivedAt }) => {
    const { changes } = insert.run(id, timestamp, receivedAt, receivedAt, body);
    if (Number(changes) === 1) return 'new';
    const row = known.get(id) ?? {};
    const accepted = { body: bytesOrNull(row, 'body'), digest: bytesOrNull(row, 'digest') };
    return repetitionOutcome(body, accepted);
  };
}

/** The changes of an event after its acceptance. Run each inside a transaction. */
export interface SqliteOutcomes {
  place(id: string, runId: string, edge: RunEdge): boolean;
  start(id: string): boolean;
  settle(id: string, runSettled: boolean): boolean;
  fail(id: string, dueAt: number, error: string): boolean;
  setAside(id: string, reason: DeadLetterReason, error: string): boolean;
  defer(id: string, dueAt: number): boolean;
  reopen(id: string, now: number): boolean;
}

export function sqliteOutcomes(database: Database): SqliteOutcomes {
  const change = (assignments: string, state: string) => {
    const statement = database.prepare(
      `UPDATE hookproof_events SET ${assignments} WHERE id = ? AND state = '${state}'`,
    );
    return (...values: (string | number | Uint8Array | null)[]): boolean =>
      Number(statement.run(...values).changes) === 1;
  };
  const place = change(
    'run_id = ?, previous_status = ?, current_status = ?, created_at = ?',
    'open',
  );
  const start = change('starts = starts + 1', 'open');
  const settle = change("state = 'settled', digest = ?, body = NULL", 'open');
  const fail = change('attempts = attempts + 1, starts = 0, due_at = ?, error = ?', 'open');
  const setAside = change("state = 'dead', reason = ?, error = ?", 'open');
  const defer = change('due_at = ?', 'open');
  const reopen = change("state = 'open', attempts = 0, starts = 0, due_at = ?", 'dead');
  const stored = database.prepare('SELECT body, run_id FROM hookproof_events WHERE id = ?');
  const settleRun = database.prepare('INSERT OR IGNORE INTO hookproof_settled_runs VALUES (?)');

  return {
    place: (id, runId, edge) =>
      place(runId, edge.previousStatus, edge.currentStatus, edge.createdAt, id),
    start: (id) => start(id),
    settle(id, runSettled) {
      const row = stored.get(id) ?? {};
      const body = bytesOrNull(row, 'body');
      if (!settle(body === null ? null : bodyDigest(body), id)) return false;
      const runId = textOrNull(row, 'run_id');
      if (runSettled && runId !== null) settleRun.run(runId);
      return true;
    },
    fail: (id, dueAt, error) => fail(dueAt, error, id),
    setAside: (id, reason, error) => setAside(reason, error, id),
    defer: (id, dueAt) => defer(dueAt, id),
    reopen: (id, now) => reopen(now, id),
  };
}

/** Deletes a bounded number of old events and returns how many; 0 when none is left. */
export function purgeSome(database: Database): (before: number) => number {
  const singles = database.prepare(
    `DELETE FROM hookproof_events WHERE seq IN (
       SELECT seq FROM hookproof_events
       WHERE state = 'settled' AND received_at < ? AND run_id IS NULL LIMIT ${MAX_PURGED_ROWS})`,
  );
  const runs = database.prepare(
    `SELECT DISTINCT run_id FROM hookproof_events e
     WHERE state = 'settled' AND received_at < ?1 AND run_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM hookproof_events other
       WHERE other.run_id = e.run_id AND (other.state <> 'settled' OR other.received_at >= ?1))
     LIMIT ${MAX_PURGED_ROWS}`,
  );
  const forgetRun = database.prepare('DELETE FROM hookproof_events WHERE run_id = ?');
  const forgetSettled = database.prepare('DELETE FROM hookproof_settled_runs WHERE run_id = ?');

  return (before) => {
    let count = Number(singles.run(before).changes);
    for (const { run_id: runId } of runs.all(before)) {
      if (typeof runId !== 'string') continue;
      count += Number(forgetRun.run(runId).changes);
      forgetSettled.run(runId);
    }
    return count;
  };
}
