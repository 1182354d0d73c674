import type {
  DeadLetterFilter,
  DeadLetterPage,
  KnownEvent,
  OpenEventPage,
  PageRequest,
  ReplayFilter,
  RunPage,
  StoredEvent,
  StoreStats,
} from '../store.ts';
import { FIRST_CONTRADICTION } from '../../order/order-key.ts';
import { cursorNumber, pageOf } from '../page.ts';
import { textArray } from './driver.ts';
import type { Query, SqlRow } from './driver.ts';
import { conditionsOf } from './conditions.ts';
import type { Conditions } from './conditions.ts';
import { replayCountStatement, replayStatement } from './replay-statements.ts';
import {
  bytesOrNull,
  deadLetter,
  knownEvent,
  number,
  numberOrNull,
  storedEvent,
  storedOpenEvent,
  storedRun,
  text,
  textOrNull,
} from './rows.ts';

const MAX_REDRIVEN = 1_000;
const MAX_SEEN_JOBS = 2_000;
const MAX_PURGED_BODIES = 1_000;

/** Above this number of events, `stats` reads the planner's estimate. Counting would read every event. */
const MAX_COUNTED = 100_000;

const COLUMNS = `e.id, e.state, e.position, e.attempts, e.crashes, e.previous_status, e.current_status, e.created_at,
  e.automation_id, e.error, e.reason, e.is_replay, e.body::text AS number,
  (extract(epoch FROM e.received_at) * 1000)::float8 AS received_at`;

/** The operations for people, and the purge. */
export class Keeping {
  readonly #query: Query;
  readonly #schema: string;

  constructor(query: Query, schema: string) {
    this.#query = query;
    this.#schema = schema;
  }

  async stats(): Promise<StoreStats> {
    const { rows } = await this.#query(statsStatement(this.#schema), []);
    const row = rows[0] ?? {};
    const open = number(row, 'open');
    const dead = number(row, 'dead');
    return {
      open,
      due: number(row, 'due'),
      inHand: number(row, 'in_hand'),
      dead,
      settled: Math.max(number(row, 'total') - open - dead, 0),
      oldestOpen: numberOrNull(row, 'oldest_open'),
    };
  }

  async inspect(id: string): Promise<StoredEvent | null> {
    const [row] = await this.#events('WHERE e.id = $1', [id]);
    if (row === undefined) return null;
    const { rows } = await this.#query(
      `SELECT (extract(epoch FROM until) * 1000)::float8 AS kept_until
       FROM ${this.#schema}.kept_bodies WHERE id = $1`,
      [id],
    );
    return storedEvent({ ...row, ...rows[0] });
  }

  async history(runId: string): Promise<readonly KnownEvent[]> {
    const rows = await this.#events('WHERE e.job = $1 ORDER BY e.position', [`run:${runId}`]);
    return rows.map(knownEvent).filter((event) => event !== null);
  }

  async deadLetters(
    { after, limit }: PageRequest,
    filter: DeadLetterFilter = {},
  ): Promise<DeadLetterPage> {
    const { condition, values } = deadLettersAfter(after, filter);
    const rows = await this.#events(
      `JOIN ${this.#schema}.bodies b ON b.id = e.id AND b.number = e.body
       WHERE ${condition} ORDER BY b.number LIMIT $${values.length + 1}`,
      [...values, limit + 1],
    );
    return pageOf(rows, limit, { itemOf: deadLetter, cursorOf });
  }

  async runs({ after, limit }: PageRequest, automationId?: string): Promise<RunPage> {
    const before = after === null ? MAX_NUMBER : cursorValue(after);
    const { rows } = await this.#query(runsStatement(this.#schema, automationId !== undefined), [
      before,
      limit + 1,
      ...(automationId === undefined ? [] : [automationId]),
    ]);
    return pageOf(rows, limit, { itemOf: storedRun, cursorOf });
  }

  async body(id: string): Promise<Uint8Array | null> {
    const { rows } = await this.#query(
      `SELECT coalesce(b.body, k.body) AS body FROM ${this.#schema}.events e
       LEFT JOIN ${this.#schema}.bodies b ON b.number = e.body
       LEFT JOIN ${this.#schema}.kept_bodies k ON k.number = e.body
       WHERE e.id = $1`,
      [id],
    );
    return bytesOrNull(rows[0] ?? {}, 'body');
  }

  async openEvents(page: PageRequest, runId?: string): Promise<OpenEventPage> {
    const rows = await this.#events(
      `JOIN ${this.#schema}.bodies b ON b.id = e.id
       WHERE NOT b.is_dead AND b.number > ($1::text)::bigint ${runId === undefined ? '' : 'AND b.job = $3'}
       ORDER BY b.number LIMIT $2`,
      [cursorValue(page.after), page.limit + 1, ...(runId === undefined ? [] : [`run:${runId}`])],
    );
    return pageOf(rows, page.limit, { itemOf: storedOpenEvent, cursorOf });
  }

  async pause(name: string): Promise<void> {
    await this.#query(
      `INSERT INTO ${this.#schema}.pauses (name) VALUES ($1) ON CONFLICT DO NOTHING`,
      [name],
    );
  }

  async resume(name: string): Promise<void> {
    await this.#query(`DELETE FROM ${this.#schema}.pauses WHERE name = $1`, [name]);
  }

  async paused(): Promise<readonly string[]> {
    const { rows } = await this.#query(`SELECT name FROM ${this.#schema}.pauses ORDER BY name`, []);
    return rows.map((row) => text(row, 'name'));
  }

  async redrive(filter: DeadLetterFilter): Promise<number> {
    let count = 0;
    let after: string | null = null;
    do {
      const { condition, values } = deadLettersAfter(after, filter);
      const { rows } = await this.#query(redriveStatement(this.#schema, condition), values);
      count += rows.filter((row) => row['is_opened'] === true).length;
      const last = rows.at(-1);
      after = rows.length < MAX_REDRIVEN || last === undefined ? null : text(last, 'number');
    } while (after !== null);
    return count;
  }

  async replay(filter: ReplayFilter, { dryRun }: { readonly dryRun: boolean }): Promise<number> {
    if (dryRun) {
      const { text: statement, values } = replayCountStatement(this.#schema, filter);
      return number((await this.#query(statement, values)).rows[0] ?? {}, 'count');
    }
    let count = 0;
    for (let after: string | null = ''; after !== null;) {
      const { text: statement, values } = replayStatement(this.#schema, filter, after);
      const [row = {}] = (await this.#query(statement, values)).rows;
      count += number(row, 'count');
      after = textOrNull(row, 'last');
    }
    return count;
  }

  async discard(id: string): Promise<boolean> {
    const { rowCount } = await this.#query(
      `WITH settled AS (
         UPDATE ${this.#schema}.events SET state = 'settled'
         WHERE id = $1 AND state = 'dead' RETURNING body
       )
       DELETE FROM ${this.#schema}.bodies b USING settled WHERE b.number = settled.body`,
      [id],
    );
    return rowCount > 0;
  }

  async purgeBodies(): Promise<void> {
    let count;
    do count = (await this.#query(purgeBodiesStatement(this.#schema), [])).rowCount;
    while (count > 0);
  }

  async purge(olderThan: number): Promise<number> {
    let count = 0;
    let after: string | null = '';
    while (after !== null) {
      const { rows } = await this.#query(purgeStatement(this.#schema), [olderThan, after]);
      count += number(rows[0] ?? {}, 'events');
      after = textOrNull(rows[0] ?? {}, 'last');
    }
    return count;
  }

  async #events(where: string, values: (string | number | null)[]): Promise<readonly SqlRow[]> {
    const { rows } = await this.#query(
      `SELECT ${COLUMNS}, j.run_id, j.holder,
         (extract(epoch FROM j.due_at - statement_timestamp()) * 1000)::float8 AS due_in
       FROM ${this.#schema}.events e
       JOIN ${this.#schema}.jobs j ON j.job = e.job ${where}`,
      values,
    );
    return rows;
  }
}

function cursorOf(last: SqlRow): string {
  return text(last, 'number');
}

/** The cursor of a page is the number of its last body. */
function cursorValue(cursor: string | null): string {
  return String(cursorNumber(cursor) ?? 0);
}

function statsStatement(schema: string): string {
  const table = `'${schema}.events'::regclass`;
  const estimate = `(SELECT reltuples FROM pg_class WHERE oid = ${table})`;
  const oldest = `(SELECT received_at FROM ${schema}.bodies WHERE NOT is_dead ORDER BY number LIMIT 1)`;
  return `
    SELECT bodies.count - dead.count AS open, dead.count AS dead,
      (extract(epoch FROM statement_timestamp() - ${oldest}) * 1000)::float8 AS oldest_open,
      (SELECT count(*) FROM ${schema}.jobs WHERE holder IS NULL AND due_at <= statement_timestamp())
        + (SELECT count(*) FROM ${schema}.jobs
           WHERE holder IS NOT NULL AND due_at <= statement_timestamp()) AS due,
      (SELECT count(*) FROM ${schema}.jobs
       WHERE holder IS NOT NULL AND due_at > statement_timestamp()) AS in_hand,
      CASE WHEN ${estimate} > ${MAX_COUNTED} THEN ${estimate}::bigint
           ELSE (SELECT count(*) FROM ${schema}.events) END AS total
    FROM (SELECT count(*) FROM ${schema}.bodies) AS bodies,
         (SELECT count(*) FROM ${schema}.bodies WHERE is_dead) AS dead`;
}

/** A number above that of each body. */
const MAX_NUMBER = '999999999999999999';

/**
 * Chooses dead letters `e` with their bodies `b` after a cursor: each part but the reason by an index. Join them by id
 * and by number, so that either can be read first.
 */
function deadLettersAfter(
  after: string | null,
  { ids, reason, runId, automationId }: DeadLetterFilter,
): Conditions<string> {
  return conditionsOf([
    ['b.is_dead AND b.number > (?::text)::bigint', cursorValue(after)],
    ['e.id = ANY ((?::text)::text[])', ids && textArray(ids)],
    ['b.job = ?', runId === undefined ? undefined : `run:${runId}`],
    ['b.automation_id = ?', automationId],
    ['e.reason = ?', reason],
  ]);
}

/** Runs before body `$1`, the newest first, at most `$2`, of automation `$3`. */
function runsStatement(schema: string, isOfAutomation: boolean): string {
  const wanted = isOfAutomation ? 'f.automation_id = $3' : "f.place <> ''";
  const waiting = (isDead: boolean): string =>
    `(SELECT count(*) FROM ${schema}.bodies b WHERE b.job = f.job AND ${isDead ? '' : 'NOT '}b.is_dead)`;
  return `
    SELECT j.run_id, j.last_position, f.automation_id, f.body::text AS number,
      (extract(epoch FROM f.received_at) * 1000)::float8 AS received_at,
      ${waiting(false)} AS open, ${waiting(true)} AS dead,
      (SELECT l.current_status FROM ${schema}.events l
       WHERE l.job = f.job AND l.place <> '' AND l.place < '${FIRST_CONTRADICTION}'
       ORDER BY l.place DESC LIMIT 1) AS status
    FROM (SELECT * FROM ${schema}.events f
          WHERE f.position = 1 AND ${wanted} AND f.body < ($1::text)::bigint
          ORDER BY f.body DESC LIMIT $2) f
    JOIN ${schema}.jobs j ON j.job = f.job ORDER BY f.body DESC`;
}

/** Jobs are locked in the order of their names and before their events, as everywhere. */
function redriveStatement(schema: string, condition: string): string {
  return `
    WITH chosen AS MATERIALIZED (
      SELECT e.id, e.job, b.number FROM ${schema}.bodies b
      JOIN ${schema}.events e ON e.id = b.id AND e.body = b.number
      WHERE ${condition}
      ORDER BY b.number LIMIT ${MAX_REDRIVEN}
    ), locked AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE job IN (SELECT job FROM chosen)
      ORDER BY job FOR UPDATE
    ), opened AS (
      UPDATE ${schema}.events e SET state = 'open', attempts = 0, crashes = 0, due_at = NULL
      FROM chosen c JOIN locked l ON l.job = c.job
      WHERE e.id = c.id AND e.state = 'dead' RETURNING e.id, e.job, e.body
    ), revived AS (
      UPDATE ${schema}.bodies b SET is_dead = false FROM opened o WHERE b.number = o.body
    ), woken AS (
      UPDATE ${schema}.jobs j SET
        is_due_again = j.holder IS NOT NULL,
        due_at = CASE WHEN j.holder IS NULL THEN statement_timestamp() ELSE j.due_at END
      WHERE j.job IN (SELECT job FROM opened)
    )
    SELECT c.number::text AS number, o.id IS NOT NULL AS is_opened
    FROM chosen c LEFT JOIN opened o ON o.id = c.id ORDER BY c.number`;
}

/** Deletes some bodies whose time is over. */
function purgeBodiesStatement(schema: string): string {
  return `
    DELETE FROM ${schema}.kept_bodies WHERE number IN (
      SELECT number FROM ${schema}.kept_bodies WHERE until <= statement_timestamp()
      ORDER BY until LIMIT ${MAX_PURGED_BODIES} FOR UPDATE SKIP LOCKED)`;
}

/** Looks at some jobs after `$2`, and returns the name of the last one; null at the end. */
function purgeStatement(schema: string): string {
  return `
    WITH seen AS MATERIALIZED (
      SELECT job, last_at FROM ${schema}.jobs WHERE job > $2 ORDER BY job LIMIT ${MAX_SEEN_JOBS}
    ), old AS MATERIALIZED (
      SELECT j.job FROM ${schema}.jobs j
      WHERE j.job IN (
          SELECT s.job FROM seen s
          WHERE s.last_at < statement_timestamp() - $1::float8 * interval '1 millisecond')
        AND j.last_at < statement_timestamp() - $1::float8 * interval '1 millisecond'
        AND j.holder IS NULL
        -- A replay that ends while this waits for the row makes the job due.
        AND j.due_at IS NULL
        AND NOT EXISTS (
          SELECT FROM ${schema}.events e WHERE e.job = j.job AND e.state <> 'settled')
      FOR UPDATE SKIP LOCKED
    ), events AS (
      DELETE FROM ${schema}.events e USING old WHERE e.job = old.job RETURNING e.id, e.body
    ), bodies AS (
      DELETE FROM ${schema}.kept_bodies k USING events e WHERE k.number = e.body
    ), jobs AS (
      DELETE FROM ${schema}.jobs j USING old WHERE j.job = old.job
    )
    SELECT (SELECT count(*) FROM events) AS events, (SELECT max(job) FROM seen) AS last`;
}
