import { seeingGoneHolders } from '../holder.ts';
import type { Lease, Next, TakeRequest } from '../store.ts';
import type { Database, SqlRow } from './driver.ts';
import type { Moment } from './moment.ts';
import { JOB_NAME, numberIn, RUN_JOB, SINGLE_JOB, text, textOrNull } from './rows.ts';
import type { Totals } from './totals.ts';

/** A job whose lease was taken or checked. */
export interface HeldJob {
  readonly seq: number;
  readonly token: number;
  readonly lastPosition: number;
  readonly isRunSettled: boolean;
  /** What the order knows of the run. */
  readonly order: string | null;
}

export interface TakenJob {
  readonly held: HeldJob;
  readonly name: string;
  readonly runId: string | null;
}

/** Which jobs are due, and who holds which. All times are monotonic. */
export interface Leases {
  take(at: Moment, request: TakeRequest): readonly TakenJob[];
  /** Returns the job of a lease; `null` when the lease is lost. */
  held(lease: Lease): HeldJob | null;
  /** Records that the holder knows all events of the job. */
  noteSeen(job: HeldJob): void;
  /** Records the event that is handled from now on. */
  begin(job: HeldJob, id: string): void;
  keepOrder(job: HeldJob, order: string): void;
  extend(at: Moment, job: HeldJob, leaseFor: number): void;
  release(at: Moment, job: HeldJob, dueIn: number | null): void;
  next(at: Moment, job: HeldJob, next: Next): void;
}

/** Counts the end of a holder against the event that it was handling: time, event, number of the job. */
const COUNT_CRASH = `UPDATE hookproof_events SET crashes = crashes + 1, retry_at = ?1, failed_at = ?1
  WHERE id = ?2 AND job = ?3 AND state = 'open'`;

const COLUMNS = 'seq, token, last_position, settled_by, run_order';

export function openLeases(database: Database, totals: Totals): Leases {
  const freeLost = freeLostJobs(database);
  const due = database.prepare(
    `SELECT seq FROM hookproof_jobs WHERE holder IS NULL AND due IS NOT NULL AND due <= ?
     ORDER BY due, seq LIMIT ?`,
  );
  const hold = database.prepare(
    `UPDATE hookproof_jobs SET holder = ?, token = ?, until = ?, stamp = ?, due = NULL,
       seen = last_position
     WHERE seq = ? RETURNING ${COLUMNS}, run_id, ${JOB_NAME} AS name`,
  );
  const held = (which: string) =>
    database.prepare(
      `SELECT ${COLUMNS} FROM hookproof_jobs WHERE ${which} AND token = ? AND holder IS NOT NULL`,
    );
  const heldRun = held('run_id = ?');
  const heldSingle = held('seq = (SELECT job FROM hookproof_events WHERE id = ?)');
  const see = database.prepare('UPDATE hookproof_jobs SET seen = last_position WHERE seq = ?');
  const begin = database.prepare('UPDATE hookproof_jobs SET begun = ? WHERE seq = ?');
  const keepOrder = database.prepare('UPDATE hookproof_jobs SET run_order = ? WHERE seq = ?');
  const extend = database.prepare('UPDATE hookproof_jobs SET until = ?, stamp = ? WHERE seq = ?');
  const release = database.prepare(
    `UPDATE hookproof_jobs SET holder = NULL, begun = NULL, until = NULL, stamp = ?1,
       due = CASE WHEN last_position > seen OR due IS NOT NULL THEN ?1 ELSE ?2 END
     WHERE seq = ?3`,
  );

  const leases: Leases = {
    take(at, request) {
      freeLost(at, request);
      return due.all(at.monotonic, request.limit).map((row) => {
        const until = at.monotonic + request.leaseFor;
        const values = [totals.nextToken(), until, at.monotonic, numberIn(row, 'seq')] as const;
        const taken = hold.get(request.holder, ...values) ?? {};
        return {
          held: heldJob(taken),
          name: text(taken, 'name'),
          runId: textOrNull(taken, 'run_id'),
        };
      });
    },
    held({ job, token }) {
      const row = job.startsWith(RUN_JOB)
        ? heldRun.get(job.slice(RUN_JOB.length), token)
        : heldSingle.get(job.slice(SINGLE_JOB.length), token);
      return row === undefined ? null : heldJob(row);
    },
    noteSeen: ({ seq }) => void see.run(seq),
    begin: ({ seq }, id) => void begin.run(id, seq),
    keepOrder: ({ seq }, order) => void keepOrder.run(order, seq),
    extend: ({ monotonic }, { seq }, leaseFor) =>
      void extend.run(monotonic + leaseFor, monotonic, seq),
    release: ({ monotonic }, { seq }, dueIn) =>
      void release.run(monotonic, dueIn === null ? null : monotonic + dueIn, seq),
    next(at, job, next) {
      if (next.do === 'release') return leases.release(at, job, next.dueIn);
      leases.extend(at, job, next.leaseFor);
      begin.run(next.begin ?? null, job.seq);
    },
  };
  return leases;
}

/** Frees jobs that this holder does not handle, and those of others that are gone or whose lease has expired. */
function freeLostJobs(
  database: Database,
): (at: Moment, request: Pick<TakeRequest, 'holder' | 'inHand'>) => void {
  const leased = database.prepare(
    `SELECT seq, ${JOB_NAME} AS name, holder, until, begun FROM hookproof_jobs
     WHERE holder IS NOT NULL`,
  );
  const free = database.prepare(
    `UPDATE hookproof_jobs SET holder = NULL, begun = NULL, until = NULL, due = ?1, stamp = ?1
     WHERE seq = ?2`,
  );
  const crash = database.prepare(COUNT_CRASH);
  const isGone = seeingGoneHolders();
  return ({ monotonic }, { holder, inHand }) => {
    // A holder can have many jobs.
    const gone = new Map<string, boolean>();
    const isHolderGone = (name: string): boolean => {
      const found = gone.get(name) ?? isGone(name);
      gone.set(name, found);
      return found;
    };
    for (const row of leased.all()) {
      const isOwn = text(row, 'holder') === holder;
      const isLost = isOwn
        ? !inHand.includes(text(row, 'name'))
        : numberIn(row, 'until') <= monotonic || isHolderGone(text(row, 'holder'));
      if (!isLost) continue;
      if (!isOwn) crash.run(monotonic, textOrNull(row, 'begun'), numberIn(row, 'seq'));
      free.run(monotonic, numberIn(row, 'seq'));
    }
  };
}

function heldJob(row: SqlRow): HeldJob {
  return {
    seq: numberIn(row, 'seq'),
    token: numberIn(row, 'token'),
    lastPosition: numberIn(row, 'last_position'),
    isRunSettled: row['settled_by'] !== null,
    order: textOrNull(row, 'run_order'),
  };
}
