import type { Pool } from 'pg';

/** Returns how many rows of the tables of stores were read so far. */
export async function rowsRead(pool: Pool): Promise<number> {
  // Each connection reports what it read at most once a second, or when it is asked to.
  const flushes = Array.from({ length: pool.options.max }, () =>
    pool.query('SELECT pg_stat_force_next_flush()'),
  );
  await Promise.all(flushes);
  const { rows } = await pool.query<{ count: number }>(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS count
     FROM pg_stat_user_tables WHERE relname <> 'version'`,
  );
  return rows[0]?.count ?? Number.NaN;
}
