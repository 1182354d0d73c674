import { failures, number } from '../rows.ts';
import { MAX_ATTEMPTS_KEPT } from '../store.ts';
import type { Attempt, Outcome } from '../store.ts';
import type { Database } from './driver.ts';
import type { Moment } from './moment.ts';

/** A job whose lease is held. */
export interface HeldJob {
  readonly seq: number;
  readonly source: string;
  readonly lastPosition: number;
}

/**
 * Returns a function that writes the outcome of an event. An event that is not open is left as it
 * is.
 */
export function outcomes(database: Database): (at: Moment, job: HeldJob, outcome: Outcome) => void {
  const find = database.prepare(
    `SELECT seq, failures FROM hookproof_events
     WHERE source = ? AND id = ? AND job = ? AND state = 'open'`,
  );
  const handle = handlingEvents(database);
  const settle = database.prepare('UPDATE hookproof_jobs SET settled_by = ? WHERE seq = ?');
  const fail = database.prepare(
    `UPDATE hookproof_events SET attempts = attempts + 1, error = ?, failures = ?,
       first_failed_at = ifnull(first_failed_at, ?) WHERE seq = ?`,
  );
  const delay = database.prepare(
    'UPDATE hookproof_events SET crashes = 0, retry_at = ?, failed_at = ? WHERE seq = ?',
  );
  const bury = database.prepare(
    "UPDATE hookproof_events SET state = 'dead', reason = ?, error = ? WHERE seq = ?",
  );

  return (at, job, outcome) => {
    const row = find.get(job.source, outcome.id, job.seq);
    if (row === undefined) return;
    const event = number(row, 'seq');
    if (outcome.as === 'handled') {
      handle(at, job.seq, event, outcome.keepBodyFor);
      if (outcome.settlesJob) settle.run(event, job.seq);
      return;
    }
    const { attempt } = outcome;
    const wall = Math.floor(at.wall);
    if (attempt !== null) fail.run(attempt.error, withFailure(row, attempt, wall), wall, event);
    if (outcome.as === 'failed') delay.run(at.monotonic + outcome.dueIn, at.monotonic, event);
    else bury.run(outcome.reason, outcome.error, event);
  };
}

function withFailure(row: Parameters<typeof failures>[0], attempt: Attempt, at: number): string {
  const { handler, error, milliseconds } = attempt;
  const all = [...failures(row), { handler, error, milliseconds, at }];
  return JSON.stringify(all.slice(-MAX_ATTEMPTS_KEPT));
}

/** Returns a function that makes an event a handled one, with a body that is deleted or kept. */
export function handlingEvents(
  database: Database,
): (at: Moment, job: number, event: number, keepBodyFor: number) => void {
  const handle = database.prepare(
    `UPDATE hookproof_events SET state = 'handled', crashes = 0, reason = NULL, handled_at = ?
     WHERE seq = ?`,
  );
  const count = database.prepare(
    'UPDATE hookproof_jobs SET unhandled = unhandled - 1 WHERE seq = ?',
  );
  const keepBody = database.prepare('UPDATE hookproof_bodies SET until = ? WHERE event = ?');
  const deleteBody = database.prepare('DELETE FROM hookproof_bodies WHERE event = ?');
  return ({ wall }, job, event, keepBodyFor) => {
    handle.run(Math.floor(wall), event);
    count.run(job);
    if (keepBodyFor > 0) keepBody.run(Math.ceil(wall + keepBodyFor), event);
    else deleteBody.run(event);
  };
}
