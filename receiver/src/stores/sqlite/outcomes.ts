import type { DeadLetterFilter, Outcome } from '../store.ts';
import { deadLettersAfter } from './dead-letters.ts';
import type { Database } from './driver.ts';
import type { HeldJob } from './leases.ts';
import type { OpenedPart } from './messages.ts';
import type { Moment } from './moment.ts';
import { numberIn } from './rows.ts';
import type { Totals } from './totals.ts';

const MAX_REDRIVEN = 1_000;

/** The changes of events after they were accepted. An event that is in another state is left as it is. */
export interface Outcomes {
  apply(at: Moment, job: HeldJob, outcome: Outcome): void;
  redriveSome(at: Moment, filter: DeadLetterFilter, after: number): OpenedPart;
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
  const bury = change("state = 'dead', reason = ?, error = ?, attempts = attempts + ?");
  const settleRun = database.prepare('UPDATE hookproof_jobs SET settled_by = ? WHERE seq = ?');
  const keepBody = database.prepare(
    `INSERT INTO hookproof_kept_bodies (event, job, until, body)
     SELECT event, ?, ?, body FROM hookproof_bodies WHERE event = ?`,
  );
  const forgetBody = settledBody(database);
  const discard = database.prepare(
    "UPDATE hookproof_events SET state = 'settled' WHERE id = ? AND state = 'dead' RETURNING seq, job",
  );

  return {
    apply({ monotonic, wall }, job, outcome) {
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
        const seq = numberIn(row, 'seq');
        const { keepBodyFor } = outcome;
        if (keepBodyFor > 0) keepBody.run(job.seq, Math.ceil(wall + keepBodyFor), seq);
        forgetBody(seq, job.seq);
        totals.move('open', 'settled');
        if (outcome.runSettled) settleRun.run(id, job.seq);
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
): (at: Moment, filter: DeadLetterFilter, after: number) => OpenedPart {
  const open = database.prepare(
    `UPDATE hookproof_events SET state = 'open', attempts = 0, crashes = 0, retry_at = NULL,
       failed_at = NULL, reason = NULL WHERE seq = ?`,
  );
  const makeDue = database.prepare('UPDATE hookproof_jobs SET due = ?1, stamp = ?1 WHERE seq = ?2');
  return ({ monotonic }, filter, after) => {
    const { text, values } = deadLettersAfter(after, filter);
    const chosen = database.prepare(`SELECT e.seq, e.job FROM ${text} LIMIT ${MAX_REDRIVEN}`);
    const rows = chosen.all(...values);
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
