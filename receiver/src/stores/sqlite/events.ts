import { bodyDigest, repetitionOutcome } from '../repetition.ts';
import type { AcceptOutcome, DeadLetterFilter, IncomingEvent, Outcome } from '../store.ts';
import type { Database, SqlValue } from './driver.ts';
import { bytesOrNull, text } from './rows.ts';
import type { Now } from './rows.ts';

export interface SqliteEvents {
  begin(id: string, work: string): boolean;
  discard(id: string): boolean;
  accept(event: IncomingEvent, now: Now): AcceptOutcome;
  apply(work: string, outcome: Outcome, now: Now): void;
  redrive(filter: DeadLetterFilter, now: Now): number;
  purge(before: number): number;
}

/** The changes of events. Run each inside a transaction. */
export function sqliteEvents(database: Database): SqliteEvents {
  const known = database.prepare('SELECT body, digest FROM hookproof_accepted WHERE id = ?');
  const workOf = database.prepare(
    `INSERT INTO hookproof_works (work, run_id, last_position, due_at, has_news) VALUES (?, ?, 1, ?, 1)
     ON CONFLICT (work) DO UPDATE SET last_position = last_position + 1,
       due_at = coalesce(excluded.due_at, due_at), has_news = 1
     RETURNING last_position`,
  );
  const insert = database.prepare(
    `INSERT INTO hookproof_accepted (id, work, position, received_at, state, retry_at,
       previous_status, current_status, created_at, reason, error, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const change = (assignments: string, condition: string) => {
    const sql = `UPDATE hookproof_accepted SET ${assignments} WHERE ${condition}`;
    const statement = database.prepare(sql);
    return (...values: SqlValue[]): number => Number(statement.run(...values).changes);
  };
  const openOfWork = "id = ? AND work = ? AND state = 'open'";
  const settle = change(
    "state = 'settled', starts = 0, digest = ?, body = NULL, reason = NULL",
    openOfWork,
  );
  const fail = change('attempts = attempts + 1, starts = 0, retry_at = ?, error = ?', openOfWork);
  const setAside = change(
    "state = 'dead', starts = 0, attempts = attempts + ?, reason = ?, error = ?",
    openOfWork,
  );
  const begin = change('starts = starts + 1', openOfWork);
  const settleRun = database.prepare(
    'UPDATE hookproof_works SET is_run_settled = 1 WHERE work = ?',
  );
  const discard = change("state = 'settled', digest = ?, body = NULL", "id = ? AND state = 'dead'");
  const bodyOf = database.prepare('SELECT body FROM hookproof_accepted WHERE id = ?');
  const digestOf = (id: string): Uint8Array | null => {
    const body = bytesOrNull(bodyOf.get(id) ?? {}, 'body');
    return body === null ? null : bodyDigest(body);
  };

  return {
    begin: (id: string, work: string): boolean => begin(id, work) === 1,
    discard: (id: string): boolean => discard(digestOf(id), id) === 1,
    accept({ id, body, content }: IncomingEvent, now: Now): AcceptOutcome {
      const row = known.get(id);
      if (row !== undefined) {
        const kept = { body: bytesOrNull(row, 'body'), digest: bytesOrNull(row, 'digest') };
        return repetitionOutcome(body, kept);
      }
      const runId = content.kind === 'run' ? content.runId : null;
      const work = runId === null ? `event:${id}` : `run:${runId}`;
      const isInvalid = content.kind === 'invalid';
      const { last_position: position } =
        workOf.get(work, runId, isInvalid ? null : now.monotonic) ?? {};
      const edge = content.kind === 'run' ? content.edge : null;
      insert.run(
        id,
        work,
        Number(position),
        now.epoch,
        isInvalid ? 'dead' : 'open',
        now.monotonic,
        edge?.previousStatus ?? null,
        edge?.currentStatus ?? null,
        edge?.createdAt ?? null,
        isInvalid ? 'event_quarantined' : null,
        isInvalid ? content.error : null,
        body,
      );
      return 'new';
    },
    apply(work: string, outcome: Outcome, now: Now): void {
      const { id } = outcome;
      if (outcome.as === 'failed') fail(now.monotonic + outcome.dueIn, outcome.error, id, work);
      else if (outcome.as === 'dead') {
        setAside(outcome.isFailure ? 1 : 0, outcome.reason, outcome.error, id, work);
      } else if (settle(digestOf(id), id, work) === 1 && outcome.runSettled) settleRun.run(work);
    },
    redrive: redriveDead(database),
    purge: purgeSome(database),
  };
}

function redriveDead(database: Database) {
  const makeDue = database.prepare(
    'UPDATE hookproof_works SET due_at = ?, has_news = 1 WHERE work = ?',
  );
  return ({ ids, reason, runId }: DeadLetterFilter, now: Now): number => {
    const reopened = database
      .prepare(
        `UPDATE hookproof_accepted SET state = 'open', attempts = 0, starts = 0, retry_at = ?1
         WHERE state = 'dead' AND (?2 IS NULL OR reason = ?2) AND (?3 IS NULL OR work = 'run:' || ?3)
           AND (?4 IS NULL OR id IN (SELECT value FROM json_each(?4))) RETURNING work`,
      )
      .all(
        now.monotonic,
        reason ?? null,
        runId ?? null,
        ids === undefined ? null : JSON.stringify(ids),
      );
    for (const row of reopened) makeDue.run(now.monotonic, text(row, 'work'));
    return reopened.length;
  };
}

/** Returns a function that deletes a bounded number of old works and returns the number of their events. */
function purgeSome(database: Database) {
  const works = database.prepare(
    `SELECT work FROM hookproof_works w WHERE holder IS NULL AND NOT EXISTS (
       SELECT 1 FROM hookproof_accepted e
       WHERE e.work = w.work AND (e.state <> 'settled' OR e.received_at >= ?)) LIMIT 1000`,
  );
  const forgetEvents = database.prepare('DELETE FROM hookproof_accepted WHERE work = ?');
  const forgetWork = database.prepare('DELETE FROM hookproof_works WHERE work = ?');
  return (before: number): number => {
    let count = 0;
    for (const row of works.all(before)) {
      count += Number(forgetEvents.run(text(row, 'work')).changes);
      forgetWork.run(text(row, 'work'));
    }
    return count;
  };
}
