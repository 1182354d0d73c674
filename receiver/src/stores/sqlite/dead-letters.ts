import type { DeadLetterFilter } from '../store.ts';
import type { SqlValue } from './driver.ts';

/** A query for dead letters: what follows `SELECT … FROM`, without a limit. */
export interface DeadLetterQuery {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * Chooses dead letters after a number, the oldest first. Each part of a filter but the reason has an index, which
 * the query names: SQLite would rather walk over all dead letters in their order.
 */
export function deadLettersAfter(
  after: number,
  { ids, reason, runId, automationId }: DeadLetterFilter,
): DeadLetterQuery {
  const conditions = ["e.state = 'dead'", "e.state <> 'settled'", 'e.seq > ?'];
  const values: SqlValue[] = [after];
  if (runId !== undefined) {
    conditions.push('e.job = (SELECT seq FROM hookproof_jobs WHERE run_id = ?)');
    values.push(runId);
  }
  if (automationId !== undefined) {
    conditions.push('e.automation_id = ?');
    values.push(automationId);
  }
  if (reason !== undefined) {
    conditions.push('e.reason = ?');
    values.push(reason);
  }
  const where = `WHERE ${conditions.join(' AND ')} ORDER BY e.seq`;
  if (ids !== undefined) {
    const from = 'json_each(?) named CROSS JOIN hookproof_events e ON e.id = named.value';
    return { text: `${from} ${where}`, values: [JSON.stringify([...new Set(ids)]), ...values] };
  }
  const index = runId !== undefined ? 'waiting' : automationId === undefined ? 'dead' : 'dead_of';
  return { text: `hookproof_events e INDEXED BY hookproof_events_${index} ${where}`, values };
}
