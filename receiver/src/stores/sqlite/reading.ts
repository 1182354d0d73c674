import { bodiesFor } from '../first-bodies.ts';
import { MAX_EVENTS, MAX_SETTLED_BEFORE } from '../store.ts';
import type { JobEvents, KnownEvent, LeasedJob, OpenEvent } from '../store.ts';
import type { Database, SqlRow, Statement } from './driver.ts';
import type { HeldJob } from './leases.ts';
import type { Moment } from './moment.ts';
import { ageOf, arrival, bytes, edgeOrNull, numberIn, numberOrNull, state, text } from './rows.ts';

/** Reads the events of jobs. */
export interface JobReader {
  /** Returns what a lease comes with. */
  first(at: Moment, job: HeldJob): FirstEvents;
  /** Returns the first events that wait after a place. */
  waiting(at: Moment, job: HeldJob, afterPlace: string): JobEvents;
  /** Returns the first events after a position. */
  news(at: Moment, job: HeldJob, afterPosition: number): JobEvents;
  /** Returns the events around a place, up to a number on each side. */
  near(job: HeldJob, place: string, limit: number): readonly KnownEvent[];
  /** Reads bodies of open events; an id that is not open in this job is left out. */
  bodies(job: HeldJob, ids: readonly string[]): ReadonlyMap<string, Uint8Array>;
  history(runId: string): readonly KnownEvent[];
}

type FirstEvents = Pick<LeasedJob, 'open' | 'known' | 'hasMoreBefore' | 'hasMoreAfter'>;

/** The columns of `KnownEvent`. */
const KNOWN = 'id, position, place, state, previous_status, current_status, created_at';

export function openJobReader(database: Database): JobReader {
  const events = (which: string): Statement =>
    database.prepare(
      `SELECT ${KNOWN}, seq, received_at, accepted_at, retry_at, failed_at, attempts, crashes,
         is_replay, arrival,
         CASE WHEN state = 'open' THEN (SELECT length(body) FROM hookproof_bodies WHERE event = seq)
         END AS body_length
       FROM hookproof_events WHERE job = ? AND ${which} LIMIT ${MAX_EVENTS + 1}`,
    );
  const firstWaiting = events("state <> 'settled' ORDER BY place");
  const waitingAfter = events("state <> 'settled' AND place > ? ORDER BY place");
  const news = events('position > ? ORDER BY position');
  const before = database.prepare(
    `SELECT ${KNOWN} FROM hookproof_events WHERE job = ? AND place < ?
     ORDER BY place DESC LIMIT ?`,
  );
  const from = database.prepare(
    `SELECT ${KNOWN} FROM hookproof_events WHERE job = ? AND place >= ?
     ORDER BY place LIMIT ?`,
  );
  const body = database.prepare('SELECT body FROM hookproof_bodies WHERE event = ?');
  const bodyOfOpen = database.prepare(
    `SELECT b.body FROM hookproof_events e JOIN hookproof_bodies b ON b.event = e.seq
     WHERE e.id = ? AND e.job = ? AND e.state = 'open'`,
  );
  const ofRun = database.prepare(
    `SELECT ${KNOWN} FROM hookproof_events
     WHERE job = (SELECT seq FROM hookproof_jobs WHERE run_id = ?) ORDER BY position`,
  );

  const page = (at: Moment, found: readonly SqlRow[]): JobEvents => {
    const rows = found.slice(0, MAX_EVENTS);
    const open = rows.filter((row) => state(row) === 'open');
    const withBody = bodiesFor(open.map((row) => numberIn(row, 'body_length')));
    return {
      open: open.map((row, index) => {
        const stored = index < withBody ? body.get(numberIn(row, 'seq')) : undefined;
        return openEvent(at, row, stored === undefined ? null : bytes(stored, 'body'));
      }),
      known: knownEvents(rows),
      hasMoreAfter: found.length > rows.length,
    };
  };

  return {
    first(at, job) {
      const rows = firstWaiting.all(job.seq);
      const [next] = rows;
      const place = next === undefined ? '~' : text(next, 'place');
      const settled = before.all(job.seq, place, MAX_SETTLED_BEFORE + 1);
      const waiting = page(at, rows);
      const shown = settled.slice(0, MAX_SETTLED_BEFORE).toReversed();
      return {
        ...waiting,
        known: [...knownEvents(shown), ...waiting.known],
        hasMoreBefore: settled.length > MAX_SETTLED_BEFORE,
      };
    },
    waiting: (at, job, afterPlace) => page(at, waitingAfter.all(job.seq, afterPlace)),
    news: (at, job, afterPosition) => page(at, news.all(job.seq, afterPosition)),
    near(job, place, limit) {
      const earlier = before.all(job.seq, place, limit).toReversed();
      return knownEvents([...earlier, ...from.all(job.seq, place, limit)]);
    },
    bodies(job, ids) {
      const found = new Map<string, Uint8Array>();
      for (const id of ids) {
        const row = bodyOfOpen.get(id, job.seq);
        if (row !== undefined) found.set(id, bytes(row, 'body'));
      }
      return found;
    },
    history: (runId) => knownEvents(ofRun.all(runId)),
  };
}

function openEvent(at: Moment, row: SqlRow, body: Uint8Array | null): OpenEvent {
  return {
    id: text(row, 'id'),
    position: numberIn(row, 'position'),
    body,
    age: ageOf(at, row),
    dueIn: dueIn(at, row),
    attempts: numberIn(row, 'attempts'),
    crashes: numberIn(row, 'crashes'),
    isReplay: numberIn(row, 'is_replay') === 1,
    arrival: arrival(row),
  };
}

/** A failure from before a restart of the machine, whose clock began again, delays nothing. */
function dueIn({ monotonic }: Moment, row: SqlRow): number {
  const failedAt = numberOrNull(row, 'failed_at');
  const retryAt = numberOrNull(row, 'retry_at');
  return failedAt === null || retryAt === null || failedAt > monotonic ? 0 : retryAt - monotonic;
}

function knownEvents(rows: readonly SqlRow[]): readonly KnownEvent[] {
  const known: KnownEvent[] = [];
  for (const row of rows) {
    const edge = edgeOrNull(row);
    if (edge !== null) known.push({ edge, state: state(row), position: numberIn(row, 'position') });
  }
  return known;
}
