import { bodyDigest } from '../digest.ts';
import { isTrue, number } from '../rows.ts';
import type { AcceptOutcome, NewEvent } from '../store.ts';
import { Batches } from './batches.ts';
import type { Query } from './driver.ts';
import { isAboutStatement, sqlState } from './failures.ts';
import { json, LOCK_TIMEOUT, NOW } from './rows.ts';

const UNIQUE_VIOLATION = '23505';
const MAX_TRIES = 10;

/** An event whose body is copied and digested. */
interface Prepared {
  readonly event: NewEvent;
  readonly body: Buffer;
  readonly digest: string;
}

/** Returns a function that accepts an event. The body is copied before it returns. */
export function acceptingEvents(
  query: Query,
  schema: string,
): (event: NewEvent) => Promise<AcceptOutcome> {
  const statement = acceptStatement(schema);

  const write = async (
    events: readonly Prepared[],
  ): Promise<ReadonlyMap<Prepared, AcceptOutcome>> => {
    const values = valuesOf(events);
    for (let tries = 1; ; tries += 1) {
      try {
        const { rows } = await query(statement, values, ['n', 'is_same']);
        const known = new Map(rows.map((row) => [number(row, 'n'), isTrue(row, 'is_same')]));
        return new Map(events.map((event, n) => [event, outcomeOf(known.get(n))]));
      } catch (error) {
        // Another process has accepted one of the ids since the statement began.
        if (tries === MAX_TRIES || sqlState(error) !== UNIQUE_VIOLATION) throw error;
      }
    }
  };

  const batches = new Batches<Prepared, AcceptOutcome>({
    isAboutOne: isAboutStatement,
    bytesOf: ({ body }) => body.length,
    async send(events) {
      const { firsts, others } = byId(events);
      const outcomes = await write(firsts);
      // A repetition is compared with the first one, which is stored now.
      const repeated = others.length === 0 ? outcomes : await write(others);
      return events.map((event) => outcomes.get(event) ?? repeated.get(event) ?? 'conflict');
    },
  });

  return (event) => {
    const body = Buffer.from(event.body);
    return batches.call({ event, body, digest: bodyDigest(body) });
  };
}

/** Separates the repetitions within a batch. */
function byId(events: readonly Prepared[]): { firsts: Prepared[]; others: Prepared[] } {
  const firsts = new Map<string, Prepared>();
  const others: Prepared[] = [];
  for (const one of events) {
    const name = `${one.event.source} ${one.event.id}`;
    if (firsts.has(name)) others.push(one);
    else firsts.set(name, one);
  }
  return { firsts: [...firsts.values()], others };
}

function outcomeOf(isSame: boolean | undefined): AcceptOutcome {
  if (isSame === undefined) return 'new';
  return isSame ? 'duplicate' : 'conflict';
}

/** Returns what is known of the events, and their bodies as one long value. */
function valuesOf(events: readonly Prepared[]): [string, Uint8Array] {
  let end = 0;
  const given = events.map(({ event, body, digest }, n) => {
    const { source, id, key, owner, type, handler, facts, error, timestamp } = event;
    const start = end + 1;
    end += body.length;
    const place = { start, length: body.length };
    return { n, source, id, key, owner, type, handler, facts, error, digest, timestamp, ...place };
  });
  return [json(given), Buffer.concat(events.map(({ body }) => body))];
}

/**
 * Accepts a batch, and returns those that were known. It locks jobs in the order of their keys, so
 * that two batches never wait for each other, and gives positions under these locks, so that events
 * of a job become visible in the order of their positions. An id that another transaction has just
 * accepted violates the unique index, which undoes the batch; a repeated call then sees it as
 * known.
 */
function acceptStatement(schema: string): string {
  return `
    WITH settings AS MATERIALIZED (
      SELECT ${LOCK_TIMEOUT},
        CASE WHEN current_setting('synchronous_commit') = 'off'
             THEN set_config('synchronous_commit', 'on', true) END
    ), incoming AS MATERIALIZED (
      SELECT i.*, e.digest = i.digest AS is_same
      FROM settings, json_to_recordset(($1::text)::json) AS i (
        n int, source text, id text, key text, owner text, type text, handler text, facts text, error text,
        digest text, timestamp bigint, start int, length int)
      LEFT JOIN ${schema}.events e ON e.id = i.id AND e.source = i.source
    ), fresh AS MATERIALIZED (
      SELECT i.*, nextval('${schema}.event_numbers') AS event FROM (
        SELECT r.*, row_number() OVER (PARTITION BY job_rank ORDER BY n) AS number,
          count(*) OVER (PARTITION BY job_rank) AS total
        FROM (
          SELECT incoming.*, dense_rank() OVER (
            ORDER BY key COLLATE "C", source COLLATE "C", CASE WHEN key IS NULL THEN n END) AS job_rank
          FROM incoming WHERE is_same IS NULL
        ) r ORDER BY n
      ) i
    ), incoming_jobs AS MATERIALIZED (
      SELECT j.*, nextval('${schema}.job_numbers') AS job FROM (
        SELECT job_rank, source, key, (array_agg(owner ORDER BY n))[1] AS owner, max(timestamp) AS newest,
          bool_or(error IS NULL) AS is_due, count(*)::int AS total
        FROM fresh GROUP BY job_rank, source, key ORDER BY job_rank
      ) j
    ), placed AS (
      INSERT INTO ${schema}.jobs AS j (job, source, key, owner, last_position, newest, due_at)
      SELECT job, source, key, owner, total, newest, CASE WHEN is_due THEN ${NOW} END
      FROM incoming_jobs ORDER BY job_rank
      ON CONFLICT (key, source) DO UPDATE SET
        last_position = j.last_position + excluded.last_position,
        newest = greatest(j.newest, excluded.newest),
        due_at = CASE WHEN j.holder IS NULL THEN least(j.due_at, excluded.due_at) ELSE j.due_at END
      RETURNING j.job, j.source, j.key, j.last_position
    ), numbered AS MATERIALIZED (
      SELECT f.*, coalesce(p.job, j.job) AS job, coalesce(p.last_position, j.total) - f.total + f.number AS position,
        CASE WHEN f.error IS NULL THEN 'open' ELSE 'dead' END AS state
      FROM fresh f JOIN incoming_jobs j ON j.job_rank = f.job_rank
      LEFT JOIN placed p ON p.key = f.key AND p.source = f.source
    ), written AS (
      INSERT INTO ${schema}.events (event, source, id, job, position, state, type, handler, facts, received_at,
        reason, error, digest)
      SELECT event, source, id, job, position, state, type, handler, facts, ${NOW},
        CASE WHEN error IS NOT NULL THEN 'event_quarantined' END, error, digest
      FROM numbered ORDER BY id
    ), kept AS (
      INSERT INTO ${schema}.bodies (event, state, body)
      SELECT event, state, substring($2::bytea FROM start FOR length) FROM numbered ORDER BY event
    )
    SELECT n, is_same FROM incoming WHERE is_same IS NOT NULL`;
}
