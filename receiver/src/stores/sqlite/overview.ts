import type {
  DeadLetter,
  DeadLetterPage,
  OpenEventPage,
  StoredEvent,
  StoredOpenEvent,
  StoreStats,
  TakeRequest,
} from '../store.ts';
import { pageOf } from '../page.ts';
import type { Database, SqlRow } from './driver.ts';
import type { Moment } from './moment.ts';
import {
  ageOf,
  edgeOrNull,
  numberIn,
  numberOrNull,
  reasonOrNull,
  runIdOf,
  state,
  text,
  textOrNull,
} from './rows.ts';
import type { Totals } from './totals.ts';

/** What people and the scheduler ask about the whole store. */
export interface Overview {
  stats(at: Moment): StoreStats;
  inspect(id: string): StoredEvent | null;
  openEvents(at: Moment, page: { readonly after: number; readonly limit: number }): OpenEventPage;
  deadLetters(page: { readonly after: number; readonly limit: number }): DeadLetterPage;
  nextDueIn(at: Moment, request: Pick<TakeRequest, 'holder' | 'inHand'>): number | null;
}

export function openOverview(database: Database, totals: Totals): Overview {
  const jobs = database.prepare(
    `SELECT
       (SELECT count(*) FROM hookproof_jobs WHERE holder IS NULL AND due IS NOT NULL AND due <= ?1)
       + (SELECT count(*) FROM hookproof_jobs WHERE holder IS NOT NULL AND until <= ?1) AS due,
       (SELECT count(*) FROM hookproof_jobs WHERE holder IS NOT NULL AND until > ?1) AS in_hand`,
  );
  // Only open events and dead letters have a body, so this walks over the dead letters at most.
  const oldest = database.prepare(
    `SELECT e.received_at, e.accepted_at FROM hookproof_bodies b CROSS JOIN hookproof_events e ON e.seq = b.event
     WHERE e.state = 'open' ORDER BY b.event LIMIT 1`,
  );
  const columns = 'e.*, j.name FROM hookproof_events e JOIN hookproof_jobs j ON j.seq = e.job';
  const one = database.prepare(`SELECT ${columns} WHERE e.id = ?`);
  // By the table of bodies, as above.
  const open = database.prepare(
    `SELECT e.*, j.name, j.due, j.until FROM hookproof_bodies b
     CROSS JOIN hookproof_events e ON e.seq = b.event JOIN hookproof_jobs j ON j.seq = e.job
     WHERE b.event > ? AND e.state = 'open' ORDER BY b.event LIMIT ?`,
  );
  const dead = database.prepare(
    `SELECT ${columns} WHERE e.state = 'dead' AND e.seq > ? ORDER BY e.seq LIMIT ?`,
  );

  return {
    stats(at) {
      const row = jobs.get(at.monotonic) ?? {};
      const first = oldest.get();
      return {
        ...totals.read(),
        due: numberIn(row, 'due'),
        inHand: numberIn(row, 'in_hand'),
        oldestOpen: first === undefined ? null : ageOf(at, first),
      };
    },
    inspect(id) {
      const row = one.get(id);
      return row === undefined ? null : storedEvent(row);
    },
    openEvents: (at, { after, limit }) =>
      pageOf(open.all(after, limit + 1), limit, { itemOf: (row) => openEvent(at, row), cursorOf }),
    deadLetters: ({ after, limit }) =>
      pageOf(dead.all(after, limit + 1), limit, { itemOf: deadLetter, cursorOf }),
    nextDueIn: nextDueIn(database),
  };
}

/** Jobs in hand of this holder are its own matter. Its other jobs can be taken now. */
function nextDueIn(database: Database): Overview['nextDueIn'] {
  const free = database.prepare(
    'SELECT min(due) AS next FROM hookproof_jobs WHERE holder IS NULL AND due IS NOT NULL',
  );
  const leased = database.prepare(
    'SELECT name, holder, until FROM hookproof_jobs WHERE holder IS NOT NULL ORDER BY until',
  );
  return ({ monotonic }, { holder, inHand }) => {
    const times = [numberOrNull(free.get() ?? { next: null }, 'next') ?? Infinity];
    for (const row of leased.all()) {
      if (text(row, 'holder') !== holder) times.push(numberIn(row, 'until'));
      else if (!inHand.includes(text(row, 'name'))) times.push(monotonic);
    }
    const next = Math.min(...times);
    return next === Infinity ? null : Math.max(next - monotonic, 0);
  };
}

function cursorOf(last: SqlRow): string {
  return String(numberIn(last, 'seq'));
}

function openEvent({ monotonic }: Moment, row: SqlRow): StoredOpenEvent {
  const [until, due] = [numberOrNull(row, 'until'), numberOrNull(row, 'due')];
  return {
    ...storedEvent(row),
    leasedFor: until === null ? null : Math.max(until - monotonic, 0),
    dueIn: until !== null || due === null ? null : Math.max(due - monotonic, 0),
  };
}

function storedEvent(row: SqlRow): StoredEvent {
  return {
    id: text(row, 'id'),
    runId: runIdOf(text(row, 'name')),
    state: state(row),
    receivedAt: numberIn(row, 'received_at'),
    attempts: numberIn(row, 'attempts'),
    edge: edgeOrNull(row),
    error: textOrNull(row, 'error'),
    reason: reasonOrNull(row),
  };
}

function deadLetter(row: SqlRow): DeadLetter {
  return {
    id: text(row, 'id'),
    runId: runIdOf(text(row, 'name')),
    reason: reasonOrNull(row) ?? 'handler_failed',
    error: text(row, 'error'),
    receivedAt: numberIn(row, 'received_at'),
    attempts: numberIn(row, 'attempts'),
  };
}
