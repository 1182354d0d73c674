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
import { inParts } from '../in-parts.ts';
import type { Part } from '../in-parts.ts';
import { cursorNumber, pageOf } from '../page.ts';
import { textArray } from './driver.ts';
import type { Query, SqlResult, SqlRow } from './driver.ts';
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

const MAX_CHANGED = 1_000;
const MAX_MADE_DUE = 1_000;
const MAX_SEEN_JOBS = 2_000;
const MAX_PURGED_BODIES = 1_000;

/** Above this number of events, `stats` reads the planner's estimate. Counting would read every event. */
const MAX_COUNTED = 100_000;

const NOW_MILLISECONDS = '(extract(epoch FROM statement_timestamp()) * 1000)::float8';

const EVENT_NAMES = [
  'id',
  'state',
  'position',
  'attempts',
  'crashes',
  'previous_status',
  'current_status',
  'created_at',
  'automation_id',
  'error',
  'reason',
  'is_replay',
  'number',
  'received_at',
  'run_id',
  'holder',
  'due_in',
] as const;

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
    const { rows } = await this.#query(
      statsStatement(this.#schema),
      [],
      ['open', 'dead', 'oldest_open', 'due', 'in_hand', 'total'],
    );
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
      ['kept_until'],
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
    const rows = await this.#waiting(deadLettersAfter(this.#schema, after, filter), limit + 1);
    return pageOf(rows, limit, { itemOf: deadLetter, cursorOf });
  }

  async countDead(filter: DeadLetterFilter): Promise<number> {
    const { condition, values } = deadLettersAfter(this.#schema, null, filter);
    const { rows } = await this.#query(
      `SELECT count(*) AS count FROM ${this.#schema}.bodies WHERE ${condition}`,
      values,
      ['count'],
    );
    return number(rows[0] ?? {}, 'count');
  }

  async runs({ after, limit }: PageRequest, automationId?: string): Promise<RunPage> {
    const before = after === null ? MAX_NUMBER : cursorValue(after);
    const { rows } = await this.#query(
      runsStatement(this.#schema, automationId !== undefined),
      [before, String(limit + 1), ...(automationId === undefined ? [] : [automationId])],
      RUN_NAMES,
    );
    return pageOf(rows, limit, { itemOf: storedRun, cursorOf });
  }

  async body(id: string): Promise<Uint8Array | null> {
    const { rows } = await this.#query(
      `SELECT encode(coalesce(b.body, k.body), 'base64') FROM ${this.#schema}.events e
       LEFT JOIN ${this.#schema}.bodies b ON b.number = e.body
       LEFT JOIN ${this.#schema}.kept_bodies k ON k.number = e.body
       WHERE e.id = $1`,
      [id],
      ['body'],
    );
    return bytesOrNull(rows[0] ?? {}, 'body');
  }

  async openEvents({ after, limit }: PageRequest, runId?: string): Promise<OpenEventPage> {
    const rows = await this.#waiting(
      conditionsOf([
        ['reason IS NULL AND number > (?::text)::bigint', cursorValue(after)],
        ['job = ?', runId === undefined ? undefined : `run:${runId}`],
      ]),
      limit + 1,
    );
    return pageOf(rows, limit, { itemOf: storedOpenEvent, cursorOf });
  }

  async pause(name: string): Promise<void> {
    await this.#query(
      `INSERT INTO ${this.#schema}.pauses (name) VALUES ($1) ON CONFLICT DO NOTHING`,
      [name],
    );
  }

  async resume(name: string): Promise<void> {
    const ended = await this.#query(resumeStatement(this.#schema), [name], ['name']);
    if (ended.rows.length === 0) return;
    let due;
    do due = await this.#query(makeDueStatement(this.#schema), []);
    while (due.rowCount === MAX_MADE_DUE);
  }

  async paused(): Promise<readonly string[]> {
    const { rows } = await this.#query(
      `SELECT name FROM ${this.#schema}.pauses ORDER BY name`,
      [],
      ['name'],
    );
    return rows.map((row) => text(row, 'name'));
  }

  redrive(filter: DeadLetterFilter): Promise<number> {
    return this.#change(redriveStatement, filter);
  }

  async replay(filter: ReplayFilter, { dryRun }: { readonly dryRun: boolean }): Promise<number> {
    if (dryRun) {
      const { text: statement, values } = replayCountStatement(this.#schema, filter);
      const { rows } = await this.#query(statement, values, ['count']);
      return number(rows[0] ?? {}, 'count');
    }
    return inParts('', async (after) => {
      const { text: statement, values } = replayStatement(this.#schema, filter, after);
      return partIn(await this.#query(statement, values, PART_NAMES));
    });
  }

  discard(filter: DeadLetterFilter): Promise<number> {
    return this.#change(discardStatement, filter);
  }

  async now(): Promise<number> {
    const { rows } = await this.#query(`SELECT ${NOW_MILLISECONDS}`, [], ['now']);
    return number(rows[0] ?? {}, 'now');
  }

  async purgeBodies(): Promise<void> {
    let count;
    do count = (await this.#query(purgeBodiesStatement(this.#schema), [])).rowCount;
    while (count > 0);
  }

  purge(olderThan: number): Promise<number> {
    return inParts('', async (after) =>
      partIn(
        await this.#query(purgeStatement(this.#schema), [String(olderThan), after], PART_NAMES),
      ),
    );
  }

  /** Changes all dead letters that match. */
  #change(
    statement: (schema: string, condition: string) => string,
    filter: DeadLetterFilter,
  ): Promise<number> {
    return inParts<string>('0', async (after) => {
      const { condition, values } = deadLettersAfter(this.#schema, after, filter);
      return partIn(await this.#query(statement(this.#schema, condition), values, PART_NAMES));
    });
  }

  /**
   * Reads events by their bodies, oldest first. The bodies are chosen before the join, which else could read all
   * events.
   */
  #waiting({ condition, values }: Conditions<string>, limit: number): Promise<readonly SqlRow[]> {
    return this.#events(
      `JOIN (SELECT id, number FROM ${this.#schema}.bodies WHERE ${condition}
             ORDER BY number LIMIT ($${values.length + 1}::text)::int) b ON b.id = e.id
       ORDER BY b.number`,
      [...values, String(limit)],
    );
  }

  async #events(where: string, values: readonly string[]): Promise<readonly SqlRow[]> {
    const { rows } = await this.#query(
      `SELECT ${COLUMNS}, j.run_id, j.holder,
         (extract(epoch FROM j.due_at - statement_timestamp()) * 1000)::float8 AS due_in
       FROM ${this.#schema}.events e
       JOIN ${this.#schema}.jobs j ON j.job = e.job ${where}`,
      values,
      EVENT_NAMES,
    );
    return rows;
  }
}

const PART_NAMES = ['count', 'last'] as const;

function partIn({ rows: [row = {}] }: SqlResult): Part<string> {
  return { count: number(row, 'count'), last: textOrNull(row, 'last') };
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
  const oldest = `(SELECT received_at FROM ${schema}.bodies WHERE reason IS NULL ORDER BY number LIMIT 1)`;
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
         (SELECT count(*) FROM ${schema}.bodies WHERE reason IS NOT NULL) AS dead`;
}

/** A number above that of each body. */
const MAX_NUMBER = '999999999999999999';

/** Chooses the bodies of dead letters after a cursor: each part but the reason by an index. */
function deadLettersAfter(
  schema: string,
  after: string | null,
  { ids, reason, runId, automationId }: DeadLetterFilter,
): Conditions<string> {
  return conditionsOf([
    ['reason IS NOT NULL AND number > (?::text)::bigint', cursorValue(after)],
    [
      `number IN (SELECT n.body FROM ${schema}.events n WHERE n.id = ANY ((?::text)::text[]))`,
      ids && textArray(ids),
    ],
    ['job = ?', runId === undefined ? undefined : `run:${runId}`],
    ['automation_id = ?', automationId],
    ['reason = ?', reason],
  ]);
}

const RUN_NAMES = [
  'run_id',
  'last_position',
  'automation_id',
  'number',
  'received_at',
  'open',
  'dead',
  'status',
] as const;

/** Runs before body `$1`, the newest first, at most `$2`, of automation `$3`. */
function runsStatement(schema: string, isOfAutomation: boolean): string {
  const wanted = isOfAutomation ? 'f.automation_id = $3' : "f.place <> ''";
  const waiting = (isDead: boolean): string =>
    `(SELECT count(*) FROM ${schema}.bodies b WHERE b.job = f.job AND b.reason IS ${isDead ? 'NOT ' : ''}NULL)`;
  return `
    SELECT j.run_id, j.last_position, f.automation_id, f.body::text AS number,
      (extract(epoch FROM f.received_at) * 1000)::float8 AS received_at,
      ${waiting(false)} AS open, ${waiting(true)} AS dead,
      (SELECT l.current_status FROM ${schema}.events l
       WHERE l.job = f.job AND l.place <> '' AND l.place < '${FIRST_CONTRADICTION}'
       ORDER BY l.place DESC LIMIT 1) AS status
    FROM (SELECT * FROM ${schema}.events f
          WHERE f.position = 1 AND ${wanted} AND f.body < ($1::text)::bigint
          ORDER BY f.body DESC LIMIT ($2::text)::int) f
    JOIN ${schema}.jobs j ON j.job = f.job ORDER BY f.body DESC`;
}

/** Chooses the next dead letters. Jobs are locked in the order of their names and before their events, as everywhere. */
function lockedDeadLetters(schema: string, condition: string): string {
  return `
    chosen AS MATERIALIZED (
      SELECT id, job, number FROM ${schema}.bodies
      WHERE ${condition} ORDER BY number LIMIT ${MAX_CHANGED}
    ), locked AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE job IN (SELECT job FROM chosen)
      ORDER BY job FOR UPDATE
    )`;
}

/** The cursor after the chosen dead letters; null when they are fewer than one part. */
const AFTER_CHOSEN = `(SELECT max(number)::text FROM chosen HAVING count(*) = ${MAX_CHANGED}) AS last`;

/** Makes a job `j` due: now, or when its lease is released. */
const DUE_AGAIN = `is_due_again = j.holder IS NOT NULL,
        due_at = CASE WHEN j.holder IS NULL THEN statement_timestamp() ELSE j.due_at END`;

function redriveStatement(schema: string, condition: string): string {
  return `
    WITH ${lockedDeadLetters(schema, condition)}, opened AS (
      UPDATE ${schema}.events e SET state = 'open', attempts = 0, crashes = 0, due_at = NULL
      FROM chosen c JOIN locked l ON l.job = c.job
      WHERE e.id = c.id AND e.state = 'dead' RETURNING e.job, e.body
    ), revived AS (
      UPDATE ${schema}.bodies b SET reason = NULL FROM opened o WHERE b.number = o.body
    ), woken AS (
      UPDATE ${schema}.jobs j SET ${DUE_AGAIN}
      WHERE j.job IN (SELECT job FROM opened)
    )
    SELECT (SELECT count(*) FROM opened) AS count, ${AFTER_CHOSEN}`;
}

function discardStatement(schema: string, condition: string): string {
  return `
    WITH ${lockedDeadLetters(schema, condition)}, settled AS (
      UPDATE ${schema}.events e SET state = 'settled'
      FROM chosen c JOIN locked l ON l.job = c.job
      WHERE e.id = c.id AND e.state = 'dead' RETURNING e.body
    ), dropped AS (
      DELETE FROM ${schema}.bodies b USING settled s WHERE b.number = s.body
    )
    SELECT (SELECT count(*) FROM settled) AS count, ${AFTER_CHOSEN}`;
}

/** Ends a pause, and returns its name if there was one. Leased jobs are due when they are released. */
function resumeStatement(schema: string): string {
  return `
    WITH ended AS (
      DELETE FROM ${schema}.pauses WHERE name = $1 RETURNING name
    ), locked AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE holder IS NOT NULL AND EXISTS (SELECT FROM ended)
      ORDER BY job FOR UPDATE
    ), due AS (
      UPDATE ${schema}.jobs j SET ${DUE_AGAIN} FROM locked l WHERE j.job = l.job
    )
    SELECT name FROM ended`;
}

/** Makes some jobs due that wait for a time, and returns them. */
function makeDueStatement(schema: string): string {
  return `
    WITH waiting AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE holder IS NULL AND due_at > statement_timestamp()
      ORDER BY due_at LIMIT ${MAX_MADE_DUE}
    ), locked AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE job IN (SELECT job FROM waiting) ORDER BY job FOR UPDATE
    )
    UPDATE ${schema}.jobs j SET ${DUE_AGAIN} FROM locked l WHERE j.job = l.job RETURNING j.job`;
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
          WHERE s.last_at < statement_timestamp() - ($1::text)::float8 * interval '1 millisecond')
        AND j.last_at < statement_timestamp() - ($1::text)::float8 * interval '1 millisecond'
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
    SELECT (SELECT count(*) FROM events) AS count, (SELECT max(job) FROM seen) AS last`;
}
