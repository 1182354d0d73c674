import type { EventFilter } from '../store.ts';
import { epoch } from './rows.ts';

/** Events `e` with their jobs `j`, and their bodies `b` if there are any. */
export function joined(schema: string): string {
  return `${schema}.events e JOIN ${schema}.jobs j ON j.job = e.job
    LEFT JOIN ${schema}.bodies b ON b.event = e.event`;
}

/**
 * How the rows of `joined` are found by the state: open events and dead letters by the index of
 * their bodies.
 */
const STATES = {
  open: "b.state IN ('open', 'retrying')",
  dead: "b.state = 'dead'",
  handled: "e.state = 'handled'",
};

/** Returns the condition for the rows of `joined`, with `$1`, `$2`, … for its values. */
export function whereOf(filter: EventFilter): {
  readonly where: string;
  readonly values: string[];
} {
  const { source, ids, key, owner, state, reason, handler, message, since, until } = filter;
  const values: string[] = [];
  const conditions = state === undefined ? ['true'] : [STATES[state]];
  const add = (value: string | undefined, condition: (parameter: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}::text`));
  };
  add(source, (parameter) => `e.source = ${parameter}`);
  add(
    ids && JSON.stringify(ids),
    (parameter) => `e.id = ANY (ARRAY(SELECT json_array_elements_text((${parameter})::json)))`,
  );
  add(key, (parameter) => `j.key = ${parameter}`);
  add(owner, (parameter) => `j.owner = ${parameter}`);
  add(reason, (parameter) => `e.reason = ${parameter}`);
  add(handler, (parameter) => `e.handler = ${parameter}`);
  add(message, (parameter) => `starts_with(e.error, ${parameter})`);
  add(since?.toString(), (parameter) => `${epoch('e.received_at')} >= (${parameter})::float8`);
  add(until?.toString(), (parameter) => `${epoch('e.received_at')} < (${parameter})::float8`);
  return { where: conditions.join(' AND '), values };
}
