import { bodiesFor } from '../first-bodies.ts';
import type { Lease, LeasedWork, Next, TakeRequest, WorkEvents } from '../store.ts';
import type { Database } from './driver.ts';
import { integer, knownEvent, openEvent, text, textOrNull } from './rows.ts';
import type { Now } from './rows.ts';

export interface SqliteWorks {
  lastPosition(lease: Lease): number | null;
  take(request: TakeRequest, now: Now): readonly LeasedWork[];
  renew(lease: Lease, leaseFor: number, now: Now): boolean;
  end(lease: Lease, next: Next, now: Now): void;
  news(lease: Lease, after: number, now: Now): WorkEvents | null;
}

/** The leases of works. Run each change inside a transaction. */
export function sqliteWorks(database: Database): SqliteWorks {
  const takeBack = database.prepare(
    `UPDATE hookproof_works SET holder = NULL, is_suspect = is_suspect OR holder <> ?1
     WHERE holder IS NOT NULL AND NOT (holder = ?1 AND work IN (SELECT value FROM json_each(?2)))
       AND (holder = ?1 OR until <= ?3 OR taken_at > ?3)`,
  );
  const due = database.prepare(
    `SELECT * FROM hookproof_works WHERE holder IS NULL AND due_at <= ?
     ORDER BY is_suspect DESC, due_at LIMIT ?`,
  );
  const hold = database.prepare(
    `UPDATE hookproof_works SET holder = ?, token = token + 1, taken_at = ?, until = ?, has_news = 0
     WHERE work = ?`,
  );
  const held = database.prepare(
    'SELECT last_position FROM hookproof_works WHERE work = ? AND token = ? AND holder IS NOT NULL',
  );
  const extend = database.prepare(
    'UPDATE hookproof_works SET until = ?, taken_at = ? WHERE work = ?',
  );
  const drop = database.prepare(
    `UPDATE hookproof_works SET holder = NULL, is_suspect = 0,
       due_at = CASE WHEN has_news THEN ?1 ELSE ?2 END WHERE work = ?3`,
  );
  const see = database.prepare('UPDATE hookproof_works SET has_news = 0 WHERE work = ?');
  const eventsOf = loadEvents(database);
  const lastPosition = ({ work, token }: Lease): number | null => {
    const row = held.get(work, token);
    return row === undefined ? null : integer(row, 'last_position');
  };

  return {
    lastPosition,
    take({ holder, inHand, limit, leaseFor }: TakeRequest, now: Now): readonly LeasedWork[] {
      takeBack.run(holder, JSON.stringify(inHand), now.monotonic);
      const rows = due.all(now.monotonic, limit);
      const [first] = rows;
      const chosen = first?.['is_suspect'] === 1 ? [first] : rows;
      return chosen.map((row) => {
        const work = text(row, 'work');
        hold.run(holder, now.monotonic, now.monotonic + leaseFor, work);
        return {
          lease: { work, token: integer(row, 'token') + 1 },
          runId: textOrNull(row, 'run_id'),
          isRunSettled: row['is_run_settled'] === 1,
          isSuspect: row['is_suspect'] === 1,
          ...eventsOf(work, 0, now),
        };
      });
    },
    renew(lease: Lease, leaseFor: number, now: Now): boolean {
      if (lastPosition(lease) === null) return false;
      extend.run(now.monotonic + leaseFor, now.monotonic, lease.work);
      return true;
    },
    end(lease: Lease, next: Next, now: Now): void {
      if (next.do === 'hold') {
        extend.run(now.monotonic + next.leaseFor, now.monotonic, lease.work);
        return;
      }
      const dueAt = next.dueIn === null ? null : now.monotonic + next.dueIn;
      drop.run(now.monotonic, dueAt, lease.work);
    },
    news(lease: Lease, after: number, now: Now): WorkEvents | null {
      if (lastPosition(lease) === null) return null;
      see.run(lease.work);
      return eventsOf(lease.work, after, now);
    },
  };
}

function loadEvents(database: Database) {
  const all = database.prepare(
    `SELECT id, position, state, received_at, retry_at, attempts, starts, previous_status,
       current_status, created_at, coalesce(length(body), 0) AS bytes
     FROM hookproof_accepted WHERE work = ? AND position > ? ORDER BY position`,
  );
  const bodyOf = database.prepare('SELECT body FROM hookproof_accepted WHERE id = ?');
  return (work: string, after: number, now: Now): WorkEvents => {
    const rows = all.all(work, after);
    const open = rows.filter((row) => row['state'] === 'open');
    const withBody = bodiesFor(open.map((row) => integer(row, 'bytes')));
    return {
      open: open.map((row, index) => {
        const body = index < withBody ? bodyOf.get(text(row, 'id'))?.['body'] : null;
        return openEvent(row, body instanceof Uint8Array ? body : null, now);
      }),
      known: rows.filter((row) => row['current_status'] !== null).map(knownEvent),
    };
  };
}
