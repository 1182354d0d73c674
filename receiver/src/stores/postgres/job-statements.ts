import { MAX_FIRST_BODIES, MAX_FIRST_BODY_BYTES } from '../first-bodies.ts';
import { MAX_EVENTS, MAX_SETTLED_BEFORE } from '../store.ts';

/**
 * The statements about leases. A job row says who holds the job; every statement of a holder names
 * its token, so that it changes nothing once the lease is lost. `ASYNC` in a result writes without
 * waiting for the disk.
 */
const ASYNC = "set_config('synchronous_commit', 'off', true)";

const NOW = 'statement_timestamp()';
const MILLISECOND = "interval '1 millisecond'";

/** The row of a job that the caller holds: `$1` is its name and `$2` its token. */
const HELD = 'job = $1 AND token = ($2::text)::bigint AND holder IS NOT NULL';

export const TAKEN_COLUMNS = [
  'job',
  'run_id',
  'token',
  'last_position',
  'settled_by',
  'run_order',
] as const;

/** `$1` holder, `$2` jobs in hand, `$3` limit, `$4` length of the lease. */
export function takeStatement(schema: string): string {
  return `SELECT ${TAKEN_COLUMNS.join(', ')}
    FROM ${schema}.take_jobs($1, ($2::text)::text[], ($3::text)::int, ($4::text)::float8)`;
}

/** `$1` names of leased jobs. Part 0 are settled events, part 1 those that wait. */
export function leasedEventsStatement(schema: string): string {
  const waiting = `SELECT b.place FROM ${schema}.bodies b WHERE b.job = t.job ORDER BY b.place LIMIT 1`;
  return `
    SELECT t.job, x.* FROM unnest(($1::text)::text[]) AS t (job) CROSS JOIN LATERAL (
      (SELECT 0 AS part, ${EVENT_COLUMNS}, NULL AS body
       FROM (${inOrder(`${schema}.events WHERE place <> ''`, '<', `coalesce((${waiting}), '~')`, String(MAX_SETTLED_BEFORE + 1))}) e)
      UNION ALL
      (${waitingEvents(schema, '>=', "''")})
    ) x ORDER BY t.job, part, place`;
}

/** The events of a held job after place `$3` that are not settled; a row without an id when there is none. */
export function waitingStatement(schema: string): string {
  return `
    SELECT t.job, x.* FROM (SELECT job FROM ${schema}.jobs WHERE ${HELD}) AS t
    LEFT JOIN LATERAL (${waitingEvents(schema, '>', '$3')}) x ON true ORDER BY place`;
}

/** The events of a held job after position `$3`; a row without an id when there is none. */
export function newsStatement(schema: string): string {
  return `
    SELECT t.job, t.last, x.* FROM
      (SELECT job, last_position AS last FROM ${schema}.jobs WHERE ${HELD}) AS t
    LEFT JOIN LATERAL (${withBodies(
      `
      SELECT e.*, b.body AS bytes FROM ${schema}.events e
      LEFT JOIN ${schema}.bodies b ON b.number = e.body AND e.state = 'open'
      WHERE e.job = t.job AND e.position > ($3::text)::int AND e.position <= t.last
      ORDER BY e.position LIMIT ${MAX_EVENTS}`,
      'position',
    )}) x ON true ORDER BY position`;
}

/** The events of a held job before and from place `$3` on, at most `$4` on each side. */
export function nearStatement(schema: string): string {
  const side = (comparison: '<' | '>='): string =>
    `(SELECT ${EVENT_COLUMNS} FROM (${inOrder(`${schema}.events WHERE place <> ''`, comparison, '$3', '($4::text)::int')}) e)`;
  return `
    SELECT t.job, x.* FROM (SELECT job FROM ${schema}.jobs WHERE ${HELD}) AS t
    LEFT JOIN LATERAL (${side('<')} UNION ALL ${side('>=')}) x ON true ORDER BY place`;
}

/** `$3` ids, `$4` how they arrived. */
export function keepArrivalsStatement(schema: string): string {
  return `SELECT ${schema}.keep_arrivals($1, ($2::text)::bigint, ($3::text)::text[], ($4::text)::text[]) AS is_held`;
}

function waitingEvents(schema: string, comparison: '>' | '>=', place: string): string {
  const bodies = inOrder(`${schema}.bodies WHERE true`, comparison, place, String(MAX_EVENTS + 1));
  return withBodies(
    `SELECT e.*, b.body AS bytes FROM (${bodies}) b JOIN ${schema}.events e ON e.id = b.id`,
    'place',
  );
}

/**
 * Chooses the rows of job `t.job` next to a place. To compare both columns at once makes the server walk along the
 * index also when it does not know yet how many rows a job has: it would else sort all of them.
 */
function inOrder(rows: string, comparison: '<' | '>' | '>=', place: string, limit: string): string {
  const direction = comparison === '<' ? 'DESC' : 'ASC';
  return `
    SELECT * FROM (
      SELECT * FROM ${rows} AND (job, place) ${comparison} (t.job COLLATE "C", ${place})
      ORDER BY job ${direction}, place ${direction} LIMIT ${limit}
    ) found WHERE found.job = t.job`;
}

/** The first open events have their bodies, as `bodiesFor` decides it for other stores. */
function withBodies(events: string, order: string): string {
  return `
    SELECT 1 AS part, ${EVENT_COLUMNS},
           CASE WHEN e.state = 'open' AND (e.number = 1 OR (e.number <= ${MAX_FIRST_BODIES} AND e.size <= ${MAX_FIRST_BODY_BYTES}))
             THEN encode(e.bytes, 'base64') END AS body
    FROM (SELECT found.*, count(*) FILTER (WHERE state = 'open') OVER earlier AS number,
                 sum(octet_length(bytes)) FILTER (WHERE state = 'open') OVER earlier AS size
          FROM (${events}) found WINDOW earlier AS (ORDER BY ${order})) e`;
}

const EVENT_NAMES = [
  'id',
  'position',
  'place',
  'state',
  'previous_status',
  'current_status',
  'created_at',
  'attempts',
  'crashes',
  'is_replay',
  'arrival',
  'age',
  'due_in',
] as const;

export const LEASED_COLUMNS: readonly string[] = ['job', 'part', ...EVENT_NAMES, 'body'];
export const NEWS_COLUMNS: readonly string[] = ['job', 'last', 'part', ...EVENT_NAMES, 'body'];
export const NEAR_COLUMNS: readonly string[] = ['job', ...EVENT_NAMES];

const EVENT_COLUMNS = `e.id, e.position, e.place, e.state, e.previous_status, e.current_status, e.created_at,
           e.attempts, e.crashes, e.is_replay, e.arrival, (extract(epoch FROM ${NOW} - e.received_at) * 1000)::float8 AS age,
           (extract(epoch FROM e.due_at - ${NOW}) * 1000)::float8 AS due_in`;

export const BODY_COLUMNS = ['id', 'body'] as const;

/** `$3` ids. */
export function bodiesStatement(schema: string): string {
  return `
    SELECT b.id, encode(b.body, 'base64') FROM (SELECT job FROM ${schema}.jobs WHERE ${HELD}) AS held
    JOIN ${schema}.events e ON e.job = held.job AND e.state = 'open'
    JOIN ${schema}.bodies b ON b.number = e.body
    WHERE e.id = ANY (($3::text)::text[])`;
}

/** `$3` length of the lease. */
export function renewStatement(schema: string): string {
  return `
    UPDATE ${schema}.jobs SET due_at = ${NOW} + ($3::text)::float8 * ${MILLISECOND}
    WHERE ${HELD} RETURNING ${ASYNC}`;
}

/** `$3` id. */
export function beginStatement(schema: string): string {
  return `
    UPDATE ${schema}.jobs SET begun = $3 WHERE ${HELD} RETURNING ${ASYNC}`;
}

/**
 * `$3` whether to write without waiting for the disk, `$4` whether the lease is kept, `$5` milliseconds
 * of the lease or until the job is due, `$6` the event that is handled next, `$7` last position that the
 * holder has seen, `$8` the event with which the run is settled, `$9` what the order knows of it, `$10` to `$16` the
 * outcomes. The result is null when the
 * lease is lost.
 */
export function finishStatement(schema: string): string {
  return `SELECT ${schema}.finish_job(
    $1, ($2::text)::bigint, ($3::text)::boolean, ($4::text)::boolean, ($5::text)::float8, $6, ($7::text)::int, $8,
    $9, ($10::text)::text[], ($11::text)::text[], ($12::text)::float8[], ($13::text)::text[],
    ($14::text)::text[], ($15::text)::int[], ($16::text)::float8[]) AS last_position`;
}

/**
 * `$1` the event if it settles the run, `$2` what the order knows of it, `$3` job, `$4` token, `$5` and `$7` id,
 * `$6` how long the body is kept.
 */
export function settleStatement(schema: string): string {
  return `
    WITH held AS (
      UPDATE ${schema}.jobs SET settled_by = coalesce($1::text, settled_by),
        run_order = coalesce($2::text, run_order)
      WHERE job = $3 AND token = ($4::text)::bigint AND holder IS NOT NULL RETURNING job
    ), dropped AS (
      DELETE FROM ${schema}.bodies b USING ${schema}.events e, held
      WHERE e.id = $5 AND b.number = e.body AND e.job = held.job AND e.state = 'open'
      RETURNING b.number, b.id, b.job, b.automation_id, b.body
    ), kept AS (
      INSERT INTO ${schema}.kept_bodies (number, id, job, automation_id, until, body)
      SELECT d.number, d.id, d.job, d.automation_id, ${NOW} + k.milliseconds * ${MILLISECOND}, d.body
      FROM dropped d CROSS JOIN (SELECT $6::float8 AS milliseconds) k WHERE k.milliseconds > 0
    )
    UPDATE ${schema}.events e SET state = 'settled', crashes = 0
    FROM held WHERE e.id = $7 AND e.job = held.job AND e.state = 'open' RETURNING e.id`;
}

/** `$1` holder, `$2` jobs in hand. Returns milliseconds. */
export function nextDueStatement(schema: string): string {
  return `SELECT (extract(epoch FROM ${schema}.next_due($1, ($2::text)::text[]) - ${NOW}) * 1000)::float8
    AS due_in`;
}
