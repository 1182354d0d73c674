import type { Lease, LeasedWork } from '../store.ts';
import type { Database } from './driver.ts';
import { integer, knownEvent, openEvent, text, textOrNull } from './rows.ts';

/** The leases in the file: which token holds which work until when. Run each function inside a transaction. */
export interface SqliteLeases {
  take(request: { now: number; until: number; limit: number }): readonly LeasedWork[];
  isHeld(lease: Lease): boolean;
  renew(lease: Lease, until: number): boolean;
  release(lease: Lease): boolean;
}

/** The name of the work that an event belongs to: the event alone, or its run. */
const WORK = "CASE WHEN e.run_id IS NULL THEN 'event:' || e.id ELSE 'run:' || e.run_id END";

export function sqliteLeases(database: Database): SqliteLeases {
  const free = database.prepare(
    `SELECT e.id, e.run_id, ${WORK} AS work FROM hookproof_events e
     LEFT JOIN hookproof_leases l ON l.work = ${WORK}
     WHERE e.state = 'open' AND e.due_at <= ? AND (l.until IS NULL OR l.until <= ?)
     ORDER BY e.due_at, e.seq LIMIT ?`,
  );
  const nextToken = database.prepare(
    'UPDATE hookproof_fence SET last_token = last_token + 1 RETURNING last_token',
  );
  const hold = database.prepare(
    'INSERT OR REPLACE INTO hookproof_leases (work, token, until) VALUES (?, ?, ?)',
  );
  const held = database.prepare('SELECT 1 FROM hookproof_leases WHERE work = ? AND token = ?');
  const extend = database.prepare(
    'UPDATE hookproof_leases SET until = ? WHERE work = ? AND token = ?',
  );
  const drop = database.prepare('DELETE FROM hookproof_leases WHERE work = ? AND token = ?');
  const load = loadWork(database);

  return {
    take({ now, until, limit }) {
      const taken = new Map<string, LeasedWork>();
      for (const row of free.all(now, now, 8 * limit)) {
        const id = text(row, 'id');
        const runId = textOrNull(row, 'run_id');
        const work = text(row, 'work');
        if (taken.has(work)) continue;
        if (taken.size === limit) break;
        const token = integer(nextToken.get() ?? {}, 'last_token');
        hold.run(work, token, until);
        taken.set(work, load({ work, token }, id, runId));
      }
      return [...taken.values()];
    },
    isHeld: ({ work, token }) => held.get(work, token) !== undefined,
    renew: ({ work, token }, until) => Number(extend.run(until, work, token).changes) === 1,
    release: ({ work, token }) => Number(drop.run(work, token).changes) === 1,
  };
}

function loadWork(
  database: Database,
): (lease: Lease, id: string, runId: string | null) => LeasedWork {
  const columns = 'id, received_at, attempts, starts, due_at, body';
  const single = database.prepare(`SELECT ${columns} FROM hookproof_events WHERE id = ?`);
  const open = database.prepare(
    `SELECT ${columns} FROM hookproof_events WHERE run_id = ? AND state = 'open' ORDER BY seq`,
  );
  const known = database.prepare(
    `SELECT id, state, previous_status, current_status, created_at
     FROM hookproof_events WHERE run_id = ? ORDER BY seq`,
  );
  const settled = database.prepare('SELECT 1 FROM hookproof_settled_runs WHERE run_id = ?');

  return (lease, id, runId) =>
    runId === null
      ? { lease, runId, open: single.all(id).map(openEvent), known: [], isRunSettled: false }
      : {
          lease,
          runId,
          open: open.all(runId).map(openEvent),
          known: known.all(runId).map(knownEvent),
          isRunSettled: settled.get(runId) !== undefined,
        };
}
