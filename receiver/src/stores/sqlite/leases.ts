import type { Lease, Next, TakeRequest } from '../store.ts';
import type { Database, SqlRow } from './driver.ts';
import type { Moment } from './moment.ts';
import { numberIn, text } from './rows.ts';
import type { Totals } from './totals.ts';

/** A work whose lease was taken or checked. */
export interface HeldWork {
  readonly seq: number;
  readonly name: string;
  readonly token: number;
  readonly lastPosition: number;
  readonly isRunSettled: boolean;
  readonly isSuspect: boolean;
}

/** Which works are due, and who holds which. All times are monotonic. */
export interface Leases {
  take(at: Moment, request: TakeRequest): readonly HeldWork[];
  /** Returns the work of a lease; `null` when the lease is lost. */
  held(lease: Lease): HeldWork | null;
  /** Records that the holder knows all events of the work. */
  noteSeen(work: HeldWork): void;
  extend(at: Moment, work: HeldWork, leaseFor: number): void;
  release(at: Moment, work: HeldWork, dueIn: number | null): void;
  next(at: Moment, work: HeldWork, next: Next): void;
}

const COLUMNS = 'seq, name, token, last_position, run_settled, suspect';

export function openLeases(database: Database, totals: Totals): Leases {
  const freeLost = freeLostWorks(database);
  const suspect = database.prepare(
    'SELECT seq FROM hookproof_works WHERE suspect = 1 AND holder IS NULL ORDER BY seq LIMIT 1',
  );
  const due = database.prepare(
    `SELECT seq FROM hookproof_works WHERE holder IS NULL AND due IS NOT NULL AND due <= ?
     ORDER BY due, seq LIMIT ?`,
  );
  const hold = database.prepare(
    `UPDATE hookproof_works SET holder = ?, token = ?, until = ?, stamp = ?, due = NULL,
       seen = last_position
     WHERE seq = ? RETURNING ${COLUMNS}`,
  );
  const held = database.prepare(
    `SELECT ${COLUMNS} FROM hookproof_works WHERE name = ? AND token = ? AND holder IS NOT NULL`,
  );
  const see = database.prepare('UPDATE hookproof_works SET seen = last_position WHERE seq = ?');
  const extend = database.prepare('UPDATE hookproof_works SET until = ?, stamp = ? WHERE seq = ?');
  const release = database.prepare(
    `UPDATE hookproof_works SET holder = NULL, until = NULL, suspect = 0, stamp = ?1,
       due = CASE WHEN last_position > seen OR due IS NOT NULL THEN ?1 ELSE ?2 END
     WHERE seq = ?3`,
  );

  const leases: Leases = {
    take(at, request) {
      freeLost(at, request);
      const first = suspect.get();
      const rows = first === undefined ? due.all(at.monotonic, request.limit) : [first];
      return rows.map((row) => {
        const until = at.monotonic + request.leaseFor;
        const values = [totals.nextToken(), until, at.monotonic, numberIn(row, 'seq')] as const;
        return heldWork(hold.get(request.holder, ...values) ?? {});
      });
    },
    held({ work, token }) {
      const row = held.get(work, token);
      return row === undefined ? null : heldWork(row);
    },
    noteSeen: ({ seq }) => void see.run(seq),
    extend: ({ monotonic }, { seq }, leaseFor) =>
      void extend.run(monotonic + leaseFor, monotonic, seq),
    release: ({ monotonic }, { seq }, dueIn) =>
      void release.run(monotonic, dueIn === null ? null : monotonic + dueIn, seq),
    next(at, work, next) {
      if (next.do === 'hold') leases.extend(at, work, next.leaseFor);
      else leases.release(at, work, next.dueIn);
    },
  };
  return leases;
}

/** Frees works whose lease has expired, as suspects, and works of this holder that it does not handle. */
function freeLostWorks(
  database: Database,
): (at: Moment, request: Pick<TakeRequest, 'holder' | 'inHand'>) => void {
  const expire = database.prepare(
    `UPDATE hookproof_works SET holder = NULL, until = NULL, due = ?1, stamp = ?1, suspect = 1
     WHERE holder IS NOT NULL AND until <= ?1 AND holder <> ?2`,
  );
  const own = database.prepare(
    'SELECT seq, name FROM hookproof_works WHERE holder IS NOT NULL AND holder = ?',
  );
  const free = database.prepare(
    'UPDATE hookproof_works SET holder = NULL, until = NULL, due = ?1, stamp = ?1 WHERE seq = ?2',
  );
  return ({ monotonic }, { holder, inHand }) => {
    expire.run(monotonic, holder);
    for (const row of own.all(holder)) {
      if (!inHand.includes(text(row, 'name'))) free.run(monotonic, numberIn(row, 'seq'));
    }
  };
}

function heldWork(row: SqlRow): HeldWork {
  return {
    seq: numberIn(row, 'seq'),
    name: text(row, 'name'),
    token: numberIn(row, 'token'),
    lastPosition: numberIn(row, 'last_position'),
    isRunSettled: numberIn(row, 'run_settled') === 1,
    isSuspect: numberIn(row, 'suspect') === 1,
  };
}
