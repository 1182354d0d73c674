import { bodyDigest } from '../digest.ts';
import { number, text } from '../rows.ts';
import type { AcceptOutcome, NewEvent } from '../store.ts';
import type { Database } from './driver.ts';
import type { Moment } from './moment.ts';

type Accept = (at: Moment, event: NewEvent) => AcceptOutcome;

/** Returns a function that puts an event under its job unless its id is known. */
export function accepting(database: Database): Accept {
  const known = database.prepare('SELECT digest FROM hookproof_events WHERE source = ? AND id = ?');
  const extendJob = extendingJobs(database);
  const insert = database.prepare(
    `INSERT INTO hookproof_events (job, position, source, id, state, type, handler, facts, received_at,
       accepted_at, reason, error, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertBody = database.prepare(
    'INSERT INTO hookproof_bodies (event, body) VALUES (last_insert_rowid(), ?)',
  );

  return (at, event) => {
    const { source, id, body, type, handler, facts, error } = event;
    const digest = bodyDigest(body);
    const accepted = known.get(source, id);
    if (accepted !== undefined) {
      return text(accepted, 'digest') === digest ? 'duplicate' : 'conflict';
    }
    const { job, position } = extendJob(at, event);
    const [state, reason] = error === null ? ['open', null] : ['dead', 'event_quarantined'];
    const times = [Math.floor(at.wall), at.monotonic] as const;
    const given = [source, id, state ?? 'open', type, handler, facts] as const;
    insert.run(job, position, ...given, ...times, reason ?? null, error, digest);
    insertBody.run(body);
    return 'new';
  };
}

/**
 * Returns a function that counts one more event in the job of an event, which it adds if necessary.
 * A free job becomes due. A leased one becomes due when it is released, because its last position
 * is then higher than `seen`.
 */
function extendingJobs(
  database: Database,
): (at: Moment, event: NewEvent) => { readonly job: number; readonly position: number } {
  const find = database.prepare(
    `SELECT seq, last_position, holder IS NULL AND (due IS NULL OR due > ?) AS is_early
     FROM hookproof_jobs WHERE source = ? AND key = ?`,
  );
  const add = database.prepare(
    `INSERT INTO hookproof_jobs (source, key, owner, due, stamp, newest, last_position, unhandled)
     VALUES (?, ?, ?, ?, ?, ?, 1, 1)`,
  );
  const extend = database.prepare(
    `UPDATE hookproof_jobs SET last_position = last_position + 1, unhandled = unhandled + 1,
       newest = max(newest, ?) WHERE seq = ?`,
  );
  const makeDue = database.prepare('UPDATE hookproof_jobs SET due = ?1, stamp = ?1 WHERE seq = ?2');

  return ({ monotonic }, { source, key, owner, timestamp, error }) => {
    const found = key === null ? undefined : find.get(monotonic, source, key);
    if (found === undefined) {
      const due = error === null ? monotonic : null;
      const added = add.run(source, key, owner, due, monotonic, timestamp);
      return { job: Number(added.lastInsertRowid), position: 1 };
    }
    const job = number(found, 'seq');
    extend.run(timestamp, job);
    // A change of `due` costs as much as the rest, and most jobs with a new event are due already.
    if (found['is_early'] === 1) makeDue.run(monotonic, job);
    return { job, position: number(found, 'last_position') + 1 };
  };
}
