import { MAX_ATTEMPTS_KEPT, MAX_JOB_EVENTS } from '../store.ts';
import { FORMAT } from './format.ts';
import { columns, epoch, LOCK_TIMEOUT, MILLISECOND, milliseconds, NOW } from './rows.ts';
import type { Columns } from './rows.ts';

/**
 * The statements about leases. A job row says who holds the job; every statement of a holder names
 * its token, so that it changes nothing once the lease is lost. All times are those of the server.
 * Leases and results are written without waiting for the disk (`ASYNC`); accepted events are not.
 * If the server loses leases in a crash, jobs are handled again. A token is at least the time in
 * microseconds, so it grows even then.
 *
 * Several jobs are locked in the order of their keys, as everywhere.
 */
const ASYNC = "set_config('synchronous_commit', 'off', true)";

/** What the worker reads of an event `e`. */
const EVENT_EXPRESSIONS = {
  id: 'e.id',
  position: 'e.position',
  state: 'e.state',
  handler: 'e.handler',
  facts: 'e.facts',
  age: milliseconds(`${NOW} - e.received_at`),
  due_in: milliseconds(`e.due_at - ${NOW}`),
  attempts: 'e.attempts',
  failing_for: milliseconds(`${NOW} - e.first_failed_at`),
  crashes: 'e.crashes',
  is_replay: 'e.is_replay',
};

export const EVENT: Columns = columns(EVENT_EXPRESSIONS);

export const TAKEN: Columns = columns({
  least: 'f.least',
  next_in: milliseconds(`f.next_at - ${NOW}`),
  job: 'l.job',
  token: 'l.token',
  source: 'l.source',
  key: 'l.key',
  is_settled: 'l.is_settled',
  ...Object.fromEntries(EVENT.names.map((name) => [name, `e.${name}`])),
});

/**
 * `$1` holder, `$2` jobs in hand, `$3` limit, `$4` length of the lease. First come jobs whose lease
 * has expired. The event that their holder had begun gets one more crash, which the events of this
 * statement do not show yet.
 */
export function takeStatement(schema: string): string {
  const jobs = `${schema}.jobs WHERE job <> ALL (($2::text)::bigint[])`;
  const some = `ORDER BY due_at LIMIT ($3::text)::int FOR UPDATE SKIP LOCKED`;
  const crashed = `(e.event = l.begun AND e.state = 'open') IS TRUE`;
  const events = Object.entries({
    ...EVENT_EXPRESSIONS,
    due_in: `CASE WHEN ${crashed} THEN 0 ELSE ${EVENT_EXPRESSIONS.due_in} END`,
    crashes: `e.crashes + (${crashed})::int`,
  });
  return `
    WITH expired AS (
      SELECT job, begun FROM ${jobs} AND holder IS NOT NULL AND holder <> $1 AND due_at <= ${NOW} ${some}
    ), own AS (
      SELECT job FROM ${jobs} AND holder IS NOT NULL AND holder = $1 ${some}
    ), free AS (
      SELECT job FROM ${jobs} AND holder IS NULL AND due_at <= ${NOW} ${some}
    ), chosen AS MATERIALIZED (
      SELECT * FROM (
        SELECT job, begun FROM expired
        UNION ALL SELECT job, NULL FROM own UNION ALL SELECT job, NULL FROM free
      ) due WHERE (SELECT least FROM ${schema}.format) <= ${FORMAT} LIMIT ($3::text)::int
    ), crashed AS (
      UPDATE ${schema}.events e SET crashes = e.crashes + 1, due_at = ${NOW}
      FROM chosen c WHERE e.event = c.begun AND e.state = 'open'
    ), leased AS (
      UPDATE ${schema}.jobs j SET
        holder = $1,
        token = greatest(j.token + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint),
        due_at = ${NOW} + ($4::text)::float8 * ${MILLISECOND},
        begun = NULL
      FROM chosen c WHERE j.job = c.job
      RETURNING j.job, j.token, j.source, j.key, j.settled_by IS NOT NULL AS is_settled, j.last_position, c.begun, ${ASYNC}
    )
    SELECT ${TAKEN.list} FROM (
      SELECT (SELECT least FROM ${schema}.format) AS least, CASE
        -- There may be more. Only who finds less needs to know when to look again.
        WHEN (SELECT count(*) FROM chosen) = ($3::text)::int THEN ${NOW} ELSE least(
        (SELECT due_at FROM ${jobs} AND holder IS NULL AND due_at IS NOT NULL
           AND job NOT IN (SELECT job FROM chosen) ORDER BY due_at LIMIT 1),
        (SELECT min(CASE WHEN holder = $1 THEN ${NOW} ELSE due_at END) FROM ${jobs} AND holder IS NOT NULL
           AND job NOT IN (SELECT job FROM chosen))
      ) END AS next_at
    ) f LEFT JOIN (leased l CROSS JOIN LATERAL (
      SELECT ${events.map(([name, expression]) => `${expression} AS ${name}`).join(', ')} FROM ${schema}.events e
      WHERE e.job = l.job AND (e.position > l.last_position - ${MAX_JOB_EVENTS} OR e.state <> 'handled')
      OFFSET 0
    ) e) ON true ORDER BY l.job, e.position`;
}

/** A lease `a` that a caller has asked about still holds job `j`. */
const HELD = 'j.job = a.job AND j.token = a.token AND j.holder IS NOT NULL';

/**
 * `$1` leases with a position. The events after it of each that still holds its job; at least one
 * row, without an id.
 */
export function eventsStatement(schema: string): string {
  return `
    SELECT a.n, e.* FROM json_to_recordset(($1::text)::json) AS a (n int, job bigint, token bigint, after int)
    JOIN ${schema}.jobs j ON ${HELD}
    LEFT JOIN LATERAL (
      SELECT ${EVENT.list} FROM ${schema}.events e WHERE e.job = a.job AND e.position > a.after
      ORDER BY e.position OFFSET 0
    ) e ON true ORDER BY a.n, e.position`;
}

/** `$1` job, `$2` token, `$3` length of the lease. */
export function renewStatement(schema: string): string {
  return `
    UPDATE ${schema}.jobs SET due_at = ${NOW} + ($3::text)::float8 * ${MILLISECOND}
    WHERE job = ($1::text)::bigint AND token = ($2::text)::bigint AND holder IS NOT NULL RETURNING ${ASYNC}`;
}

/**
 * `$1` leases, each with the id of the event that is handled from now on. Returns the bodies of
 * those that are open.
 */
export function beginStatement(schema: string): string {
  return `
    WITH asked AS MATERIALIZED (
      SELECT a.*, e.event, ${LOCK_TIMEOUT} AS settings
      FROM json_to_recordset(($1::text)::json) AS a (n int, job bigint, token bigint, id text)
      JOIN ${schema}.events e ON e.id = a.id AND e.job = a.job AND e.state = 'open'
    ), locked AS MATERIALIZED (
      SELECT a.n, j.job, a.event FROM asked a JOIN ${schema}.jobs j ON ${HELD}
      ORDER BY j.key, j.source, j.job FOR UPDATE OF j
    ), begun AS (
      UPDATE ${schema}.jobs j SET begun = l.event FROM locked l WHERE j.job = l.job
      RETURNING l.n, l.event, ${ASYNC}
    )
    SELECT begun.n, encode(b.body, 'base64') FROM begun JOIN ${schema}.bodies b ON b.event = begun.event`;
}

/**
 * `$1` leases, each with what becomes of it, `$2` the outcomes of their events, `$3` whether to
 * write without waiting for the disk. Returns those that still hold their jobs, with the body of
 * the event that is handled next.
 */
export function finishStatement(schema: string): string {
  return `
    WITH asked AS MATERIALIZED (
      SELECT a.*, CASE WHEN ($3::text)::boolean THEN ${ASYNC} || ${LOCK_TIMEOUT} END AS settings
      FROM json_to_recordset(($1::text)::json) AS a (n int, job bigint, token bigint, is_kept boolean,
        milliseconds float8, next text, seen int, settled_by text)
    ), locked AS MATERIALIZED (
      SELECT a.*, x.event AS begun, x.body FROM asked a JOIN ${schema}.jobs j ON ${HELD}
      LEFT JOIN LATERAL (
        SELECT e.event, b.body FROM ${schema}.events e JOIN ${schema}.bodies b ON b.event = e.event
        WHERE e.id = a.next AND e.job = a.job AND e.state = 'open'
      ) x ON true
      ORDER BY j.key, j.source, j.job FOR UPDATE OF j
    ), held AS (
      UPDATE ${schema}.jobs j SET
        holder = CASE WHEN l.is_kept THEN j.holder END,
        begun = CASE WHEN l.is_kept THEN l.begun END,
        is_due_again = j.is_due_again AND l.is_kept,
        settled_by = coalesce(l.settled_by, j.settled_by),
        due_at = CASE WHEN NOT l.is_kept AND (j.is_due_again OR j.last_position > l.seen) THEN ${NOW}
                 ELSE ${NOW} + l.milliseconds * ${MILLISECOND} END
      FROM locked l WHERE j.job = l.job
      RETURNING l.n, j.job, j.last_position, l.body
    ), changed AS (
      UPDATE ${schema}.events e SET
        state = o.state,
        crashes = CASE WHEN o.state = 'dead' THEN e.crashes ELSE 0 END,
        due_at = ${NOW} + o.due_in * ${MILLISECOND},
        handled_at = CASE WHEN o.state = 'handled' THEN ${NOW} END,
        reason = o.reason,
        error = coalesce(o.error, e.error),
        attempts = e.attempts + CASE WHEN o.attempt IS NULL THEN 0 ELSE 1 END,
        first_failed_at = CASE WHEN o.attempt IS NULL THEN e.first_failed_at ELSE coalesce(e.first_failed_at, ${NOW}) END,
        failures = CASE WHEN o.attempt IS NULL THEN e.failures ELSE jsonb_path_query_array(
          e.failures || (o.attempt || jsonb_build_object('at', ${epoch(NOW)})),
          '$[last - ${MAX_ATTEMPTS_KEPT - 1} to last]') END
      FROM json_to_recordset(($2::text)::json) AS o (n int, id text, state text, due_in float8, error text,
        reason text, keep float8, attempt jsonb)
      JOIN held h ON h.n = o.n
      WHERE e.id = o.id AND e.job = h.job AND e.state = 'open'
      RETURNING e.event, e.state, o.keep
    ), dropped AS (
      DELETE FROM ${schema}.bodies b USING changed c WHERE b.event = c.event AND c.keep = 0
    ), marked AS (
      UPDATE ${schema}.bodies b SET
        state = CASE c.state WHEN 'open' THEN 'retrying' WHEN 'dead' THEN 'dead' ELSE 'kept' END,
        until = ${NOW} + c.keep * ${MILLISECOND}
      FROM changed c WHERE b.event = c.event AND c.keep IS DISTINCT FROM 0
    )
    SELECT n, last_position, encode(body, 'base64') FROM held`;
}

/**
 * `$1` id of the event if it settles the job, `$2` job, `$3` token, `$4` id, `$5` how long the body
 * is kept.
 */
export function settleStatement(schema: string): string {
  return `
    WITH held AS (
      UPDATE ${schema}.jobs SET settled_by = coalesce($1::text, settled_by)
      WHERE job = ($2::text)::bigint AND token = ($3::text)::bigint AND holder IS NOT NULL RETURNING job
    ), target AS MATERIALIZED (
      SELECT e.event, keep.milliseconds FROM held
      JOIN ${schema}.events e ON e.job = held.job AND e.id = $4::text AND e.state = 'open'
      CROSS JOIN (SELECT ($5::text)::float8 AS milliseconds) keep
    ), dropped AS (
      DELETE FROM ${schema}.bodies b USING target t WHERE b.event = t.event AND t.milliseconds = 0
    ), kept AS (
      UPDATE ${schema}.bodies b SET state = 'kept', until = ${NOW} + t.milliseconds * ${MILLISECOND}
      FROM target t WHERE b.event = t.event AND t.milliseconds > 0
    )
    UPDATE ${schema}.events e SET state = 'handled', crashes = 0, due_at = NULL, reason = NULL, handled_at = ${NOW}
    FROM target t WHERE e.event = t.event AND e.state = 'open' RETURNING e.id`;
}
