import { number, numberOrNull } from '../rows.ts';
import type { Change, EventFilter } from '../store.ts';
import type { Query } from './driver.ts';
import { NOW } from './rows.ts';
import { joined, whereOf } from './where.ts';

/** How many events or jobs one statement changes, so that others have their turn in between. */
const PART = 1_000;

/** The operations with which people change what is stored, and the purge. */
export class Changing {
  readonly #query: Query;
  readonly #schema: string;

  constructor(query: Query, schema: string) {
    this.#query = query;
    this.#schema = schema;
  }

  async change(
    what: Change,
    filter: Omit<EventFilter, 'state'>,
    { dryRun }: { readonly dryRun: boolean },
  ): Promise<number> {
    const { where, values } = whereOf({ ...filter, state: what === 'replay' ? 'handled' : 'dead' });
    const chosen = what === 'replay' ? `${where} AND b.state = 'kept' AND b.until > ${NOW}` : where;
    if (dryRun) {
      const text = `SELECT count(*) FROM ${joined(this.#schema)} WHERE ${chosen}`;
      const { rows } = await this.#query(text, values, ['count']);
      return number(rows[0] ?? {}, 'count');
    }
    return this.#inParts(changeStatement(this.#schema, what, chosen, values.length), values);
  }

  async setPaused(name: string, isPaused: boolean): Promise<void> {
    if (isPaused) {
      const text = `INSERT INTO ${this.#schema}.pauses VALUES ($1, ${NOW}) ON CONFLICT DO NOTHING`;
      await this.#query(text, [name]);
      return;
    }
    const { rowCount } = await this.#query(resumeStatement(this.#schema), [name]);
    if (rowCount > 0) await this.#inParts(makeDueStatement(this.#schema), []);
  }

  async purge(olderThan: number): Promise<number> {
    await this.#inParts(purgeBodiesStatement(this.#schema), []);
    return this.#inParts(purgeStatement(this.#schema), [String(olderThan)]);
  }

  /**
   * Repeats a statement with the number up to which it has come as its last value. Returns the sum
   * of its counts.
   */
  async #inParts(text: string, values: readonly string[]): Promise<number> {
    let count = 0;
    for (let after: number | null = 0; after !== null;) {
      const names = ['count', 'last'];
      const { rows } = await this.#query(text, [...values, String(after)], names);
      const part = rows[0] ?? {};
      count += number(part, 'count');
      after = numberOrNull(part, 'last');
    }
    return count;
  }
}

/** Makes a job `j` due: now, or when its lease is released. */
const DUE_AGAIN = `is_due_again = j.holder IS NOT NULL,
        due_at = CASE WHEN j.holder IS NULL THEN ${NOW} ELSE j.due_at END`;

/** Returns how many were changed, and the number up to which this part came; null at the end. */
function resultOf(changed: string, seen: string, column: string): string {
  return `SELECT (SELECT count(*) FROM ${changed}),
      (SELECT max(${column}) FROM ${seen} HAVING count(*) = ${PART})`;
}

/** What a change does to the event `e`, and to its body. */
const CHANGES: Readonly<Record<Change, { readonly event: string; readonly body: string | null }>> =
  {
    redrive: {
      event: `state = 'open', reason = NULL, attempts = 0, crashes = 0, first_failed_at = NULL, due_at = NULL`,
      body: `state = 'open', until = NULL`,
    },
    replay: {
      event: `state = 'open', is_replay = true, attempts = 0, crashes = 0, first_failed_at = NULL, due_at = NULL, handled_at = NULL`,
      body: `state = 'open', until = NULL`,
    },
    discard: { event: `state = 'handled', reason = NULL, handled_at = ${NOW}`, body: null },
  };

/**
 * Looks for some events that match, and changes all that match of their jobs: else later events of
 * a job could be handled before its earlier ones. Jobs are locked in the order of their keys and
 * before their events, as everywhere. Whoever changes the body changes the event, so that of two
 * simultaneous changes one does.
 */
function changeStatement(schema: string, what: Change, where: string, count: number): string {
  const { event, body } = CHANGES[what];
  const from = what === 'replay' ? 'kept' : 'dead';
  const whose = `b.event = c.event AND b.state = '${from}'`;
  return `
    WITH seen AS MATERIALIZED (
      SELECT e.event, e.job FROM ${joined(schema)}
      WHERE ${where} AND e.event > ($${count + 1}::text)::bigint ORDER BY e.event LIMIT ${PART}
    ), locked AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE job IN (SELECT job FROM seen) ORDER BY key, source, job FOR UPDATE
    ), chosen AS MATERIALIZED (
      SELECT e.event FROM ${joined(schema)} WHERE ${where} AND e.job IN (SELECT job FROM locked)
    ), body AS (
      ${
        body === null
          ? `DELETE FROM ${schema}.bodies b USING chosen c WHERE ${whose} RETURNING b.event`
          : `UPDATE ${schema}.bodies b SET ${body} FROM chosen c WHERE ${whose} RETURNING b.event`
      }
    ), changed AS (
      UPDATE ${schema}.events e SET ${event} FROM body WHERE e.event = body.event RETURNING e.job, e.id
    ), woken AS (
      UPDATE ${schema}.jobs j SET ${DUE_AGAIN},
        settled_by = CASE WHEN EXISTS (SELECT FROM changed c WHERE c.job = j.job AND c.id = j.settled_by)
          THEN NULL ELSE j.settled_by END
      WHERE j.job IN (SELECT job FROM changed) AND ${what === 'discard' ? 'false' : 'true'}
    )
    ${resultOf('changed', 'seen', 'event')}`;
}

/**
 * Ends pause `$1`, and returns its name if there was one. Its time does not count for events that
 * failed. Leased jobs are due when they are released.
 */
function resumeStatement(schema: string): string {
  return `
    WITH ended AS (
      DELETE FROM ${schema}.pauses WHERE name = $1 RETURNING name, since
    ), locked AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE EXISTS (SELECT FROM ended) AND (holder IS NOT NULL OR job IN (
        SELECT e.job FROM ${schema}.bodies b JOIN ${schema}.events e ON e.event = b.event WHERE b.state = 'retrying'))
      ORDER BY key, source, job FOR UPDATE
    ), due AS (
      UPDATE ${schema}.jobs j SET is_due_again = true FROM locked l WHERE j.job = l.job AND j.holder IS NOT NULL
    ), later AS (
      UPDATE ${schema}.events e SET first_failed_at = e.first_failed_at + (${NOW} - greatest(p.since, e.first_failed_at))
      FROM ended p, ${schema}.bodies b
      WHERE b.state = 'retrying' AND e.event = b.event AND p.name IN ('*', e.handler, e.source || '/*', e.source || '/' || e.handler)
        AND e.job IN (SELECT job FROM locked)
    )
    SELECT name FROM ended`;
}

/** Makes some jobs after number `$1` due that wait for a time. */
function makeDueStatement(schema: string): string {
  return `
    WITH seen AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE holder IS NULL AND due_at > ${NOW} AND job > ($1::text)::bigint
      ORDER BY job LIMIT ${PART}
    ), locked AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE job IN (SELECT job FROM seen) ORDER BY key, source, job FOR UPDATE
    ), due AS (
      UPDATE ${schema}.jobs j SET ${DUE_AGAIN} FROM locked l WHERE j.job = l.job RETURNING j.job
    )
    ${resultOf('due', 'seen', 'job')}`;
}

/** Deletes some bodies whose time is over. */
function purgeBodiesStatement(schema: string): string {
  return `
    WITH old AS MATERIALIZED (
      SELECT event FROM ${schema}.bodies WHERE state = 'kept' AND until <= ${NOW} AND event > ($1::text)::bigint
      ORDER BY event LIMIT ${PART} FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM ${schema}.bodies b USING old WHERE b.event = old.event RETURNING b.event
    )
    ${resultOf('gone', 'old', 'event')}`;
}

/**
 * Forgets some jobs whose events are all handled and were signed `$1` milliseconds before the
 * newest of all events.
 */
function purgeStatement(schema: string): string {
  const isOld = `newest < (SELECT max(newest) FROM ${schema}.jobs) - ($1::text)::float8 / 1000`;
  return `
    WITH seen AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE ${isOld} AND job > ($2::text)::bigint ORDER BY job LIMIT ${PART}
    ), old AS MATERIALIZED (
      SELECT j.job FROM ${schema}.jobs j
      WHERE j.job IN (SELECT job FROM seen) AND ${isOld} AND j.holder IS NULL
        -- A replay that ends while this waits for the row makes the job due.
        AND j.due_at IS NULL
        AND NOT EXISTS (SELECT FROM ${schema}.events e WHERE e.job = j.job AND e.state <> 'handled')
      FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM ${schema}.events e USING old WHERE e.job = old.job RETURNING e.event
    ), bodies AS (
      DELETE FROM ${schema}.bodies b USING gone WHERE b.event = gone.event
    ), jobs AS (
      DELETE FROM ${schema}.jobs j USING old WHERE j.job = old.job
    )
    ${resultOf('gone', 'seen', 'job')}`;
}
