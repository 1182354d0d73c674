import { bodiesFor } from '../first-bodies.ts';
import type { KnownEvent, OpenEvent, JobEvents } from '../store.ts';
import type { Database, SqlRow } from './driver.ts';
import type { HeldJob } from './leases.ts';
import type { Moment } from './moment.ts';
import { ageOf, bytes, edgeOrNull, numberIn, numberOrNull, runJob, state, text } from './rows.ts';

/** Reads the events of jobs. */
export interface JobReader {
  events(at: Moment, job: HeldJob, afterPosition: number): JobEvents;
  /** Reads bodies of open events; an id that is not open in this job is left out. */
  bodies(job: HeldJob, ids: readonly string[]): ReadonlyMap<string, Uint8Array>;
  history(runId: string): readonly KnownEvent[];
}

/** The columns of `KnownEvent`. The digest stays out: each blob costs more than all other columns. */
const KNOWN = 'id, position, state, previous_status, current_status, created_at';

export function openJobReader(database: Database): JobReader {
  const events = database.prepare(
    `SELECT ${KNOWN}, seq, received_at, accepted_at, retry_at, failed_at, attempts, crashes,
       CASE WHEN state = 'open' THEN (SELECT length(body) FROM hookproof_bodies WHERE event = seq)
       END AS body_length
     FROM hookproof_events WHERE job = ? AND position > ? ORDER BY position`,
  );
  const body = database.prepare('SELECT body FROM hookproof_bodies WHERE event = ?');
  const bodyOfOpen = database.prepare(
    `SELECT b.body FROM hookproof_events e JOIN hookproof_bodies b ON b.event = e.seq
     WHERE e.id = ? AND e.job = ? AND e.state = 'open'`,
  );
  const ofRun = database.prepare(
    `SELECT ${KNOWN} FROM hookproof_events
     WHERE job = (SELECT seq FROM hookproof_jobs WHERE name = ?) ORDER BY position`,
  );

  return {
    events(at, job, afterPosition) {
      const rows = events.all(job.seq, afterPosition);
      const open = rows.filter((row) => state(row) === 'open');
      const withBody = bodiesFor(open.map((row) => numberIn(row, 'body_length')));
      return {
        open: open.map((row, index) => {
          const stored = index < withBody ? body.get(numberIn(row, 'seq')) : undefined;
          return openEvent(at, row, stored === undefined ? null : bytes(stored, 'body'));
        }),
        known: knownEvents(rows),
      };
    },
    bodies(job, ids) {
      const found = new Map<string, Uint8Array>();
      for (const id of ids) {
        const row = bodyOfOpen.get(id, job.seq);
        if (row !== undefined) found.set(id, bytes(row, 'body'));
      }
      return found;
    },
    history: (runId) => knownEvents(ofRun.all(runJob(runId))),
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
