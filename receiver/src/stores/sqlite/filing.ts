import { bodyDigest } from '../repetition.ts';
import type { EventContent } from '../store.ts';
import type { Database } from './driver.ts';
import type { FrameContent } from './frame.ts';
import type { Moment } from './moment.ts';
import { numberIn, runJob, singleJob } from './rows.ts';
import type { Totals } from './totals.ts';

/**
 * Returns a function that puts accepted events under their jobs. A free job becomes due. A leased
 * one becomes due when it is released, because its last position is then higher than `seen`.
 */
export function filing(
  database: Database,
  totals: Totals,
): (at: Moment, frame: FrameContent) => void {
  const job = database.prepare(
    `INSERT INTO hookproof_jobs (name, due, stamp, last_position, unsettled, newest)
     VALUES (?1, ?2, ?3, 1, 1, ?4)
     ON CONFLICT (name) DO UPDATE SET
       due = CASE WHEN holder IS NULL AND ?2 IS NOT NULL THEN min(ifnull(due, ?2), ?2) ELSE due END,
       stamp = CASE WHEN holder IS NULL THEN ?3 ELSE stamp END,
       last_position = last_position + 1, unsettled = unsettled + 1, newest = max(newest, ?4)
     RETURNING seq, last_position`,
  );
  const insert = database.prepare(
    `INSERT INTO hookproof_events (id, job, position, state, received_at, accepted_at,
       previous_status, current_status, created_at, reason, error, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertBody = database.prepare('INSERT INTO hookproof_bodies (event, body) VALUES (?, ?)');

  return ({ monotonic }, { at: accepted, events }) => {
    const receivedAt = Math.floor(accepted.wall);
    for (const event of events) {
      const { id, body } = event;
      const content = event.content();
      const isOpen = content.kind !== 'invalid';
      const name = content.kind === 'run' ? runJob(content.runId) : singleJob(id);
      const due = isOpen ? monotonic : null;
      const row = job.get(name, due, monotonic, receivedAt) ?? {};
      const place = [numberIn(row, 'seq'), numberIn(row, 'last_position')] as const;
      const state = isOpen ? 'open' : 'dead';
      const times = [receivedAt, accepted.monotonic] as const;
      const facts = [...factsOf(content), bodyDigest(body)] as const;
      const { lastInsertRowid } = insert.run(id, ...place, state, ...times, ...facts);
      insertBody.run(Number(lastInsertRowid), body);
      totals.add(state);
    }
  };
}

/** Returns the columns from `previous_status` to `error`. */
function factsOf(content: EventContent): readonly (string | null)[] {
  if (content.kind === 'single') return [null, null, null, null, null];
  if (content.kind === 'invalid') return [null, null, null, 'event_quarantined', content.error];
  const { previousStatus, currentStatus, createdAt } = content.edge;
  return [previousStatus, currentStatus, createdAt, null, null];
}
