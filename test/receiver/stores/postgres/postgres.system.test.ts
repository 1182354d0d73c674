import type { Store } from '@hookproof/receiver';
import { postgresStore, postgresTables } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { freshDatabase } from '../../../services/databases.ts';
import { describeWith, startServer } from '../../../services/local-server.ts';
import { expectRememberedFromSignature } from '../clock-behind.ts';
import { expectCursors, expectQuarantined } from '../odd-texts.ts';
import { incoming, openStore, take } from '../open-store.ts';

let url = '';
let pool: Pool;
let schemas = 0;
const newSchema = (): string => `own_${(schemas += 1)}`;

/** Opens a store that is closed after the test. */
async function opened(store: Store): Promise<{ store: Store }> {
  await openStore(store);
  onTestFinished(() => store.close());
  return { store };
}

function newPool(connectionString = url, max = 8): Pool {
  const created = new Pool({ connectionString, max });
  onTestFinished(() => created.end());
  return created;
}

beforeAll(async () => {
  url = await freshDatabase();
  pool = new Pool({ connectionString: url, max: 20 });
});
afterAll(() => pool.end());

describeWith('postgres')('the schema', () => {
  test('is created once by many processes that open at the same time', async () => {
    const schema = newSchema();
    const pools = Array.from({ length: 6 }, () => newPool());
    const stores = await Promise.all(
      pools.map((one) => opened(postgresStore({ pool: one, schema }))),
    );
    expect(await stores[5]?.store.accept(incoming('whev_1'))).toBe('new');
    expect(await stores[0]?.store.accept(incoming('whev_1'))).toBe('duplicate');
  });

  test('can be created by the tool of the user', async () => {
    const schema = newSchema();
    const store = postgresStore({ pool, schema, createTables: false });
    await expect(openStore(store)).rejects.toMatchObject({
      code: 'store_schema_mismatch',
      message: expect.stringContaining(
        `Schema ${schema} must have the tables of @hookproof/receiver, got none.`,
      ),
    });
    await pool.query(postgresTables({ schema }));
    await opened(store);
    expect(await store.accept(incoming('whev_1'))).toBe('new');
  });

  test('of another version are refused', async () => {
    const schema = newSchema();
    const refusal = {
      code: 'store_schema_mismatch',
      message:
        `Schema ${schema} must have the tables of this version of @hookproof/receiver, got those of ` +
        'another version. Let that version handle its events, then remove them with ' +
        `DROP SCHEMA ${schema} CASCADE, or give the store another schema.`,
    };
    await opened(postgresStore({ pool, schema }));
    await pool.query(`UPDATE ${schema}.version SET digest = ''`);
    await expect(openStore(postgresStore({ pool, schema }))).rejects.toMatchObject(refusal);
  });
});

describeWith('postgres')('a PostgreSQL that several stores share', () => {
  test('forgets no event early that was accepted while its clock was behind', async () => {
    const { store } = await opened(postgresStore({ pool, schema: newSchema() }));
    await expectRememberedFromSignature(store);
  });

  test('has one winner for each id that is accepted at the same time', async () => {
    const schema = newSchema();
    const stores = await Promise.all(
      Array.from({ length: 3 }, () => opened(postgresStore({ pool: newPool(), schema }))),
    );
    const ids = Array.from({ length: 200 }, (_, index) => `whev_${index}`);
    const calls = ids.flatMap((id, index) =>
      stores.map(({ store }) => store.accept(incoming(id, { runId: `exec_${index % 7}` }))),
    );
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === 'new')).toHaveLength(200);
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(400);
    const jobs = await take(stores[0]?.store ?? fail());
    for (const { open } of jobs) {
      expect(open.map(({ position }) => position)).toEqual(open.map((_, index) => index + 1));
    }
  });

  test('accepts other events while a transaction locks a run', async () => {
    const schema = newSchema();
    const { store } = await opened(postgresStore({ pool, schema }));
    await store.accept(incoming('whev_1', { runId: 'exec_1' }));
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(`SELECT FROM ${schema}.jobs FOR UPDATE`);
    const locked = store.accept(incoming('whev_2', { runId: 'exec_1' }));
    const free = store.accept(incoming('whev_3', { runId: 'exec_2' }));
    const last = expect(locked).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('A transaction holds the row of this run'),
    });
    expect(await free).toBe('new');
    await last;
    await client.query('ROLLBACK');
    client.release();
    expect(await store.accept(incoming('whev_2', { runId: 'exec_1' }))).toBe('new');
  });
});

describeWith('postgres')('a connection that fails', () => {
  test('is reported as store_unavailable, and the store recovers', async () => {
    const server = await startServer('postgres');
    onTestFinished(() => server.stop());
    const { store } = await opened(postgresStore({ pool: newPool(server.url) }));
    expect(await store.accept(incoming('whev_1'))).toBe('new');
    await server.crash();
    await expect(store.accept(incoming('whev_2'))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'store_unavailable',
    });
    await expect(take(store)).rejects.toMatchObject({ code: 'store_unavailable' });
    await server.restart();
    expect(await store.accept(incoming('whev_1'))).toBe('duplicate');
    expect(await store.accept(incoming('whev_2'))).toBe('new');
    expect(await take(store)).toHaveLength(2);
  });

  test('refuses to open with store_unavailable', async () => {
    const store = postgresStore({ pool: newPool('postgres://hookproof@127.0.0.1:1/none') });
    await expect(openStore(store)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('Check the address, the server and its log.'),
    });
  });
});

describeWith('postgres')('what PostgreSQL cannot keep', () => {
  test('is replaced: NUL in the message of an error', async () => {
    const { store } = await opened(postgresStore({ pool, schema: newSchema() }));
    await store.accept(incoming('whev_1'));
    const [job] = await take(store);
    const failure = { id: 'whev_1', as: 'failed', dueIn: 0, error: 'no\0"{},\\' } as const;
    await store.finish(job?.lease ?? fail(), [failure], { do: 'release', dueIn: 0 });
    expect((await store.inspect('whev_1'))?.error).toBe('no\uFFFD"{},\\');
  });

  test('is refused: a cursor of another origin', async () => {
    const { store } = await opened(postgresStore({ pool, schema: newSchema() }));
    await expect(store.deadLetters({ after: 'whev_1', limit: 1 })).rejects.toThrow(TypeError);
  });
});

function fail(): never {
  throw new Error('A store must be open.');
}

describeWith('postgres')('odd texts', () => {
  test('of run ids are quarantined, each on its own', () =>
    expectQuarantined(postgresStore({ pool, schema: newSchema() })));

  test('that are no cursor are refused', () =>
    expectCursors(postgresStore({ pool, schema: newSchema() })));
});
