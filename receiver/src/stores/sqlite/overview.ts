import type {
  DeadLetter,
  DeadLetterFilter,
  DeadLetterPage,
  OpenEventPage,
  RunPage,
  StoredEvent,
  StoredOpenEvent,
  StoredRun,
  StoreStats,
  TakeRequest,
} from '../store.ts';
import { FIRST_CONTRADICTION } from '../../order/order-key.ts';
import { pageOf } from '../page.ts';
import { deadLettersAfter } from './dead-letters.ts';
import type { Database, SqlRow } from './driver.ts';
import type { Moment } from './moment.ts';
import {
  ageOf,
  bytes,
  edgeOrNull,
  JOB_NAME,
  numberIn,
  numberOrNull,
  reasonOrNull,
  state,
  text,
  textOrNull,
} from './rows.ts';
import type { Totals } from './totals.ts';

/** What people and the scheduler ask about the whole store. */
export interface Overview {
  stats(at: Moment): StoreStats;
  inspect(id: string): StoredEvent | null;
  openEvents(
    at: Moment,
    page: { readonly after: number; readonly limit: number },
    runId: string | null,
  ): OpenEventPage;
  deadLetters(
    page: { readonly after: number; readonly limit: number },
    filter: DeadLetterFilter,
  ): DeadLetterPage;
  countDead(filter: DeadLetterFilter): number;
  /** Returns runs before a number, the newest first. */
  runs(
    page: { readonly before: number; readonly limit: number },
    automationId: string | null,
  ): RunPage;
  body(id: string): Uint8Array | null;
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
  const one = database.prepare(
    `SELECT e.*, j.run_id, (SELECT until FROM hookproof_kept_bodies WHERE event = e.seq) AS kept_until
     FROM hookproof_events e JOIN hookproof_jobs j ON j.seq = e.job WHERE e.id = ?`,
  );
  const body = database.prepare(
    `SELECT ifnull(b.body, k.body) AS body FROM hookproof_events e
     LEFT JOIN hookproof_bodies b ON b.event = e.seq
     LEFT JOIN hookproof_kept_bodies k ON k.event = e.seq
     WHERE e.id = ?`,
  );
  // By the table of bodies, as above.
  const open = database.prepare(
    `SELECT e.*, j.run_id, j.due, j.until FROM hookproof_bodies b
     CROSS JOIN hookproof_events e ON e.seq = b.event JOIN hookproof_jobs j ON j.seq = e.job
     WHERE b.event > ? AND e.state = 'open' ORDER BY b.event LIMIT ?`,
  );

  const openOf = database.prepare(
    `SELECT e.*, j.run_id, j.due, j.until FROM hookproof_jobs j
     CROSS JOIN hookproof_events e INDEXED BY hookproof_events_waiting ON e.job = j.seq
     WHERE j.run_id = ? AND e.state <> 'settled' AND e.state = 'open' AND e.seq > ?
     ORDER BY e.seq LIMIT ?`,
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
    openEvents(at, { after, limit }, runId) {
      const rows =
        runId === null ? open.all(after, limit + 1) : openOf.all(runId, after, limit + 1);
      return pageOf(rows, limit, { itemOf: (row) => openEvent(at, row), cursorOf });
    },
    deadLetters({ after, limit }, filter) {
      const { text: chosen, values } = deadLettersAfter(after, filter);
      const rows = database
        .prepare(
          `SELECT found.*, j.run_id FROM (SELECT e.* FROM ${chosen} LIMIT ?) found
           JOIN hookproof_jobs j ON j.seq = found.job ORDER BY found.seq`,
        )
        .all(...values, limit + 1);
      return pageOf(rows, limit, { itemOf: deadLetter, cursorOf });
    },
    countDead(filter) {
      const { text: chosen, values } = deadLettersAfter(0, filter);
      const row = database.prepare(`SELECT count(*) AS count FROM ${chosen}`).get(...values);
      return numberIn(row ?? {}, 'count');
    },
    runs: runList(database),
    body(id) {
      const row = body.get(id);
      return row === undefined || row['body'] === null ? null : bytes(row, 'body');
    },
    nextDueIn: nextDueIn(database),
  };
}

function runList(database: Database): Overview['runs'] {
  const columns = `j.seq, j.run_id, j.automation_id, j.last_position, j.unsettled,
    (SELECT f.received_at FROM hookproof_events f WHERE f.job = j.seq AND f.position = 1) AS received_at,
    (SELECT count(*) FROM hookproof_events d
     WHERE d.job = j.seq AND d.state <> 'settled' AND d.state = 'dead') AS dead,
    (SELECT l.current_status FROM hookproof_events l
     WHERE l.job = j.seq AND l.place < '${FIRST_CONTRADICTION}' ORDER BY l.place DESC LIMIT 1) AS status`;
  const all = database.prepare(
    `SELECT ${columns} FROM hookproof_jobs j
     WHERE j.seq < ? AND +j.run_id IS NOT NULL ORDER BY j.seq DESC LIMIT ?`,
  );
  const ofAutomation = database.prepare(
    `SELECT ${columns} FROM hookproof_jobs j INDEXED BY hookproof_jobs_automation
     WHERE j.automation_id = ? AND j.seq < ? ORDER BY j.seq DESC LIMIT ?`,
  );
  return ({ before, limit }, automationId) => {
    const rows =
      automationId === null
        ? all.all(before, limit + 1)
        : ofAutomation.all(automationId, before, limit + 1);
    return pageOf(rows, limit, { itemOf: storedRun, cursorOf });
  };
}

function storedRun(row: SqlRow): StoredRun {
  const [dead, unsettled] = [numberIn(row, 'dead'), numberIn(row, 'unsettled')];
  return {
    runId: text(row, 'run_id'),
    automationId: textOrNull(row, 'automation_id'),
    status: textOrNull(row, 'status'),
    open: unsettled - dead,
    dead,
    settled: numberIn(row, 'last_position') - unsettled,
    receivedAt: numberIn(row, 'received_at'),
  };
}

/** Jobs in hand of this holder are its own matter. Its other jobs can be taken now. */
function nextDueIn(database: Database): Overview['nextDueIn'] {
  const free = database.prepare(
    'SELECT min(due) AS next FROM hookproof_jobs WHERE holder IS NULL AND due IS NOT NULL',
  );
  const leased = database.prepare(
    `SELECT ${JOB_NAME} AS name, holder, until FROM hookproof_jobs
     WHERE holder IS NOT NULL ORDER BY until`,
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
    runId: textOrNull(row, 'run_id'),
    automationId: textOrNull(row, 'automation_id'),
    state: state(row),
    receivedAt: numberIn(row, 'received_at'),
    attempts: numberIn(row, 'attempts'),
    edge: edgeOrNull(row),
    error: textOrNull(row, 'error'),
    reason: reasonOrNull(row),
    isReplay: numberIn(row, 'is_replay') === 1,
    keptUntil: row['kept_until'] === undefined ? null : numberOrNull(row, 'kept_until'),
  };
}

function deadLetter(row: SqlRow): DeadLetter {
  return {
    id: text(row, 'id'),
    runId: textOrNull(row, 'run_id'),
    automationId: textOrNull(row, 'automation_id'),
    reason: reasonOrNull(row) ?? 'handler_failed',
    error: text(row, 'error'),
    receivedAt: numberIn(row, 'received_at'),
    attempts: numberIn(row, 'attempts'),
    crashes: numberIn(row, 'crashes'),
    isReplay: numberIn(row, 'is_replay') === 1,
  };
}
