import type { Query } from './driver.ts';

/**
 * Looks at the database before the first event is accepted. Some settings would let deliveries in
 * whose events can never be handled.
 *
 * @throws {TypeError} When the database or the client has such a setting.
 */
export async function checkDatabase(query: Query): Promise<void> {
  const { rows } = await query(
    "SELECT current_setting('server_encoding'), true, ($1::text)::bigint",
    ['1'],
    ['encoding', 'yes', 'one'],
  );
  const { encoding, yes, one } = rows[0] ?? {};
  if (yes !== 't' || one !== '1') {
    throw new TypeError(
      'The client of PostgreSQL must return values as text to the statements of the store, got ' +
        `${describe(yes)} for true and ${describe(one)} for 1. Pass one without binary: true (pg), ` +
        'without transform.row (postgres), and not pg-native.',
    );
  }
  if (encoding === 'UTF8') return;
  throw new TypeError(
    `The database must have the encoding UTF8, got ${encoding}. Create one with CREATE DATABASE name ` +
      `ENCODING 'UTF8' TEMPLATE template0, because others cannot keep every text of an event.`,
  );
}

/** A client that does not do what it is asked for can return anything. */
function describe(value: unknown): string {
  return typeof value === 'string' ? value : typeof value;
}
