import { cursorNumber, pageOf } from '../page.ts';
import { eventRecord, isTrue, number, numberOrNull, text, textOrNull } from '../rows.ts';
import { COUNTED_HOURS, MAX_COUNTED_EVENTS, MAX_JOB_EVENTS } from '../store.ts';
import type {
  EventFilter,
  EventRecord,
  HourCounts,
  KeyRecord,
  ListRequest,
  Page,
  PageRequest,
  StoreStats,
} from '../store.ts';
import type { Query, SqlRow } from './driver.ts';
import { bytesOrNull, columns, epoch, milliseconds, NOW } from './rows.ts';
import { joined, whereOf } from './where.ts';

/** What people read of an event `e` with its job `j` and its body `b`. */
const RECORD = columns({
  event: 'e.event',
  source: 'e.source',
  id: 'e.id',
  key: 'j.key',
  owner: 'j.owner',
  type: 'e.type',
  handler: 'e.handler',
  facts: 'e.facts',
  state: 'e.state',
  received_at: epoch('e.received_at'),
  handled_at: epoch('e.handled_at'),
  attempts: 'e.attempts',
  first_failed_at: epoch('e.first_failed_at'),
  failures: 'e.failures',
  crashes: 'e.crashes',
  error: 'e.error',
  reason: 'e.reason',
  is_replay: 'e.is_replay',
  kept_until: epoch('b.until'),
  is_leased: 'j.holder IS NOT NULL',
  due_in: milliseconds(`j.due_at - ${NOW}`),
});

const HOURS = ['at', 'handled', 'failed'];
const STATS = ['open', 'retrying', 'dead', 'due', 'in_hand', 'oldest_open'];

/** The operations with which people look. */
export class Reading {
  readonly #query: Query;
  readonly #schema: string;

  constructor(query: Query, schema: string) {
    this.#query = query;
    this.#schema = schema;
  }

  async stats(): Promise<StoreStats> {
    const { rows } = await this.#query(statsStatement(this.#schema), [], STATS);
    const row = rows[0] ?? {};
    return {
      open: number(row, 'open'),
      retrying: number(row, 'retrying'),
      due: number(row, 'due'),
      inHand: number(row, 'in_hand'),
      dead: number(row, 'dead'),
      oldestOpen: numberOrNull(row, 'oldest_open'),
    };
  }

  async byHour(): Promise<readonly HourCounts[]> {
    const { rows } = await this.#query(hoursStatement(this.#schema), [], HOURS);
    return rows.map((row) => ({
      at: number(row, 'at'),
      handled: number(row, 'handled'),
      failed: number(row, 'failed'),
    }));
  }

  async list(
    filter: EventFilter,
    { after, limit, newestFirst = false }: ListRequest,
  ): Promise<Page<EventRecord>> {
    const { where, values } = whereOf(filter);
    const next = values.length + 1;
    const [beyond, order] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
    const start = cursorNumber(after) ?? (newestFirst ? MAX_NUMBER : 0);
    const { rows } = await this.#query(
      `SELECT ${RECORD.list} FROM ${joined(this.#schema)}
       WHERE ${where} AND e.event ${beyond} ($${next}::text)::bigint
       ORDER BY e.event ${order} LIMIT ($${next + 1}::text)::int`,
      [...values, String(start), String(limit + 1)],
      RECORD.names,
    );
    return pageOf(rows, limit, { itemOf: recordOf, cursorOf: (row) => text(row, 'event') });
  }

  async keys(
    source: string,
    owner: string | null,
    { after, limit }: PageRequest,
  ): Promise<Page<KeyRecord>> {
    const { rows } = await this.#query(
      keysStatement(this.#schema, owner !== null),
      [
        String(cursorNumber(after) ?? MAX_NUMBER),
        String(limit + 1),
        source,
        ...(owner === null ? [] : [owner]),
      ],
      KEY.names,
    );
    return pageOf(rows, limit, { itemOf: keyRecord, cursorOf: (row) => text(row, 'job') });
  }

  async body(source: string, id: string): Promise<Uint8Array | null> {
    const { rows } = await this.#query(
      `SELECT encode(b.body, 'base64') FROM ${this.#schema}.events e
       JOIN ${this.#schema}.bodies b ON b.event = e.event WHERE e.id = $1 AND e.source = $2`,
      [id, source],
      ['body'],
    );
    return bytesOrNull(rows[0] ?? {}, 'body');
  }

  async paused(): Promise<readonly string[]> {
    const { rows } = await this.#query(
      `SELECT name FROM ${this.#schema}.pauses ORDER BY name`,
      [],
      ['name'],
    );
    return rows.map((row) => text(row, 'name'));
  }
}

/** A number above that of each job. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

const KEY = columns({
  job: 'j.job',
  source: 'j.source',
  key: 'j.key',
  owner: 'j.owner',
  last_position: 'j.last_position',
  open: 'e.open',
  dead: 'e.dead',
  received_at: epoch('e.received_at'),
  events: 'e.events',
});

/** Jobs of source `$3` before `$1`, the newest first, at most `$2`, of owner `$4`. */
function keysStatement(schema: string, isOfOwner: boolean): string {
  return `
    SELECT ${KEY.list} FROM (
      SELECT * FROM ${schema}.jobs
      WHERE key IS NOT NULL AND job < ($1::text)::bigint AND source = $3 ${isOfOwner ? 'AND owner = $4' : ''}
      ORDER BY job DESC LIMIT ($2::text)::int
    ) j CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 'open') AS open, count(*) FILTER (WHERE state = 'dead') AS dead,
        min(received_at) AS received_at,
        json_agg(json_build_object('id', id, 'facts', facts) ORDER BY position)
          FILTER (WHERE position > j.last_position - ${MAX_JOB_EVENTS}) AS events
      FROM ${schema}.events WHERE job = j.job OFFSET 0
    ) e ORDER BY j.job DESC`;
}

function statsStatement(schema: string): string {
  const bodies = `${schema}.bodies WHERE state`;
  const jobs = `${schema}.jobs WHERE holder IS`;
  return `
    SELECT (SELECT count(*) FROM ${bodies} IN ('open', 'retrying')),
      (SELECT count(*) FROM ${bodies} = 'retrying'),
      (SELECT count(*) FROM ${bodies} = 'dead'),
      (SELECT count(*) FROM ${jobs} NULL AND due_at <= ${NOW})
        + (SELECT count(*) FROM ${jobs} NOT NULL AND due_at <= ${NOW}),
      (SELECT count(*) FROM ${jobs} NOT NULL AND due_at > ${NOW}),
      (SELECT ${milliseconds(`${NOW} - received_at`)} FROM ${schema}.events
       WHERE event = (SELECT min(event) FROM ${bodies} IN ('open', 'retrying')))`;
}

function hoursStatement(schema: string): string {
  const last = `date_trunc('hour', ${NOW}, 'UTC')`;
  const hour = `interval '1 hour'`;
  return `
    WITH newest AS (
      SELECT handled_at, failures FROM ${schema}.events ORDER BY event DESC LIMIT ${MAX_COUNTED_EVENTS}
    ), done AS (
      SELECT handled_at AS at, true AS is_handled FROM newest WHERE handled_at IS NOT NULL
      UNION ALL
      SELECT to_timestamp((failure ->> 'at')::float8 / 1000), false
      FROM newest, jsonb_array_elements(failures) failure WHERE failures <> '[]'
    )
    SELECT ${epoch('start')}, count(*) FILTER (WHERE is_handled), count(*) FILTER (WHERE NOT is_handled)
    FROM generate_series(${last} - ${COUNTED_HOURS - 1} * ${hour}, ${last}, ${hour}) start
    LEFT JOIN done ON at >= start AND at < start + ${hour} GROUP BY start ORDER BY start`;
}

function recordOf(row: SqlRow): EventRecord {
  const dueIn = numberOrNull(row, 'due_in');
  const left = dueIn === null ? null : Math.max(dueIn, 0);
  const isLeased = isTrue(row, 'is_leased');
  return eventRecord(row, { leasedFor: isLeased ? left : null, dueIn: isLeased ? null : left });
}

function keyRecord(row: SqlRow): KeyRecord {
  const [open, dead] = [number(row, 'open'), number(row, 'dead')];
  const events: KeyRecord['events'] = JSON.parse(text(row, 'events'));
  return {
    source: text(row, 'source'),
    key: text(row, 'key'),
    owner: textOrNull(row, 'owner'),
    open,
    dead,
    handled: number(row, 'last_position') - open - dead,
    receivedAt: number(row, 'received_at'),
    events,
  };
}
