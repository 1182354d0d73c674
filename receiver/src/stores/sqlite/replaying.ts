import type { Part } from '../in-parts.ts';
import type { ReplayFilter } from '../store.ts';
import type { Database, SqlRow } from './driver.ts';
import type { Moment } from './moment.ts';
import { numberIn, text } from './rows.ts';
import type { Totals } from './totals.ts';

/**
 * One call looks at this many events, and at the others of the last run, because the thread does nothing else
 * meanwhile. A run is opened as a whole: else its later events could be handled before its earlier ones.
 */
const STEP = 1_000;

/** Returns a function that opens some settled events again, or counts them. */
export function replaying(
  database: Database,
  totals: Totals,
): (at: Moment, filter: ReplayFilter, dryRun: boolean, after: number) => Part<number> {
  const open = database.prepare(
    `UPDATE hookproof_events SET state = 'open', attempts = 0, crashes = 0, retry_at = NULL,
       failed_at = NULL, is_replay = 1 WHERE seq = ?`,
  );
  const takeBody = database.prepare(
    `INSERT INTO hookproof_bodies (event, body)
     SELECT event, body FROM hookproof_kept_bodies WHERE event = ?`,
  );
  const forgetKept = database.prepare('DELETE FROM hookproof_kept_bodies WHERE event = ?');
  const openJob = database.prepare(
    `UPDATE hookproof_jobs SET due = ?1, stamp = ?1, unsettled = unsettled + 1,
       settled_by = nullif(settled_by, ?2) WHERE seq = ?3`,
  );
  return ({ monotonic, wall }, filter, dryRun, after) => {
    const { rows, last } = candidates(database, filter, after);
    const chosen = rows.filter((row) => isChosen(row, filter, wall));
    for (const row of dryRun ? [] : chosen) {
      const seq = numberIn(row, 'seq');
      takeBody.run(seq);
      forgetKept.run(seq);
      open.run(seq);
      openJob.run(monotonic, text(row, 'id'), numberIn(row, 'job'));
      totals.move('settled', 'open');
    }
    return { count: chosen.length, last };
  };
}

/**
 * Reads the events with a kept body in the next jobs after one: by ids, run or automation if the filter has them. The
 * order of the tables is the order in which they are read. `last` is the last of these jobs; `null`: no more.
 */
function candidates(
  database: Database,
  { ids, runId, automationId }: ReplayFilter,
  after: number,
): { readonly rows: readonly SqlRow[]; readonly last: number | null } {
  const [tables, values] = ids === undefined ? keptOf(runId, automationId) : keptNamed(ids);
  const end = database
    .prepare(`SELECT k.job FROM ${tables} AND k.job > ? ORDER BY k.job LIMIT 1 OFFSET ${STEP - 1}`)
    .get(...values, after);
  const last = end === undefined ? null : numberIn(end, 'job');
  const rows = database
    .prepare(
      `SELECT e.seq, e.id, e.job, e.received_at, e.current_status, e.automation_id, j.run_id, c.until
       FROM (SELECT k.event, k.job, k.until FROM ${tables} AND k.job > ? AND k.job <= ?) c
       CROSS JOIN hookproof_events e ON e.seq = c.event
       CROSS JOIN hookproof_jobs j ON j.seq = e.job`,
    )
    .all(...values, after, last ?? Number.MAX_SAFE_INTEGER);
  return { rows, last };
}

type Tables = readonly [text: string, values: readonly string[]];

function keptNamed(ids: readonly string[]): Tables {
  const tables = `(SELECT DISTINCT value FROM json_each(?)) i
    CROSS JOIN hookproof_events n ON n.id = i.value
    CROSS JOIN hookproof_kept_bodies k ON k.event = n.seq WHERE true`;
  return [tables, [JSON.stringify(ids)]];
}

function keptOf(runId: string | undefined, automationId: string | undefined): Tables {
  if (runId !== undefined) {
    const job = '(SELECT seq FROM hookproof_jobs WHERE run_id = ?)';
    return [`hookproof_kept_bodies k WHERE k.job = ${job}`, [runId]];
  }
  if (automationId === undefined) return ['hookproof_kept_bodies k WHERE true', []];
  const tables = `hookproof_jobs r INDEXED BY hookproof_jobs_automation
    CROSS JOIN hookproof_kept_bodies k ON k.job = r.seq WHERE r.automation_id = ?`;
  return [tables, [automationId]];
}

function isChosen(
  row: SqlRow,
  { runId, automationId, handler, since, until }: ReplayFilter,
  now: number,
): boolean {
  const receivedAt = numberIn(row, 'received_at');
  return (
    numberIn(row, 'until') > now &&
    (runId === undefined || row['run_id'] === runId) &&
    (automationId === undefined || row['automation_id'] === automationId) &&
    (handler === undefined || row['current_status'] === handler) &&
    receivedAt >= (since ?? -Infinity) &&
    receivedAt < (until ?? Infinity)
  );
}
