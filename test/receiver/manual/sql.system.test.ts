import { postgresStore, postgresTables } from '@hookproof/receiver/postgres';
import { Client, Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { freshDatabase } from '../../services/databases.ts';
import { describeWith } from '../../services/local-server.ts';
import { incoming, openStore } from '../stores/open-store.ts';
import { manual } from './pages.ts';

/** The blocks, and statements about the tables of the store within a sentence. */
const SQL = /^```sql\n(.*?)^```|`((?:SELECT|INSERT|UPDATE|DELETE|DROP)[^`]* hookproof\.[^`]*)`/gms;

const blocks = manual().flatMap(({ name, text }) =>
  [...text.matchAll(SQL)].map(([, block, statement]) => ({ name, sql: block ?? statement ?? '' })),
);

describeWith('postgres')('the SQL of the manual', () => {
  test('is there', () => expect(blocks.length).toBeGreaterThan(0));

  test.each(blocks)('of $name runs with the tables of the store: $sql', async ({ sql }) => {
    const client = new Client(await freshDatabase());
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(postgresTables());
    await client.query('DROP ROLE IF EXISTS app');
    await client.query('CREATE ROLE app');
    await client.query(sql);
    await client.query('DROP OWNED BY app');
    await client.query('DROP ROLE app');
  });

  test('has alerts that count what is to be seen', async () => {
    const pool = new Pool({ connectionString: await freshDatabase(), max: 8 });
    const store = postgresStore({ pool });
    await openStore(store);
    onTestFinished(async () => {
      await store.close();
      await pool.end();
    });
    await store.accept(incoming('whev_1'));
    await store.accept({ ...incoming('whev_2'), error: 'no' });
    const alerts = blocks.find(({ sql }) => sql.includes('Alert above'))?.sql ?? '';
    const results = [];
    for (const statement of alerts.split(';').slice(0, 4)) {
      results.push((await pool.query<unknown[]>({ text: statement, rowMode: 'array' })).rows);
    }
    expect(results).toEqual([[[expect.anything()]], [['1']], [['0']], [['1', '0']]]);
  });
});
