import { createReceiver } from '@hookproof/receiver';
import type { EventContext, Problem, Receiver } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import type { PostgresTransaction } from '@hookproof/receiver/postgres';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { Pool } from 'pg';
import type { PoolClient } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';

import type { Store } from '../../../../receiver/src/stores/store.ts';
import { freshDatabase } from '../../../services/databases.ts';
import { describeWith } from '../../../services/local-server.ts';
import { handled, RELEASE } from '../contract/kit.ts';
import { incoming, openStore, take } from '../open-store.ts';

const SECRET = 'whsec_7hJmKx2QpLw9';

let pool: Pool;
beforeAll(async () => {
  pool = new Pool({ connectionString: await freshDatabase(), max: 20 });
  await pool.query('CREATE TABLE effects (event_id text)');
  await pool.query('CREATE TABLE parents (id text PRIMARY KEY)');
  await pool.query(
    'CREATE TABLE children (parent text REFERENCES parents DEFERRABLE INITIALLY DEFERRED)',
  );
});
beforeEach(() => pool.query('TRUNCATE effects, parents, children'));
afterAll(() => pool.end());

let schemas = 0;
const newSchema = (): string => `transactions_${(schemas += 1)}`;

async function effects(): Promise<readonly string[]> {
  const { rows } = await pool.query<{ event_id: string }>('SELECT event_id FROM effects');
  return rows.map((row) => row.event_id);
}

const insert = 'INSERT INTO effects VALUES ($1)';

/** Returns the state of the event of these tests. */
async function stateOf(store: Store): Promise<string | undefined> {
  return (await store.list({ ids: ['whev_1'] }, { after: null, limit: 1 })).items[0]?.state;
}

type Context = EventContext<PostgresTransaction<PoolClient>>;

/** Starts a receiver with one handler, and delivers one event to it. */
async function receiverWith(
  handle: (id: string, context: Context) => Promise<void>,
  options: { readonly handlerTimeoutMilliseconds?: number } = {},
): Promise<{ receiver: Receiver; problems: Problem[] }> {
  const problems: Problem[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    store: postgresStore({ pool, schema: newSchema() }),
    handlers: { event: ({ id }, context) => handle(id, context) },
    retryForHours: 0.000_1,
    retryDelayMilliseconds: 1,
    ...options,
    onError: (problem) => problems.push(problem),
  });
  onTestFinished(() => receiver.close());
  await receiver.start();
  const { headers, body } = signEvent(runCreatedEvent({ id: 'whev_1' }), { secret: SECRET });
  expect((await receiver.receive({ method: 'POST', headers, body })).status).toBe(202);
  return { receiver, problems };
}

describeWith('postgres')('context.tx', () => {
  test('commits what the handler wrote together with the result', async () => {
    const { receiver } = await receiverWith(async (id, { tx }) => {
      await tx.query(insert, [id]);
    });
    await expect.poll(effects).toEqual(['whev_1']);
    expect(await receiver.inspect('whev_1')).toMatchObject({ state: 'handled' });
  });

  test('gives the connection itself, for a query builder', async () => {
    await receiverWith(async (id, { tx }) => {
      const client = await tx.client();
      const { rows } = await client.query<{ id: string }>('SELECT $1 AS id', [id]);
      await client.query(insert, [rows[0]?.id]);
    });
    await expect.poll(effects).toEqual(['whev_1']);
  });

  test('rolls back what a failed attempt wrote', async () => {
    const { receiver } = await receiverWith(async (id, { tx, attempt }) => {
      await tx.query(insert, [`${id} ${attempt}`]);
      if (attempt === 1) throw new Error('no');
    });
    await expect.poll(effects).toEqual(['whev_1 2']);
    expect(await receiver.inspect('whev_1')).toMatchObject({ state: 'handled', attempts: 1 });
  });

  test.each([
    [
      'a statement whose failure the handler ignored',
      async (tx: PostgresTransaction<PoolClient>) => {
        await tx.query('SELECT 1 / 0').catch(() => undefined);
      },
    ],
    [
      'a constraint that is checked at the commit',
      async (tx: PostgresTransaction<PoolClient>) => {
        await tx.query(`INSERT INTO children VALUES ('none')`);
      },
    ],
  ])('counts as a failure of the handler: %s', async (_, write) => {
    const { receiver, problems } = await receiverWith(async (id, { tx }) => {
      await tx.query(insert, [id]);
      await write(tx);
    });
    await expect.poll(async () => (await receiver.deadLetters()).items).toHaveLength(1);
    expect(problems[0]?.code).toBe('handler_failed');
    expect(problems.at(-1)?.code).toBe('event_dead_lettered');
    expect(await effects()).toEqual([]);
  });

  test('ends a statement that outlasts the deadline of its handler', async () => {
    const statements: Promise<unknown>[] = [];
    const { receiver } = await receiverWith(
      async (id, { tx, attempt }) => {
        await tx.query(insert, [`${id} ${attempt}`]);
        if (attempt === 1) statements.push(tx.query('SELECT pg_sleep(600)').catch(() => undefined));
        await Promise.all(statements);
      },
      { handlerTimeoutMilliseconds: 500 },
    );
    await expect.poll(effects).toEqual(['whev_1 2']);
    expect(await receiver.inspect('whev_1')).toMatchObject({ state: 'handled', attempts: 1 });
    await pool.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)'`,
    );
  });

  test('is given to more handlers than there are connections, one after the other', async () => {
    const small = new Pool({ connectionString: pool.options.connectionString, max: 5 });
    const receiver = createReceiver({
      secrets: SECRET,
      store: postgresStore({ pool: small, schema: newSchema() }),
      handlers: {
        event: async ({ id }, { tx }) => {
          await tx.query(insert, [id]);
          await tx.query('SELECT pg_sleep(0.01)');
        },
      },
    });
    onTestFinished(async () => {
      await receiver.close();
      await small.end();
    });
    await receiver.start();
    const ids = Array.from({ length: 40 }, (_, index) => `whev_${index}`);
    for (const id of ids) {
      const event = runCreatedEvent({ id, run: { id: `exec_${id}` } });
      const { headers, body } = signEvent(event, { secret: SECRET });
      await receiver.receive({ method: 'POST', headers, body });
    }
    await expect.poll(async () => (await effects()).toSorted()).toEqual(ids.toSorted());
  });

  test('is refused after its handler has ended', async () => {
    let late: PostgresTransaction<PoolClient> | undefined;
    await receiverWith(async (id, { tx }) => {
      late = tx;
      await tx.query(insert, [id]);
    });
    await expect.poll(effects).toEqual(['whev_1']);
    await expect(late?.query('SELECT 1')).rejects.toThrow(TypeError);
  });

  test('rolls back when another holder has the job by then', async () => {
    const store = postgresStore({ pool, schema: newSchema() });
    await openStore(store);
    onTestFinished(() => store.close());
    await store.accept(incoming('whev_1'));
    const [job] = await take(store);
    if (job === undefined) throw new Error('no job');
    const transaction = store.transaction();
    expect(transaction.isUsed()).toBe(false);
    await transaction.tx.query(insert, ['whev_1']);
    await take(store);
    const finished = await transaction.finish(job.lease, [handled('whev_1')], RELEASE);
    expect(finished.isHeld).toBe(false);
    expect(await effects()).toEqual([]);
    expect(await stateOf(store)).toBe('open');
    expect(pool.idleCount).toBeGreaterThan(0);
  });

  test('is a reserved connection with postgres', async () => {
    const sql = postgres({ ...poolAddress(), max: 6 });
    onTestFinished(() => sql.end());
    const receiver = createReceiver({
      secrets: SECRET,
      store: postgresStore({ sql, schema: newSchema() }),
      handlers: {
        event: async ({ id }, { tx }) => {
          await tx.query(insert, [id]);
          const reserved = await tx.client();
          await reserved`INSERT INTO effects VALUES (${id} || ' again')`;
        },
      },
    });
    onTestFinished(() => receiver.close());
    await receiver.start();
    const { headers, body } = signEvent(runCreatedEvent({ id: 'whev_1' }), { secret: SECRET });
    await receiver.receive({ method: 'POST', headers, body });
    await expect.poll(effects).toEqual(['whev_1', 'whev_1 again']);
  });
});

describeWith('postgres')('context.settleWith', () => {
  test('settles the event in a transaction of the user', async () => {
    const { receiver } = await receiverWith(async (id, context) => {
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query(insert, [id]);
      await context.settleWith((text, values) => client.query(text, [...values]));
      await client.query('COMMIT');
      client.release();
    });
    await expect.poll(effects).toEqual(['whev_1']);
    expect(await receiver.inspect('whev_1')).toMatchObject({ state: 'handled' });
    await expect.poll(async () => await receiver.stats()).toMatchObject({ open: 0, inHand: 0 });
  });

  test('repeats the handler whose transaction was rolled back', async () => {
    const { receiver } = await receiverWith(async (id, context) => {
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query(insert, [`${id} ${context.attempt}`]);
      await context.settleWith((text, values) => client.query(text, [...values]));
      await client.query(context.attempt === 1 ? 'ROLLBACK' : 'COMMIT');
      client.release();
    });
    await expect.poll(effects).toEqual(['whev_1 2']);
    expect(await receiver.inspect('whev_1')).toMatchObject({ state: 'handled' });
  });

  test('has statements that change no row when the lease is lost', async () => {
    const store = postgresStore({ pool, schema: newSchema() });
    await openStore(store);
    onTestFinished(() => store.close());
    await store.accept(incoming('whev_1', { key: 'exec_1' }));
    const [old] = await take(store);
    const [current] = await take(store);
    if (old === undefined || current === undefined) throw new Error('no job');
    const execute = async (lease: typeof old.lease): Promise<number | null> => {
      let count: number | null = null;
      const outcome = {
        id: 'whev_1',
        as: 'handled',
        settlesJob: true,
        keepBodyFor: 60_000,
      } as const;
      for (const { text, values } of store.settlement(lease, outcome)) {
        const used = [...text.matchAll(/\$(\d+)/g)].map(([, index]) => Number(index));
        expect(used).toEqual(values.map((_, index) => index + 1));
        count = (await pool.query(text, [...values])).rowCount;
      }
      return count;
    };
    expect(await execute(old.lease)).toBe(0);
    expect(await stateOf(store)).toBe('open');
    expect(await execute(current.lease)).toBe(1);
    expect(await stateOf(store)).toBe('handled');
    expect((await store.finish(current.lease, [], RELEASE)).isHeld).toBe(true);
    expect(await store.stats()).toMatchObject({ open: 0 });
    expect(await store.change('replay', {}, { dryRun: true })).toBe(1);
  });
});

function poolAddress(): { host: string; port: number; database: string; username: string } {
  const { hostname, port, pathname } = new URL(pool.options.connectionString ?? '');
  return { host: hostname, port: Number(port), database: pathname.slice(1), username: 'hookproof' };
}
