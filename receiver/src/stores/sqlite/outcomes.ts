import type { Part } from '../in-parts.ts';
import type { DeadLetterFilter, Outcome } from '../store.ts';
import { deadLettersAfter } from './dead-letters.ts';
import type { Database } from './driver.ts';
import type { HeldJob } from './leases.ts';
import type { Moment } from './moment.ts';
import { numberIn } from './rows.ts';
import type { Totals } from './totals.ts';

const MAX_CHANGED = 1_000;

/** The changes of events after they were accepted. An event that is in another state is left as it is. */
export interface Outcomes {
  apply(at: Moment, job: HeldJob, outcome: Outcome): void;
  redriveSome(at: Moment, filter: DeadLetterFilter, after: number): Part<number>;
  discardSome(at: Moment, filter: DeadLetterFilter, after: number): Part<number>;
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
  const discard = database.prepare("UPDATE hookproof_events SET state = 'settled' WHERE seq = ?");
  const open = database.prepare(
    `UPDATE hookproof_events SET state = 'open', attempts = 0, crashes = 0, retry_at = NULL,
       failed_at = NULL, reason = NULL WHERE seq = ?`,
  );
  // During a lease the job becomes due when it is released.
  const makeDue = database.prepare('UPDATE hookproof_jobs SET due = ?1, stamp = ?1 WHERE seq = ?2');

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
    redriveSome: ({ monotonic }, filter, after) =>
      changeSome(database, filter, after, (seq, job) => {
        open.run(seq);
        makeDue.run(monotonic, job);
        totals.move('dead', 'open');
      }),
    discardSome: (_at, filter, after) =>
      changeSome(database, filter, after, (seq, job) => {
        discard.run(seq);
        forgetBody(seq, job);
        totals.move('dead', 'settled');
      }),
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

/** Changes the next dead letters that match. */
function changeSome(
  database: Database,
  filter: DeadLetterFilter,
  after: number,
  change: (seq: number, job: number) => void,
): Part<number> {
  const { text, values } = deadLettersAfter(after, filter);
  const chosen = database.prepare(`SELECT e.seq, e.job FROM ${text} LIMIT ${MAX_CHANGED}`);
  const rows = chosen.all(...values);
  for (const row of rows) change(numberIn(row, 'seq'), numberIn(row, 'job'));
  const last = rows.at(-1);
  const isMore = rows.length === MAX_CHANGED && last !== undefined;
  return { count: rows.length, last: isMore ? numberIn(last, 'seq') : null };
}
