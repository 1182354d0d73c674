import { everyHour, firstHour } from '../hours.ts';
import { cursorNumber, pageOf } from '../page.ts';
import { number, numberOrNull, text, textOrNull } from '../rows.ts';
import { MAX_COUNTED_EVENTS, MAX_JOB_EVENTS } from '../store.ts';
import type { KeyRecord } from '../store.ts';
import { conditionOf } from './choosing.ts';
import type { Database, SqlRow } from './driver.ts';
import type { Operations } from './operations.ts';
import { ageOf, bytes, recordAt, RECORDS } from './rows.ts';

/** Returns what only reads, for people. */
export function looking(
  database: Database,
): Pick<Operations, 'stats' | 'byHour' | 'list' | 'keys' | 'body' | 'paused'> {
  const jobs = database.prepare(
    `SELECT
       (SELECT count(*) FROM hookproof_jobs WHERE holder IS NULL AND due IS NOT NULL AND due <= ?1)
       + (SELECT count(*) FROM hookproof_jobs WHERE holder IS NOT NULL AND until <= ?1) AS due,
       (SELECT count(*) FROM hookproof_jobs WHERE holder IS NOT NULL AND until > ?1) AS in_hand`,
  );
  const events = database.prepare(
    `SELECT count(*) AS open, sum(attempts > 0) AS retrying,
       (SELECT count(*) ${unhandled('dead')}) AS dead ${unhandled('open')}`,
  );
  const oldest = database.prepare(
    `SELECT received_at, accepted_at ${unhandled('open')} ORDER BY seq LIMIT 1`,
  );
  const body = database.prepare(
    `SELECT b.body FROM hookproof_events e CROSS JOIN hookproof_bodies b ON b.event = e.seq
     WHERE e.source = ? AND e.id = ?`,
  );
  const hours = database.prepare(
    `WITH newest AS (
       SELECT handled_at, failures FROM hookproof_events ORDER BY seq DESC LIMIT ${MAX_COUNTED_EVENTS}
     )
     SELECT at / 3600000 * 3600000 AS at, sum(is_handled) AS handled, sum(NOT is_handled) AS failed FROM (
       SELECT handled_at AS at, 1 AS is_handled FROM newest WHERE handled_at IS NOT NULL
       UNION ALL
       SELECT CAST(json_extract(f.value, '$.at') AS INTEGER), 0 FROM newest, json_each(failures) f
       WHERE failures IS NOT NULL
     ) WHERE at >= ? GROUP BY 1 ORDER BY 1`,
  );
  const paused = database.prepare('SELECT name FROM hookproof_pauses ORDER BY name');

  return {
    stats(at) {
      const [byJob, byEvent, first] = [jobs.get(at.monotonic), events.get(), oldest.get()];
      return {
        open: number(byEvent ?? {}, 'open'),
        retrying: numberOrNull(byEvent ?? {}, 'retrying') ?? 0,
        due: number(byJob ?? {}, 'due'),
        inHand: number(byJob ?? {}, 'in_hand'),
        dead: number(byEvent ?? {}, 'dead'),
        oldestOpen: first === undefined ? null : ageOf(at, first),
      };
    },
    byHour({ wall }) {
      const counted = hours.all(firstHour(wall)).map((row) => ({
        at: number(row, 'at'),
        handled: number(row, 'handled'),
        failed: number(row, 'failed'),
      }));
      return everyHour(wall, counted);
    },
    list(at, filter, { after, limit, newestFirst = false }) {
      const where = conditionOf(filter);
      // Without the plus, SQLite walks over all events in their order instead of the few with these
      // ids or this key.
      const seq = filter.ids === undefined && filter.key === undefined ? 'e.seq' : '+e.seq';
      const [beyond, order] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
      const start = cursorNumber(after) ?? (newestFirst ? Number.MAX_SAFE_INTEGER : 0);
      const rows = database
        .prepare(
          `${RECORDS} WHERE ${where.text} AND ${seq} ${beyond} ? ORDER BY ${seq} ${order} LIMIT ?`,
        )
        .all(...where.values, start, limit + 1);
      return pageOf(rows, limit, { itemOf: (row) => recordAt(at, row), cursorOf });
    },
    keys: listingKeys(database),
    body(_at, source, id) {
      const row = body.get(source, id);
      return row === undefined ? null : bytes(row, 'body');
    },
    paused: () => paused.all().map((row) => text(row, 'name')),
  };
}

/** The index of what is not handled has the first condition. */
function unhandled(state: 'open' | 'dead'): string {
  return `FROM hookproof_events WHERE state <> 'handled' AND state = '${state}'`;
}

function listingKeys(database: Database): Operations['keys'] {
  const list = (condition: string) =>
    database.prepare(
      `SELECT seq, source, key, owner, last_position, unhandled,
         (SELECT received_at FROM hookproof_events WHERE job = j.seq AND position = 1) AS received_at,
         (SELECT count(*) FROM hookproof_events WHERE job = j.seq AND state = 'dead') AS dead
       FROM hookproof_jobs j WHERE key IS NOT NULL AND source = ? AND ${condition} AND seq < ?
       ORDER BY seq DESC LIMIT ?`,
    );
  const all = list('true');
  const ofOwner = list('owner = ?');
  const events = database.prepare(
    'SELECT id, facts FROM hookproof_events WHERE job = ? AND position > ? ORDER BY position',
  );
  const record = (row: SqlRow): KeyRecord => {
    const [dead, open] = [number(row, 'dead'), number(row, 'unhandled')];
    const [seq, last] = [number(row, 'seq'), number(row, 'last_position')];
    return {
      source: text(row, 'source'),
      key: text(row, 'key'),
      owner: textOrNull(row, 'owner'),
      open: open - dead,
      dead,
      handled: last - open,
      receivedAt: number(row, 'received_at'),
      events: events
        .all(seq, last - MAX_JOB_EVENTS)
        .map((event) => ({ id: text(event, 'id'), facts: textOrNull(event, 'facts') })),
    };
  };
  return (_at, source, owner, { after, limit }) => {
    const page = [cursorNumber(after) ?? Number.MAX_SAFE_INTEGER, limit + 1] as const;
    const rows = owner === null ? all.all(source, ...page) : ofOwner.all(source, owner, ...page);
    return pageOf(rows, limit, { itemOf: record, cursorOf });
  };
}

function cursorOf(last: SqlRow): string {
  return String(number(last, 'seq'));
}
