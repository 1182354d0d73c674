import type { EventFilter } from '../store.ts';
import type { SqlValue } from './driver.ts';

/** A condition on an event `e` and its job `j`. */
export interface Condition {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Returns the condition of a filter. */
export function conditionOf(filter: EventFilter): Condition {
  const parts: string[] = ['true'];
  const values: SqlValue[] = [];
  const add = (text: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    parts.push(text);
    values.push(value);
  };
  const { ids, message, state } = filter;
  add('e.source = ?', filter.source);
  add(
    'e.id IN (SELECT value FROM json_each(?))',
    ids === undefined ? undefined : JSON.stringify(ids),
  );
  if (filter.key !== undefined) {
    const source = filter.source === undefined ? '' : ' AND source = e.source';
    add(`e.job IN (SELECT seq FROM hookproof_jobs WHERE key = ?${source})`, filter.key);
  }
  add('j.owner = ?', filter.owner);
  add('e.state = ?', state);
  // The index of what is not handled has this condition.
  if (state === 'open' || state === 'dead') parts.push("e.state <> 'handled'");
  add('e.reason = ?', filter.reason);
  add('e.handler = ?', filter.handler);
  if (message !== undefined) add('substr(e.error, 1, ?) = ?', message.length);
  if (message !== undefined) values.push(message);
  add('e.received_at >= ?', filter.since);
  add('e.received_at < ?', filter.until);
  return { text: parts.join(' AND '), values };
}
