import type { DeadLetterFilter, Outcome } from '../store.ts';
import type { Database } from './driver.ts';
import type { HeldJob } from './leases.ts';
import type { RedrivenPart } from './messages.ts';
import type { Moment } from './moment.ts';
import { numberIn } from './rows.ts';
import type { Totals } from './totals.ts';

const MAX_REDRIVEN = 1_000;

/** The changes of events after they were accepted. An event that is in another state is left as it is. */
export interface Outcomes {
  apply(at: Moment, job: HeldJob, outcome: Outcome): void;
  redriveSome(at: Moment, filter: DeadLetterFilter, after: number): RedrivenPart;
  discard(id: string): boolean;
}

export function openOutcomes(database: Database, totals: Totals): Outcomes {
  const change = (assignments: string) =>
    database.prepare(
      `UPDATE hookproof_events SET ${assignments}
       WHERE id = ? AND job = ? AND state = 'open' RETURNING seq`,
    );
  const settle = change("state = 'settled', crashes = 0");
  const fail = change(
    'attempts = attempts + 1, crashes = 0, retry_at = ?, failed_at = ?, error = ?',
  );
  const bury = change(
    "state = 'dead', crashes = 0, reason = ?, error = ?, attempts = attempts + ?",
  );
  const settleRun = database.prepare('UPDATE hookproof_jobs SET run_settled = 1 WHERE seq = ?');
  const forgetBody = settledBody(database);
  const discard = database.prepare(
    "UPDATE hookproof_events SET state = 'settled' WHERE id = ? AND state = 'dead' RETURNING seq, job",
  );

  return {
    apply({ monotonic }, job, outcome) {
      const { id } = outcome;
      if (outcome.as === 'failed') {
        fail.get(monotonic + outcome.dueIn, monotonic, outcome.error, id, job.seq);
      } else if (outcome.as === 'dead') {
        const { reason, error, isFailure } = outcome;
        if (bury.get(reason, error, isFailure ? 1 : 0, id, job.seq) !== undefined) {
          totals.move('open', 'dead');
        }
      } else {
        const row = settle.get(id, job.seq);
        if (row === undefined) return;
        forgetBody(numberIn(row, 'seq'), job.seq);
        totals.move('open', 'settled');
        if (outcome.runSettled) settleRun.run(job.seq);
      }
    },
    redriveSome: redrive(database, totals),
    discard(id) {
      const row = discard.get(id);
      if (row === undefined) return false;
      forgetBody(numberIn(row, 'seq'), numberIn(row, 'job'));
      totals.move('dead', 'settled');
      return true;
    },
  };
}

/** Deletes the body of a settled event. */
function settledBody(database: Database): (event: number, job: number) => void {
  const forget = database.prepare('DELETE FROM hookproof_bodies WHERE event = ?');
  const count = database.prepare(
    'UPDATE hookproof_jobs SET unsettled = unsettled - 1 WHERE seq = ?',
  );
  return (event, job) => {
    forget.run(event);
    count.run(job);
  };
}

/** Opens dead letters again. During a lease their job becomes due when it is released. */
function redrive(
  database: Database,
  totals: Totals,
): (at: Moment, filter: DeadLetterFilter, after: number) => RedrivenPart {
  const chosen = database.prepare(
    `SELECT seq, job FROM hookproof_events
     WHERE state = 'dead' AND seq > ?1
       AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2)))
       AND (?3 IS NULL OR reason = ?3)
       AND (?4 IS NULL OR job = (SELECT seq FROM hookproof_jobs WHERE name = 'run:' || ?4))
     ORDER BY seq LIMIT ${MAX_REDRIVEN}`,
  );
  const open = database.prepare(
    `UPDATE hookproof_events SET state = 'open', attempts = 0, crashes = 0, retry_at = NULL,
       failed_at = NULL, reason = NULL WHERE seq = ?`,
  );
  const makeDue = database.prepare('UPDATE hookproof_jobs SET due = ?1, stamp = ?1 WHERE seq = ?2');
  return ({ monotonic }, { ids, reason, runId }, after) => {
    const values = [ids === undefined ? null : JSON.stringify(ids), reason ?? null, runId ?? null];
    const rows = chosen.all(after, ...values);
    for (const row of rows) {
      open.run(numberIn(row, 'seq'));
      makeDue.run(monotonic, numberIn(row, 'job'));
      totals.move('dead', 'open');
    }
    const last = rows.at(-1);
    const isMore = rows.length === MAX_REDRIVEN && last !== undefined;
    return { count: rows.length, last: isMore ? numberIn(last, 'seq') : null };
  };
}
