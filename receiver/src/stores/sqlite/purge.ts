import type { Database } from './driver.ts';
import type { Moment } from './moment.ts';
import { numberIn } from './rows.ts';
import type { Totals } from './totals.ts';

const MAX_PURGED_JOBS = 200;

const MAX_PURGED_BODIES = 1_000;

/** What is deleted when its time is over. */
export interface Purge {
  /** Forgets some old jobs; returns the number of events, 0 at the end. */
  jobs(at: Moment, olderThan: number): number;
  /** Deletes some kept bodies; returns their number, 0 at the end. */
  bodies(at: Moment): number;
}

export function openPurge(database: Database, totals: Totals): Purge {
  const old = database.prepare(
    `SELECT seq FROM hookproof_jobs
     WHERE unsettled = 0 AND newest <= ? AND holder IS NULL
     ORDER BY newest LIMIT ${MAX_PURGED_JOBS}`,
  );
  const forgetBodies = database.prepare('DELETE FROM hookproof_kept_bodies WHERE job = ?');
  const oldBodies = database.prepare(
    `DELETE FROM hookproof_kept_bodies WHERE event IN (
       SELECT event FROM hookproof_kept_bodies WHERE until <= ? ORDER BY until LIMIT ${MAX_PURGED_BODIES})`,
  );
  const forgetEvents = database.prepare('DELETE FROM hookproof_events WHERE job = ?');
  const forgetJob = database.prepare('DELETE FROM hookproof_jobs WHERE seq = ?');

  return {
    jobs({ wall }, olderThan) {
      let count = 0;
      for (const row of old.all(wall - olderThan)) {
        const seq = numberIn(row, 'seq');
        forgetBodies.run(seq);
        count += Number(forgetEvents.run(seq).changes);
        forgetJob.run(seq);
      }
      totals.forget(count);
      return count;
    },
    bodies: ({ wall }) => Number(oldBodies.run(wall).changes),
  };
}
