/**
 * The functions of the schema. Inside a function PostgreSQL plans a statement
 * once per connection, also behind PgBouncer, and with settings of the function: it must use the
 * indexes even when it knows nothing of the size of a table, as in the first minute or when a backlog
 * grows quickly. No index serves `IS NOT DISTINCT FROM`: it keeps the planner from reading all events of a long run to
 * find one by its id.
 *
 * All times are those of the server. Leases and results are written without waiting for the disk
 * (`synchronous_commit`); accepted events are not. If the server loses leases in a crash, jobs are
 * handled again. A token is at least the time in microseconds, so it grows even then.
 */
const SETTINGS = 'SET enable_seqscan = off SET jit = off';
const ORDERED = `${SETTINGS} SET enable_bitmapscan = off SET enable_sort = off`;

const NOW = 'statement_timestamp()';
const MILLISECOND = "interval '1 millisecond'";

/** Longest wait for a run that a transaction of the user locks. Then only its own events wait. */
const LOCK_TIMEOUT = '2s';

export function functions(schema: string): string {
  return [acceptEvents, takeJobs, nextDue, keepArrivals, finishJob]
    .map((part) => part(schema))
    .join('\n');
}

/**
 * Accepts a batch. It locks jobs in the order of their names, so that two batches never wait for
 * each other, and gives positions under these locks, so that events of a run become visible in the
 * order of their positions. An id that another transaction has just accepted violates the primary
 * key, which undoes the batch; a repeated call then sees it as known.
 */
function acceptEvents(schema: string): string {
  return `CREATE FUNCTION ${schema}.accept_events(
  ids text[], jobs text[], run_ids text[], previous_statuses text[], current_statuses text[],
  times text[], keys text[], automation_ids text[], errors text[], digests text[], bodies bytea, starts int[], lengths int[], signed_at float8
) RETURNS TABLE (n int, is_same boolean) LANGUAGE plpgsql ${SETTINGS} AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('lock_timeout', '${LOCK_TIMEOUT}', true);
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  RETURN QUERY
  WITH incoming AS MATERIALIZED (
    SELECT t.id COLLATE "C" AS id, t.job COLLATE "C" AS job, t.run_id, t.previous_status,
           t.current_status, t.created_at, t.key, t.automation_id COLLATE "C" AS automation_id, t.error, t.digest, t.start, t.length, t.n::int AS n,
           e.digest = t.digest AS is_same
    FROM unnest(ids, jobs, run_ids, previous_statuses, current_statuses, times, keys, automation_ids, errors, digests, starts, lengths)
      WITH ORDINALITY AS t (id, job, run_id, previous_status, current_status, created_at, key, automation_id, error,
                            digest, start, length, n)
    LEFT JOIN ${schema}.events e ON e.id = t.id COLLATE "C"
  ), fresh AS MATERIALIZED (
    SELECT i.*, row_number() OVER (PARTITION BY i.job ORDER BY i.n) AS number,
           count(*) OVER (PARTITION BY i.job) AS total,
           dense_rank() OVER (ORDER BY i.job) AS job_number,
           nextval('${schema}.body_numbers') AS body
    FROM incoming i WHERE i.is_same IS NULL
  ), placed AS (
    INSERT INTO ${schema}.jobs AS j (job, run_id, last_position, last_at, due_at)
    SELECT job, min(run_id), count(*), greatest(${NOW}, to_timestamp(signed_at)), CASE WHEN bool_and(error IS NULL) THEN ${NOW} END
    FROM fresh GROUP BY job ORDER BY job
    ON CONFLICT (job) DO UPDATE SET
      last_position = j.last_position + excluded.last_position,
      last_at = excluded.last_at,
      due_at = CASE WHEN j.holder IS NULL THEN least(j.due_at, excluded.due_at) ELSE j.due_at END
    RETURNING j.job, j.last_position
  ), positions AS MATERIALIZED (
    SELECT array_agg(last_position ORDER BY job) AS last FROM placed
  ), numbered AS MATERIALIZED (
    SELECT f.*, p.last[f.job_number] - f.total + f.number AS position,
           CASE WHEN f.error IS NOT NULL THEN 'event_quarantined' END AS reason,
           coalesce(f.key || lpad((p.last[f.job_number] - f.total + f.number)::text, 10, '0'), '') AS place
    FROM positions p, fresh f
  ), written AS (
    INSERT INTO ${schema}.events (id, job, position, place, state, body, received_at, previous_status,
                                  current_status, created_at, automation_id, reason, error, digest)
    SELECT f.id, f.job, f.position, f.place,
           CASE WHEN f.error IS NULL THEN 'open' ELSE 'dead' END, f.body, ${NOW}, f.previous_status,
           f.current_status, f.created_at, f.automation_id,
           f.reason, f.error, f.digest
    FROM numbered f ORDER BY f.id
  ), kept AS (
    INSERT INTO ${schema}.bodies (number, id, job, place, automation_id, received_at, reason, body)
    SELECT body, id, job, place, automation_id, ${NOW}, reason, substring(bodies from start + 1 for length)
    FROM numbered
  )
  SELECT i.n, i.is_same FROM incoming i WHERE i.is_same IS NOT NULL;
END $$;
`;
}

/**
 * Leases jobs, first those whose lease has expired. The event that their holder had begun gets one more
 * crash.
 */
function takeJobs(schema: string): string {
  return `CREATE FUNCTION ${schema}.take_jobs(
  taker text, in_hand text[], max_jobs int, lease_for float8
) RETURNS SETOF ${schema}.jobs LANGUAGE plpgsql ${ORDERED} AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  RETURN QUERY
  WITH expired AS (
    SELECT job, begun FROM ${schema}.jobs
    WHERE holder IS NOT NULL AND holder <> taker AND due_at <= ${NOW} AND job <> ALL (in_hand)
    ORDER BY due_at LIMIT max_jobs FOR UPDATE SKIP LOCKED
  ), own AS (
    SELECT job FROM ${schema}.jobs
    WHERE holder IS NOT NULL AND holder = taker AND job <> ALL (in_hand)
    ORDER BY due_at LIMIT max_jobs FOR UPDATE SKIP LOCKED
  ), free AS (
    SELECT job FROM ${schema}.jobs
    WHERE holder IS NULL AND due_at <= ${NOW} AND job <> ALL (in_hand)
    ORDER BY due_at LIMIT max_jobs FOR UPDATE SKIP LOCKED
  ), chosen AS (
    SELECT job, begun FROM expired
    UNION ALL SELECT job, NULL FROM own UNION ALL SELECT job, NULL FROM free
    LIMIT max_jobs
  ), crashed AS (
    UPDATE ${schema}.events e SET crashes = e.crashes + 1, due_at = ${NOW}
    FROM chosen c WHERE e.id = c.begun AND e.job IS NOT DISTINCT FROM c.job AND e.state = 'open'
  )
  UPDATE ${schema}.jobs j SET
    holder = taker,
    token = greatest(j.token + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint),
    due_at = ${NOW} + lease_for * ${MILLISECOND},
    begun = NULL
  FROM chosen WHERE j.job = chosen.job
  RETURNING j.*;
END $$;
`;
}

/** Returns when a job is due that this holder does not have in hand. */
function nextDue(schema: string): string {
  return `CREATE FUNCTION ${schema}.next_due(taker text, in_hand text[])
RETURNS timestamptz LANGUAGE plpgsql ${ORDERED} AS $$
#variable_conflict use_column
BEGIN
  RETURN least(
    (SELECT due_at FROM ${schema}.jobs
     WHERE holder IS NULL AND due_at IS NOT NULL AND job <> ALL (in_hand) ORDER BY due_at LIMIT 1),
    (SELECT min(CASE WHEN holder = taker THEN ${NOW} ELSE due_at END) FROM ${schema}.jobs
     WHERE holder IS NOT NULL AND job <> ALL (in_hand))
  );
END $$;
`;
}

/** Writes how events of a held job arrived. Returns false when the lease is lost. */
function keepArrivals(schema: string): string {
  return `CREATE FUNCTION ${schema}.keep_arrivals(
  held_job text, held_token bigint, ids text[], arrivals text[]
) RETURNS boolean LANGUAGE plpgsql ${SETTINGS} AS $$
#variable_conflict use_column
BEGIN
  PERFORM FROM ${schema}.jobs WHERE job = held_job AND token = held_token AND holder IS NOT NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE ${schema}.events e SET arrival = a.arrival
  FROM unnest(ids, arrivals) AS a (id, arrival)
  WHERE e.id = a.id COLLATE "C" AND e.job IS NOT DISTINCT FROM held_job;
  RETURN true;
END $$;
`;
}

/**
 * Writes outcomes, then keeps or ends the lease: `milliseconds` is its length, or the time until the
 * job is due. Returns the last position of the job, or null when the lease is lost.
 */
function finishJob(schema: string): string {
  return `CREATE FUNCTION ${schema}.finish_job(
  held_job text, held_token bigint, is_async boolean, is_kept boolean, milliseconds float8,
  next_event text, seen_position int, settled_with text, new_order text, ids text[], states text[], delays float8[], errors text[],
  reasons text[], failures int[], keeps float8[]
) RETURNS int LANGUAGE plpgsql ${SETTINGS} AS $$
#variable_conflict use_column
DECLARE last int;
BEGIN
  UPDATE ${schema}.jobs SET
    holder = CASE WHEN is_kept THEN holder END,
    begun = CASE WHEN is_kept THEN next_event END,
    is_due_again = is_due_again AND is_kept,
    settled_by = coalesce(settled_with, settled_by),
    run_order = coalesce(new_order, run_order),
    due_at = CASE WHEN NOT is_kept AND (is_due_again OR last_position > seen_position) THEN ${NOW}
             ELSE ${NOW} + milliseconds * ${MILLISECOND} END
  WHERE job = held_job AND token = held_token AND holder IS NOT NULL
  RETURNING last_position INTO last;
  IF last IS NULL THEN RETURN NULL; END IF;
  IF is_async THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
  IF cardinality(ids) = 0 THEN RETURN last; END IF;
  WITH changed AS (
    UPDATE ${schema}.events e SET
      state = o.state,
      attempts = e.attempts + o.failures,
      crashes = CASE WHEN o.state = 'dead' THEN e.crashes ELSE 0 END,
      due_at = ${NOW} + o.delay * ${MILLISECOND},
      error = coalesce(o.error, e.error),
      reason = coalesce(o.reason, e.reason)
    FROM unnest(ids, states, delays, errors, reasons, failures, keeps)
      AS o (id, state, delay, error, reason, failures, keep)
    WHERE e.id = o.id COLLATE "C" AND e.job IS NOT DISTINCT FROM held_job AND e.state = 'open'
    RETURNING e.body, e.state, e.reason, o.keep
  ), dropped AS (
    DELETE FROM ${schema}.bodies b USING changed c WHERE b.number = c.body AND c.state = 'settled'
    RETURNING b.number, b.id, b.job, b.automation_id, b.body, c.keep
  ), kept AS (
    INSERT INTO ${schema}.kept_bodies (number, id, job, automation_id, until, body)
    SELECT number, id, job, automation_id, ${NOW} + keep * ${MILLISECOND}, body FROM dropped WHERE keep > 0
  )
  UPDATE ${schema}.bodies b SET reason = c.reason
  FROM changed c WHERE b.number = c.body AND c.state = 'dead';
  RETURN last;
END $$;
`;
}
