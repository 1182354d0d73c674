import type { Database } from './driver.ts';
import type { Moment } from './moment.ts';
import { numberIn } from './rows.ts';
import type { Totals } from './totals.ts';

const MAX_PURGED_JOBS = 200;

/** Returns a function that forgets some old jobs; it returns the number of events, 0 at the end. */
export function purging(
  database: Database,
  totals: Totals,
): (at: Moment, olderThan: number) => number {
  const old = database.prepare(
    `SELECT seq FROM hookproof_jobs
     WHERE unsettled = 0 AND newest <= ? AND holder IS NULL
     ORDER BY newest LIMIT ${MAX_PURGED_JOBS}`,
  );
  const forgetEvents = database.prepare('DELETE FROM hookproof_events WHERE job = ?');
  const forgetJob = database.prepare('DELETE FROM hookproof_jobs WHERE seq = ?');

  return ({ wall }, olderThan) => {
    let count = 0;
    for (const row of old.all(wall - olderThan)) {
      const seq = numberIn(row, 'seq');
      count += Number(forgetEvents.run(seq).changes);
      forgetJob.run(seq);
    }
    totals.forget(count);
    return count;
  };
}
