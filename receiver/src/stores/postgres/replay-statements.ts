import type { ReplayFilter } from '../store.ts';
import { conditionsOf } from './conditions.ts';
import type { Conditions } from './conditions.ts';
import { textArray } from './driver.ts';

/**
 * One statement opens this many events, and the others of the last run. A run is opened as a whole: else its
 * later events could be handled before its earlier ones.
 */
const STEP = 1_000;

const RECEIVED_AT = '(extract(epoch FROM e.received_at) * 1000)::float8';

interface ChosenStatement {
  readonly text: string;
  readonly values: readonly string[];
}

/** Chooses settled events `e` with their bodies `k` in jobs after a name: by id, run and automation by an index. */
function chosenAfter(
  after: string,
  { ids, runId, automationId, handler, since, until }: ReplayFilter,
): Conditions<string> {
  return conditionsOf([
    ['k.until > statement_timestamp() AND k.job > ?', after],
    ['e.id = ANY ((?::text)::text[])', ids && textArray(ids)],
    ['k.job = ?', runId === undefined ? undefined : `run:${runId}`],
    ['k.automation_id = ?', automationId],
    ['e.current_status = ?', handler],
    [`${RECEIVED_AT} >= (?::text)::float8`, since === undefined ? undefined : String(since)],
    [`${RECEIVED_AT} < (?::text)::float8`, until === undefined ? undefined : String(until)],
  ]);
}

function tables(schema: string): string {
  return `${schema}.kept_bodies k JOIN ${schema}.events e ON e.id = k.id AND e.body = k.number`;
}

export function replayCountStatement(schema: string, filter: ReplayFilter): ChosenStatement {
  const { condition, values } = chosenAfter('', filter);
  return { text: `SELECT count(*) AS count FROM ${tables(schema)} WHERE ${condition}`, values };
}

/**
 * Opens the events of the next jobs after a name; returns how many, and the last of these jobs, null at the end.
 * Jobs are locked in the order of their names and before their events, as everywhere. Whoever takes the body
 * away opens the event, so that of two simultaneous replays one does, and none after a purge.
 */
export function replayStatement(
  schema: string,
  filter: ReplayFilter,
  after: string,
): ChosenStatement {
  const { condition, values } = chosenAfter(after, filter);
  const text = `
    WITH bound AS MATERIALIZED (
      SELECT k.job FROM ${tables(schema)} WHERE ${condition} ORDER BY k.job OFFSET ${STEP - 1} LIMIT 1
    ), chosen AS MATERIALIZED (
      SELECT k.number, k.job FROM ${tables(schema)}
      WHERE ${condition} AND k.job <= coalesce((SELECT job FROM bound), '~')
    ), locked AS MATERIALIZED (
      SELECT job FROM ${schema}.jobs WHERE job IN (SELECT job FROM chosen)
      ORDER BY job FOR UPDATE
    ), taken AS (
      DELETE FROM ${schema}.kept_bodies k USING chosen c JOIN locked l ON l.job = c.job
      WHERE k.number = c.number RETURNING k.number, k.id, k.body
    ), opened AS (
      UPDATE ${schema}.events e SET
        state = 'open', attempts = 0, crashes = 0, due_at = NULL, is_replay = true
      FROM taken t WHERE e.id = t.id
      RETURNING e.id, e.job, e.place, e.automation_id, e.received_at, t.number, t.body
    ), returned AS (
      INSERT INTO ${schema}.bodies (number, id, job, place, automation_id, received_at, body)
      SELECT number, id, job, place, automation_id, received_at, body FROM opened
    ), woken AS (
      UPDATE ${schema}.jobs j SET
        settled_by = CASE WHEN j.settled_by IN (SELECT id FROM opened) THEN NULL ELSE j.settled_by END,
        is_due_again = j.holder IS NOT NULL,
        due_at = CASE WHEN j.holder IS NULL THEN statement_timestamp() ELSE j.due_at END
      WHERE j.job IN (SELECT job FROM opened)
    )
    SELECT (SELECT count(*) FROM opened) AS count, (SELECT job FROM bound) AS last`;
  return { text, values };
}
