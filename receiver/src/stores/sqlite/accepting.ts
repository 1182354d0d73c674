import { orderKey, POSITION_DIGITS } from '../../order/order-key.ts';
import { bodyDigest } from '../repetition.ts';
import type { AcceptOutcome, EventContent, IncomingEvent } from '../store.ts';
import type { Database } from './driver.ts';
import type { Moment } from './moment.ts';
import { numberIn, text } from './rows.ts';
import type { Totals } from './totals.ts';

/** Returns a function that puts an event under its job unless its id is known. */
export function accepting(
  database: Database,
  totals: Totals,
): (at: Moment, event: IncomingEvent) => AcceptOutcome {
  const known = database.prepare('SELECT digest FROM hookproof_events WHERE id = ?');
  const extendJob = extendingJobs(database);
  const insert = database.prepare(
    `INSERT INTO hookproof_events (job, position, place, id, state, received_at, accepted_at,
       previous_status, current_status, created_at, automation_id, reason, error, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertBody = database.prepare(
    'INSERT INTO hookproof_bodies (event, body) VALUES (last_insert_rowid(), ?)',
  );

  return (at, { id, body, timestamp, content }) => {
    const digest = bodyDigest(body);
    const accepted = known.get(id);
    if (accepted !== undefined) {
      return text(accepted, 'digest') === digest ? 'duplicate' : 'conflict';
    }
    const state = content.kind === 'invalid' ? 'dead' : 'open';
    const { job, position } = extendJob(at, timestamp, content);
    const key = content.kind === 'run' ? orderKey(content.edge) : '';
    const place = key + String(position).padStart(POSITION_DIGITS, '0');
    const columns = [job, position, place, id, state, Math.floor(at.wall), at.monotonic] as const;
    insert.run(...columns, ...factsOf(content), digest);
    insertBody.run(body);
    totals.add(state);
    return 'new';
  };
}

/**
 * Returns a function that counts one more event in the job of an event, which it adds if necessary. A free job becomes
 * due. A leased one becomes due when it is released, because its last position is then higher than `seen`.
 */
function extendingJobs(
  database: Database,
): (
  at: Moment,
  timestamp: number,
  content: EventContent,
) => { readonly job: number; readonly position: number } {
  const find = database.prepare(
    `SELECT seq, last_position, holder IS NULL AND (due IS NULL OR due > ?) AS is_early
     FROM hookproof_jobs WHERE run_id = ?`,
  );
  const add = database.prepare(
    `INSERT INTO hookproof_jobs (run_id, automation_id, due, stamp, last_position, unsettled, newest)
     VALUES (?, ?, ?, ?, 1, 1, ?)`,
  );
  const extend = database.prepare(
    `UPDATE hookproof_jobs SET last_position = last_position + 1, unsettled = unsettled + 1,
       newest = max(newest, ?) WHERE seq = ?`,
  );
  const makeDue = database.prepare('UPDATE hookproof_jobs SET due = ?1, stamp = ?1 WHERE seq = ?2');

  return ({ monotonic, wall }, timestamp, content) => {
    const newest = Math.max(Math.floor(wall), timestamp * 1_000);
    const { runId, automationId } = content.kind === 'run' ? content : NO_RUN;
    const found = runId === null ? undefined : find.get(monotonic, runId);
    if (found === undefined) {
      const due = content.kind === 'invalid' ? null : monotonic;
      const added = add.run(runId, automationId, due, monotonic, newest);
      return { job: Number(added.lastInsertRowid), position: 1 };
    }
    const job = numberIn(found, 'seq');
    extend.run(newest, job);
    // A change of `due` costs as much as the rest, and most jobs with a new event are due already.
    if (found['is_early'] === 1) makeDue.run(monotonic, job);
    return { job, position: numberIn(found, 'last_position') + 1 };
  };
}

const NO_RUN = { runId: null, automationId: null };

/** Returns the columns from `previous_status` to `error`. */
function factsOf(content: EventContent): readonly (string | null)[] {
  if (content.kind === 'single') return [null, null, null, null, null, null];
  if (content.kind === 'invalid')
    return [null, null, null, null, 'event_quarantined', content.error];
  const { previousStatus, currentStatus, createdAt } = content.edge;
  return [previousStatus, currentStatus, createdAt, content.automationId, null, null];
}
