import { postgresStore, postgresTables } from '@hookproof/receiver/postgres';
import type { PostgresStoreOptions } from '@hookproof/receiver/postgres';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { freshDatabase } from '../../../services/databases.ts';
import { describeWith } from '../../../services/local-server.ts';
import { page } from '../../manual/pages.ts';
import { incoming, openStore, take } from '../open-store.ts';

let url = '';
let admin: Client;
beforeAll(async () => {
  url = await freshDatabase();
  admin = new Client(url);
  await admin.connect();
});
afterAll(() => admin.end());

let roles = 0;

/** Creates a role that may do nothing but log in. */
async function newRole(): Promise<string> {
  const name = `app_${(roles += 1)}`;
  await admin.query(`CREATE ROLE ${name} LOGIN`);
  return name;
}

function storeOf(role: string, options: PostgresStoreOptions): ReturnType<typeof postgresStore> {
  const address = new URL(url);
  address.username = role;
  const pool = new Pool({ connectionString: address.href, max: 8 });
  onTestFinished(() => pool.end());
  return postgresStore({ pool, ...options });
}

/** Opens the store, accepts an event, takes it, and closes the store. */
async function works(store: ReturnType<typeof postgresStore>): Promise<void> {
  await openStore(store);
  expect(await store.accept(incoming('whev_1', { key: 'exec_1' }))).toBe('new');
  expect(await take(store)).toHaveLength(1);
  expect((await store.stats()).open).toBe(1);
  await store.close();
}

describeWith('postgres')('a role that may not create schemas', () => {
  test('starts in a schema that it owns', async () => {
    const role = await newRole();
    await admin.query(`CREATE SCHEMA owned AUTHORIZATION ${role}`);
    await works(storeOf(role, { schema: 'owned' }));
  });

  test('starts in a schema in which it may create tables, such as public', async () => {
    const role = await newRole();
    await admin.query(`GRANT CREATE ON SCHEMA public TO ${role}`);
    await works(storeOf(role, { schema: 'public' }));
  });

  test('can run the statements of postgresTables() in a schema that it owns', async () => {
    const role = await newRole();
    await admin.query(`CREATE SCHEMA by_hand AUTHORIZATION ${role}`);
    await admin.query(`SET ROLE ${role}`);
    await admin.query(postgresTables({ schema: 'by_hand' }));
    await admin.query('RESET ROLE');
    await works(storeOf(role, { schema: 'by_hand', createTables: false }));
  });

  test('is told which rights it needs', async () => {
    const role = await newRole();
    await expect(openStore(storeOf(role, { schema: 'not_yet' }))).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(
        /^PostgreSQL must execute the statements of the store, got: permission denied for database .* \(42501\)\. .* to create the schema CREATE on the database\.$/,
      ),
    });
  });
});

describeWith('postgres')('a role with the rights of the manual', () => {
  test.each([true, false])(
    'starts with the tables of another role, createTables: %s',
    async (createTables) => {
      const role = await newRole();
      const schema = `granted_${role}`;
      await admin.query(postgresTables({ schema }));
      const [, grants = ''] = /^```sql\n(GRANT .*?)^```/ms.exec(page('docs/postgres').text) ?? [];
      expect(grants).toContain('TO app;');
      await admin.query(
        grants.replaceAll('hookproof', schema).replaceAll('TO app;', `TO ${role};`),
      );
      await works(storeOf(role, { schema, createTables }));
    },
  );
});
