import type { RunEdge } from '../../order/run-edge.ts';
import { bodyDigest } from '../body-digest.ts';
import type { DeadLetterReason } from '../store.ts';
import type { Database } from './driver.ts';
import { bytesOrNull, textOrNull } from './rows.ts';

/** What can become of an open event. Each function is to be run inside a transaction. */
export interface SqliteOutcomes {
  place(id: string, runId: string, edge: RunEdge): boolean;
  start(id: string): boolean;
  settle(id: string, runSettled: boolean): boolean;
  fail(id: string, dueAt: number, error: string): boolean;
  bury(id: string, reason: DeadLetterReason, error: string): boolean;
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
  const bury = change("state = 'dead', reason = ?, error = ?", 'open');
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
    bury: (id, reason, error) => bury(reason, error, id),
    defer: (id, dueAt) => defer(dueAt, id),
    reopen: (id, now) => reopen(now, id),
  };
}
