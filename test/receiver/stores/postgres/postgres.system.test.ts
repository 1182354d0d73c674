import type { Finished, Store } from '../../../../receiver/src/stores/store.ts';
import { postgresStore, postgresTables } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { freshDatabase } from '../../../services/databases.ts';
import { describeWith, startServer } from '../../../services/local-server.ts';
import { expectCursors, expectQuarantined } from '../odd-texts.ts';
import { AGAIN, failed, handled, RELEASE } from '../contract/kit.ts';
import { incoming, openStore, take } from '../open-store.ts';

let url = '';
let pool: Pool;
let schemas = 0;
const newSchema = (): string => `own_${(schemas += 1)}`;

/** Opens a store that is closed after the test. */
async function opened(store: Store): Promise<Store> {
  await openStore(store);
  onTestFinished(() => store.close());
  return store;
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
    expect(await stores[5]?.accept(incoming('whev_1'))).toBe('new');
    expect(await stores[0]?.accept(incoming('whev_1'))).toBe('duplicate');
  });

  test('can be created by the tool of the user', async () => {
    const schema = newSchema();
    const store = postgresStore({ pool, schema, createTables: false });
    await expect(openStore(store)).rejects.toMatchObject({
      code: 'store_schema_mismatch',
      message: expect.stringContaining(`Schema ${schema} must have tables of format 1, got none.`),
    });
    await pool.query(postgresTables({ schema }));
    await opened(store);
    expect(await store.accept(incoming('whev_1'))).toBe('new');
  });
});

describeWith('postgres')('a PostgreSQL that several stores share', () => {
  test('has one winner for each id that is accepted at the same time', async () => {
    const schema = newSchema();
    const stores = await Promise.all(
      Array.from({ length: 3 }, () => opened(postgresStore({ pool: newPool(), schema }))),
    );
    const ids = Array.from({ length: 200 }, (_, index) => `whev_${index}`);
    const calls = ids.flatMap((id, index) =>
      stores.map((store) => store.accept(incoming(id, { key: `exec_${index % 7}` }))),
    );
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === 'new')).toHaveLength(200);
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(400);
    const jobs = await take(stores[0] ?? fail());
    for (const { events } of jobs) {
      expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
    }
  });

  test('accepts other events while a transaction locks a run', async () => {
    const schema = newSchema();
    const store = await opened(postgresStore({ pool, schema }));
    await store.accept(incoming('whev_1', { key: 'exec_1' }));
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(`SELECT FROM ${schema}.jobs FOR UPDATE`);
    const locked = store.accept(incoming('whev_2', { key: 'exec_1' }));
    const free = store.accept(incoming('whev_3', { key: 'exec_2' }));
    const last = expect(locked).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('A transaction holds the row of this run'),
    });
    expect(await free).toBe('new');
    await last;
    await client.query('ROLLBACK');
    client.release();
    expect(await store.accept(incoming('whev_2', { key: 'exec_1' }))).toBe('new');
  });

  test('writes other results while a transaction locks a run', async () => {
    const schema = newSchema();
    const store = await opened(postgresStore({ pool, schema }));
    for (const run of [1, 2]) await store.accept(incoming(`whev_${run}`, { key: `exec_${run}` }));
    const jobs = await take(store);
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(`SELECT FROM ${schema}.jobs WHERE key = 'exec_1' FOR UPDATE`);
    const finish = (key: string): Promise<Finished> => {
      const { lease, events } = jobs.find((job) => job.key === key) ?? fail();
      return store.finish(lease, [handled(events[0]?.id ?? '')], RELEASE);
    };
    const locked = expect(finish('exec_1')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await finish('exec_2')).toMatchObject({ isHeld: true });
    await locked;
    await client.query('ROLLBACK');
    client.release();
    expect(await finish('exec_1')).toMatchObject({ isHeld: true });
  });
});

describeWith('postgres')('a connection that fails', () => {
  test('is reported as store_unavailable, and the store recovers', async () => {
    const server = await startServer('postgres');
    onTestFinished(() => server.stop());
    const store = await opened(postgresStore({ pool: newPool(server.url) }));
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
  test('is replaced: NUL and half a surrogate pair in the message of an error', async () => {
    const store = await opened(postgresStore({ pool, schema: newSchema() }));
    await store.accept(incoming('whev_1'));
    const [job] = await take(store);
    const error = 'no\0 \uD800 \u{1F600} "{},\\';
    await store.finish(job?.lease ?? fail(), [failed('whev_1', 0, error)], AGAIN);
    const [event] = (await store.list({ ids: ['whev_1'] }, { after: null, limit: 1 })).items;
    expect(event?.error).toBe('no\uFFFD \uFFFD \u{1F600} "{},\\');
    expect(event?.failures[0]?.error).toBe(event?.error);
  });

  test('is refused: a cursor of another origin', async () => {
    const store = await opened(postgresStore({ pool, schema: newSchema() }));
    await expect(store.list({}, { after: 'whev_1', limit: 1 })).rejects.toThrow(TypeError);
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
