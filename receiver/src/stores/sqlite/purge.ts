import type { Database } from './driver.ts';

const MOST_ROWS = 1000;

/** Forgets a bounded number of old events and answers how many, 0 when there is no more to forget. */
export function purgeSome(database: Database): (before: number) => number {
  const singles = database.prepare(
    `DELETE FROM hookproof_events WHERE seq IN (
       SELECT seq FROM hookproof_events
       WHERE state = 'settled' AND received_at < ? AND run_id IS NULL LIMIT ${MOST_ROWS})`,
  );
  const runs = database.prepare(
    `SELECT DISTINCT run_id FROM hookproof_events e
     WHERE state = 'settled' AND received_at < ?1 AND run_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM hookproof_events other
       WHERE other.run_id = e.run_id AND (other.state <> 'settled' OR other.received_at >= ?1))
     LIMIT ${MOST_ROWS}`,
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
