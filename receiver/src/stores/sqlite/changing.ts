import { number } from '../rows.ts';
import type { Change, EventFilter } from '../store.ts';
import { conditionOf } from './choosing.ts';
import type { Condition } from './choosing.ts';
import type { Database } from './driver.ts';
import type { Moment } from './moment.ts';
import type { Operations } from './operations.ts';
import { handlingEvents } from './outcomes.ts';

/** How many events or jobs one call changes, about: the thread does nothing else meanwhile. */
const STEP = 1_000;
/** How many jobs one call forgets. */
const PURGED_JOBS = 200;

/** Returns what changes many events or jobs, in parts. */
export function changing(
  database: Database,
): Pick<
  Operations,
  'count' | 'changeSome' | 'setPaused' | 'makeSomeDue' | 'purgeSome' | 'purgeSomeBodies'
> {
  const handle = handlingEvents(database);
  const reopen = reopening(database);
  return {
    count(at, what, filter) {
      const { text, values } = chosen(at, what, filter);
      const row = database.prepare(`SELECT count(*) AS count ${text}`).get(...values);
      return number(row ?? {}, 'count');
    },
    /**
     * A job is opened as a whole: else its later events could be handled before its earlier ones.
     */
    changeSome(at, what, filter, after) {
      const { text, values } = chosen(at, what, filter);
      const end = database
        .prepare(`SELECT e.job ${text} AND e.job > ? ORDER BY e.job LIMIT 1 OFFSET ${STEP - 1}`)
        .get(...values, after);
      const last = end === undefined ? null : number(end, 'job');
      const rows = database
        .prepare(`SELECT e.seq, e.job ${text} AND e.job > ? AND e.job <= ?`)
        .all(...values, after, last ?? Number.MAX_SAFE_INTEGER);
      for (const row of rows) {
        const [job, event] = [number(row, 'job'), number(row, 'seq')];
        if (what === 'discard') handle(at, job, event, 0);
        else reopen(at, job, event, what === 'replay');
      }
      return { count: rows.length, last };
    },
    ...pausing(database),
    ...purging(database),
  };
}

/** Returns the events that a change concerns: what follows `SELECT …`. */
function chosen({ wall }: Moment, what: Change, filter: Omit<EventFilter, 'state'>): Condition {
  const where = conditionOf({ ...filter, ...(what !== 'replay' && { state: 'dead' }) });
  const jobs = 'CROSS JOIN hookproof_jobs j ON j.seq = e.job';
  if (what !== 'replay') {
    return { text: `FROM hookproof_events e ${jobs} WHERE ${where.text}`, values: where.values };
  }
  const kept = 'hookproof_bodies b CROSS JOIN hookproof_events e ON e.seq = b.event';
  const text = `FROM ${kept} ${jobs} WHERE b.until > ? AND ${where.text}`;
  return { text, values: [wall, ...where.values] };
}

/** Returns a function that opens a dead letter or a handled event again. */
function reopening(
  database: Database,
): (at: Moment, job: number, event: number, isReplay: boolean) => void {
  const open = database.prepare(
    `UPDATE hookproof_events SET state = 'open', attempts = 0, crashes = 0, retry_at = NULL, failed_at = NULL,
       first_failed_at = NULL, handled_at = NULL, reason = NULL, is_replay = max(is_replay, ?)
     WHERE seq = ?`,
  );
  const takeBody = database.prepare('UPDATE hookproof_bodies SET until = NULL WHERE event = ?');
  // During a lease the job becomes due when it is released.
  const openJob = database.prepare(
    `UPDATE hookproof_jobs SET due = ?1, stamp = ?1, unhandled = unhandled + ?2,
       settled_by = nullif(settled_by, ?3) WHERE seq = ?4`,
  );
  return ({ monotonic }, job, event, isReplay) => {
    open.run(isReplay ? 1 : 0, event);
    if (isReplay) takeBody.run(event);
    openJob.run(monotonic, isReplay ? 1 : 0, event, job);
  };
}

function pausing(database: Database): Pick<Operations, 'setPaused' | 'makeSomeDue'> {
  const add = database.prepare('INSERT OR IGNORE INTO hookproof_pauses VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM hookproof_pauses WHERE name = ? RETURNING since');
  const shift = database.prepare(
    `UPDATE hookproof_events SET first_failed_at = first_failed_at + ?1 - max(?2, first_failed_at)
     WHERE state = 'open' AND state <> 'handled' AND first_failed_at IS NOT NULL
       AND ?3 IN ('*', handler, source || '/*', source || '/' || handler)`,
  );
  const makeLeasedDue = database.prepare(
    'UPDATE hookproof_jobs SET due = ?1, stamp = ?1 WHERE holder IS NOT NULL',
  );
  const makeDue = database.prepare(
    `UPDATE hookproof_jobs SET due = ?1, stamp = ?1 WHERE seq IN (
       SELECT seq FROM hookproof_jobs WHERE holder IS NULL AND due IS NOT NULL AND due > ?1
       ORDER BY due LIMIT ${STEP})`,
  );
  return {
    setPaused({ monotonic, wall }, name, isPaused) {
      const now = Math.floor(wall);
      if (isPaused) add.run(name, now);
      const removed = isPaused ? undefined : remove.get(name);
      if (removed === undefined) return false;
      shift.run(now, number(removed, 'since'), name);
      makeLeasedDue.run(monotonic);
      return true;
    },
    makeSomeDue: ({ monotonic }) => Number(makeDue.run(monotonic).changes) === STEP,
  };
}

function purging(database: Database): Pick<Operations, 'purgeSome' | 'purgeSomeBodies'> {
  const old = database.prepare(
    `SELECT seq FROM hookproof_jobs
     WHERE newest < (SELECT max(newest) FROM hookproof_jobs) - ? AND unhandled = 0 AND holder IS NULL
     ORDER BY newest LIMIT ${PURGED_JOBS}`,
  );
  const forgetBodies = database.prepare(
    `DELETE FROM hookproof_bodies
     WHERE event IN (SELECT seq FROM hookproof_events WHERE job = ?)`,
  );
  const forgetEvents = database.prepare('DELETE FROM hookproof_events WHERE job = ?');
  const forgetJob = database.prepare('DELETE FROM hookproof_jobs WHERE seq = ?');
  const oldBodies = database.prepare(
    `DELETE FROM hookproof_bodies WHERE event IN (
       SELECT event FROM hookproof_bodies WHERE until <= ? ORDER BY until LIMIT ${STEP})`,
  );
  return {
    purgeSome(_at, olderThan) {
      let count = 0;
      for (const row of old.all(olderThan / 1_000)) {
        const seq = number(row, 'seq');
        forgetBodies.run(seq);
        count += Number(forgetEvents.run(seq).changes);
        forgetJob.run(seq);
      }
      return count;
    },
    purgeSomeBodies: ({ wall }) => Number(oldBodies.run(wall).changes) === STEP,
  };
}
