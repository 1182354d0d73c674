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

/** `$1` holder, `$2` jobs in hand, `$3` limit, `$4` length of the lease. */
export function takeStatement(schema: string): string {
  return `SELECT job, run_id, token, last_position, is_run_settled
    FROM ${schema}.take_jobs($1, ($2::text)::text[], $3::int, $4::float8)`;
}

/** `$1` names of jobs, `$2` their last positions: events that came later are left out. */
export function eventsStatement(schema: string): string {
  return readEvents(
    schema,
    `SELECT job, 0 AS after, last FROM unnest(($1::text)::text[], ($2::text)::int[]) AS t (job, last)`,
  );
}

/** The events of a held job after position `$3`; a row without an id when there is none. */
export function newsStatement(schema: string): string {
  return readEvents(
    schema,
    `SELECT job, $3::int AS after, last_position AS last FROM ${schema}.jobs WHERE ${HELD}`,
  );
}

/** The first open events have their bodies, as `bodiesFor` decides it for other stores. */
function readEvents(schema: string, wanted: string): string {
  return `
    WITH wanted AS (${wanted}), found AS (
      SELECT t.job, t.last, e.id, e.position, e.state, e.previous_status, e.current_status,
             e.created_at, e.attempts, e.crashes, e.received_at, e.due_at, b.body,
             count(b.number) OVER earlier AS place, sum(octet_length(b.body)) OVER earlier AS bytes
      FROM wanted t
      LEFT JOIN ${schema}.events e ON e.job = t.job AND e.position > t.after AND e.position <= t.last
      LEFT JOIN ${schema}.bodies b ON b.number = e.body AND e.state = 'open'
      WINDOW earlier AS (PARTITION BY t.job ORDER BY e.position)
    )
    SELECT job, last, id, position, state, previous_status, current_status, created_at, attempts, crashes,
           (extract(epoch FROM ${NOW} - received_at) * 1000)::float8 AS age,
           (extract(epoch FROM due_at - ${NOW}) * 1000)::float8 AS due_in,
           CASE WHEN place = 1 OR (place <= 64 AND bytes <= 1048576) THEN body END AS body
    FROM found ORDER BY job, position`;
}

/** `$3` ids. */
export function bodiesStatement(schema: string): string {
  return `
    SELECT b.id, b.body FROM (SELECT job FROM ${schema}.jobs WHERE ${HELD}) AS held
    JOIN ${schema}.events e ON e.job = held.job AND e.state = 'open'
    JOIN ${schema}.bodies b ON b.number = e.body
    WHERE e.id = ANY (($3::text)::text[])`;
}

/** `$3` length of the lease. */
export function renewStatement(schema: string): string {
  return `
    UPDATE ${schema}.jobs SET due_at = ${NOW} + $3::float8 * ${MILLISECOND}
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
 * holder has seen, `$8` whether the run is settled, `$9` to `$14` the outcomes. The result is null when the
 * lease is lost.
 */
export function finishStatement(schema: string): string {
  return `SELECT ${schema}.finish_job(
    $1, ($2::text)::bigint, $3::boolean, $4::boolean, $5::float8, $6, $7::int, $8::boolean,
    ($9::text)::text[], ($10::text)::text[], ($11::text)::float8[], ($12::text)::text[],
    ($13::text)::text[], ($14::text)::int[]) AS last_position`;
}

/** `$1` whether the run is settled, `$2` job, `$3` token, `$4` and `$5` id. */
export function settleStatement(schema: string): string {
  return `
    WITH held AS (
      UPDATE ${schema}.jobs SET is_run_settled = is_run_settled OR $1::boolean
      WHERE job = $2 AND token = ($3::text)::bigint AND holder IS NOT NULL RETURNING job
    ), dropped AS (
      DELETE FROM ${schema}.bodies b USING ${schema}.events e, held
      WHERE e.id = $4 AND b.number = e.body AND e.job = held.job AND e.state = 'open'
    )
    UPDATE ${schema}.events e SET state = 'settled', crashes = 0
    FROM held WHERE e.id = $5 AND e.job = held.job AND e.state = 'open' RETURNING e.id`;
}

/** `$1` holder, `$2` jobs in hand. Returns milliseconds. */
export function nextDueStatement(schema: string): string {
  return `SELECT (extract(epoch FROM ${schema}.next_due($1, ($2::text)::text[]) - ${NOW}) * 1000)::float8
    AS due_in`;
}
