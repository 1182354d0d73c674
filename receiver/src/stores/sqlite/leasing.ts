import { seeingGoneHolders } from '../holder.ts';
import { number, numberOrNull, text, textOrNull } from '../rows.ts';
import { MAX_JOB_EVENTS } from '../store.ts';
import type { JobEvent, Lease, LeasedJob, Next, TakeRequest } from '../store.ts';
import type { Database, SqlRow } from './driver.ts';
import { requireFormat } from './format.ts';
import type { Moment } from './moment.ts';
import type { Operations } from './operations.ts';
import { outcomes } from './outcomes.ts';
import type { HeldJob } from './outcomes.ts';
import { bytes, JOB_EVENT, jobEventAt } from './rows.ts';

/** Returns the operations of the worker on leased jobs. All times are monotonic. */
export function leasing(
  database: Database,
): Pick<Operations, 'take' | 'events' | 'renew' | 'begin' | 'finish'> {
  const freeLost = freeingLostJobs(database);
  const nextIn = lookingAhead(database);
  const eventsOf = readingEvents(database);
  const apply = outcomes(database);
  const least = database.prepare('SELECT least FROM hookproof_format');
  const due = database.prepare(
    `SELECT seq FROM hookproof_jobs WHERE holder IS NULL AND due IS NOT NULL AND due <= ?
     ORDER BY due, seq LIMIT ?`,
  );
  const hold = database.prepare(
    `UPDATE hookproof_jobs SET holder = ?, token = token + 1, until = ?, stamp = ?, due = NULL,
       seen = last_position
     WHERE seq = ? RETURNING seq, token, source, key, last_position, settled_by`,
  );
  const held = database.prepare(
    `SELECT seq, source, last_position FROM hookproof_jobs
     WHERE seq = ? AND token = ? AND holder IS NOT NULL`,
  );
  const see = database.prepare('UPDATE hookproof_jobs SET seen = last_position WHERE seq = ?');
  const begin = database.prepare('UPDATE hookproof_jobs SET begun = ? WHERE seq = ?');
  const open = database.prepare(
    `SELECT e.seq, b.body FROM hookproof_events e CROSS JOIN hookproof_bodies b ON b.event = e.seq
     WHERE e.source = ? AND e.id = ? AND e.job = ? AND e.state = 'open'`,
  );
  const extend = database.prepare('UPDATE hookproof_jobs SET until = ?, stamp = ? WHERE seq = ?');
  const release = database.prepare(
    `UPDATE hookproof_jobs SET holder = NULL, begun = NULL, until = NULL, stamp = ?1,
       due = CASE WHEN last_position > seen OR due IS NOT NULL THEN ?1 ELSE ?2 END
     WHERE seq = ?3`,
  );

  const heldJob = ({ job, token }: Lease): HeldJob | null => {
    const row = held.get(Number(job), token);
    if (row === undefined) return null;
    const lastPosition = number(row, 'last_position');
    return { seq: number(row, 'seq'), source: text(row, 'source'), lastPosition };
  };
  const beginEvent = ({ seq, source }: HeldJob, id: string | null): Uint8Array | null => {
    const event = id === null ? undefined : open.get(source, id, seq);
    begin.run(event === undefined ? null : number(event, 'seq'), seq);
    return event === undefined ? null : bytes(event, 'body');
  };
  const goOn = ({ monotonic }: Moment, job: HeldJob, next: Next): Uint8Array | null => {
    if (next.do === 'release') {
      release.run(monotonic, next.dueIn === null ? null : monotonic + next.dueIn, job.seq);
      return null;
    }
    extend.run(monotonic + next.leaseFor, monotonic, job.seq);
    return beginEvent(job, next.begin);
  };

  return {
    take(at, request) {
      requireFormat(number(least.get() ?? {}, 'least'));
      freeLost(at, request);
      const jobs = due.all(at.monotonic, request.limit).map((found): LeasedJob => {
        const until = at.monotonic + request.leaseFor;
        const row = hold.get(request.holder, until, at.monotonic, number(found, 'seq')) ?? {};
        const lastPosition = number(row, 'last_position');
        return {
          lease: { job: String(number(row, 'seq')), token: number(row, 'token') },
          source: text(row, 'source'),
          key: textOrNull(row, 'key'),
          events: eventsOf(at, number(row, 'seq'), lastPosition - MAX_JOB_EVENTS, true),
          lastPosition,
          isSettled: row['settled_by'] !== null,
        };
      });
      return { jobs, nextIn: nextIn(at, request.holder) };
    },
    events(at, lease, afterPosition) {
      const job = heldJob(lease);
      if (job === null) return null;
      see.run(job.seq);
      return eventsOf(at, job.seq, afterPosition, false);
    },
    renew({ monotonic }, lease, leaseFor) {
      const job = heldJob(lease);
      if (job !== null) extend.run(monotonic + leaseFor, monotonic, job.seq);
      return job !== null;
    },
    begin(_at, lease, id) {
      const job = heldJob(lease);
      return job === null ? null : beginEvent(job, id);
    },
    finish(at, lease, results, next) {
      const job = heldJob(lease);
      if (job === null) return { isHeld: false, lastPosition: 0, body: null };
      for (const outcome of results) apply(at, job, outcome);
      return { isHeld: true, lastPosition: job.lastPosition, body: goOn(at, job, next) };
    },
  };
}

/**
 * Returns a function that reads the events of a job after a position, and earlier ones that are not
 * handled.
 */
function readingEvents(
  database: Database,
): (at: Moment, job: number, after: number, withEarlier: boolean) => readonly JobEvent[] {
  const earlier = database.prepare(
    `SELECT ${JOB_EVENT} FROM hookproof_events WHERE job = ? AND position <= ? AND state <> 'handled'
     ORDER BY position`,
  );
  const later = database.prepare(
    `SELECT ${JOB_EVENT} FROM hookproof_events WHERE job = ? AND position > ? ORDER BY position`,
  );
  return (at, job, after, withEarlier) => {
    const first = withEarlier && after > 0 ? earlier.all(job, after) : [];
    return [...first, ...later.all(job, after)].map((row) => jobEventAt(at, row));
  };
}

/**
 * Returns a function that says how long it is until a job is due or a lease of another holder
 * expires.
 */
function lookingAhead(database: Database): (at: Moment, holder: string) => number | null {
  const free = database.prepare(
    'SELECT min(due) AS next FROM hookproof_jobs WHERE holder IS NULL AND due IS NOT NULL',
  );
  const leased = database.prepare(
    'SELECT min(until) AS next FROM hookproof_jobs WHERE holder IS NOT NULL AND holder <> ?',
  );
  return ({ monotonic }, holder) => {
    const times = [free.get(), leased.get(holder)].map((row) => numberOrNull(row ?? {}, 'next'));
    const next = Math.min(...times.map((time) => time ?? Infinity));
    return next === Infinity ? null : Math.max(next - monotonic, 0);
  };
}

/**
 * Frees jobs that this holder does not handle, and those of others that are gone or whose lease has
 * expired.
 */
function freeingLostJobs(database: Database): (at: Moment, request: TakeRequest) => void {
  const leased = database.prepare(
    'SELECT seq, holder, until, begun FROM hookproof_jobs WHERE holder IS NOT NULL',
  );
  const free = database.prepare(
    `UPDATE hookproof_jobs SET holder = NULL, begun = NULL, until = NULL, due = ?1, stamp = ?1
     WHERE seq = ?2`,
  );
  const crash = database.prepare(
    `UPDATE hookproof_events SET crashes = crashes + 1, retry_at = ?1, failed_at = ?1
     WHERE seq = ?2 AND state = 'open'`,
  );
  const isGone = seeingGoneHolders();
  return ({ monotonic }, { holder, inHand }) => {
    // A holder can have many jobs.
    const gone = new Map<string, boolean>();
    const isHolderGone = (name: string): boolean => {
      const found = gone.get(name) ?? isGone(name);
      gone.set(name, found);
      return found;
    };
    const isLost = (row: SqlRow): boolean =>
      row['holder'] === holder
        ? !inHand.includes(String(row['seq']))
        : number(row, 'until') <= monotonic || isHolderGone(text(row, 'holder'));
    for (const row of leased.all().filter(isLost)) {
      if (row['holder'] !== holder) crash.run(monotonic, numberOrNull(row, 'begun'));
      free.run(monotonic, number(row, 'seq'));
    }
  };
}
