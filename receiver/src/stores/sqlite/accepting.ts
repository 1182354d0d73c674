import { orderKey, POSITION_DIGITS } from '../../order/order-key.ts';
import { bodyDigest } from '../repetition.ts';
import type { AcceptOutcome, EventContent, IncomingEvent } from '../store.ts';
import type { Database } from './driver.ts';
import type { Moment } from './moment.ts';
import { bytes, runJob, singleJob } from './rows.ts';
import type { Totals } from './totals.ts';

/**
 * Returns a function that puts an event under its job unless its id is known. A free job becomes due. A
 * leased one becomes due when it is released, because its last position is then higher than `seen`.
 */
export function accepting(
  database: Database,
  totals: Totals,
): (at: Moment, event: IncomingEvent) => AcceptOutcome {
  const known = database.prepare('SELECT digest FROM hookproof_events WHERE id = ?');
  const addToJob = database.prepare(
    `INSERT INTO hookproof_jobs (name, due, stamp, last_position, unsettled, newest)
     VALUES (?1, ?2, ?3, 1, 1, ?4)
     ON CONFLICT (name) DO UPDATE SET
       due = CASE WHEN holder IS NULL AND ?2 IS NOT NULL THEN min(ifnull(due, ?2), ?2) ELSE due END,
       stamp = CASE WHEN holder IS NULL THEN ?3 ELSE stamp END,
       last_position = last_position + 1, unsettled = unsettled + 1, newest = max(newest, ?4)`,
  );
  // Reading the job here costs half of what RETURNING does above.
  const insert = database.prepare(
    `INSERT INTO hookproof_events (job, position, place, id, state, received_at, accepted_at,
       previous_status, current_status, created_at, automation_id, reason, error, digest)
     SELECT seq, last_position, ? || printf('%0${POSITION_DIGITS}d', last_position), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
     FROM hookproof_jobs WHERE name = ?`,
  );
  const insertBody = database.prepare(
    'INSERT INTO hookproof_bodies (event, body) VALUES (last_insert_rowid(), ?)',
  );

  return ({ monotonic, wall }, { id, body, content }) => {
    const digest = bodyDigest(body);
    const accepted = known.get(id);
    if (accepted !== undefined) {
      return Buffer.compare(bytes(accepted, 'digest'), digest) === 0 ? 'duplicate' : 'conflict';
    }
    const state = content.kind === 'invalid' ? 'dead' : 'open';
    const receivedAt = Math.floor(wall);
    const name = content.kind === 'run' ? runJob(content.runId) : singleJob(id);
    addToJob.run(name, state === 'open' ? monotonic : null, monotonic, receivedAt);
    const key = content.kind === 'run' ? orderKey(content.edge) : '';
    insert.run(key, id, state, receivedAt, monotonic, ...factsOf(content), digest, name);
    insertBody.run(body);
    totals.add(state);
    return 'new';
  };
}

/** Returns the columns from `previous_status` to `error`. */
function factsOf(content: EventContent): readonly (string | null)[] {
  if (content.kind === 'single') return [null, null, null, null, null, null];
  if (content.kind === 'invalid')
    return [null, null, null, null, 'event_quarantined', content.error];
  const { previousStatus, currentStatus, createdAt } = content.edge;
  return [previousStatus, currentStatus, createdAt, content.automationId, null, null];
}
