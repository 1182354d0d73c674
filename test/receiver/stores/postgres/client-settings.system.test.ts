import { createReceiver, GiveUp } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/spec';
import { Client, Pool, TypeOverrides } from 'pg';
import type { PoolConfig } from 'pg';
import postgres from 'postgres';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

import { freshDatabase } from '../../../services/databases.ts';
import { describeWith } from '../../../services/local-server.ts';

const SECRET = 'whsec_7hJmKx2QpLw9';

/** The same for every client, so that all that is seen of them is equal. */
const events = runTimeline(['created', 'pending', 'completed'], { run: { id: 'exec_1' } });

let url = '';
beforeAll(async () => {
  url = await freshDatabase();
});

let schemas = 0;
const newSchema = (): string => `settings_${(schemas += 1)}`;

type AnyStore = ReturnType<typeof postgresStore<unknown>>;

function storeOfPg(options: PoolConfig): AnyStore {
  const pool = new Pool({ connectionString: url, max: 20, ...options });
  onTestFinished(() => pool.end());
  return postgresStore<unknown>({ pool, schema: newSchema() });
}

function storeOfPostgres(
  options: postgres.Options<Record<string, postgres.PostgresType>>,
): AnyStore {
  const sql = postgres(url, { max: 20, ...options });
  onTestFinished(() => sql.end());
  return postgresStore<unknown>({ sql, schema: newSchema() });
}

function parsing(oid: number, parse: (value: string) => unknown): PoolConfig {
  const types = new TypeOverrides();
  types.setTypeParser(oid, parse);
  return { types };
}

const [BOOLEAN, BYTES, BIGINT, INTEGER, TEXT, DOUBLE] = [16, 17, 20, 23, 25, 701];

const BINARY: PoolConfig & { readonly binary: true } = { binary: true };

/** Settings that apps have for their own statements. */
const SETTINGS: Readonly<Record<string, () => AnyStore>> = {
  'pg as it is': () => storeOfPg({}),
  'pg, bigint as BigInt': () => storeOfPg(parsing(BIGINT, BigInt)),
  'pg, integers as BigInt': () => storeOfPg(parsing(INTEGER, BigInt)),
  'pg, booleans as numbers': () => storeOfPg(parsing(BOOLEAN, (value) => (value === 't' ? 1 : 0))),
  'pg, bytes as text': () => storeOfPg(parsing(BYTES, (value) => value)),
  'pg, empty texts as null': () => storeOfPg(parsing(TEXT, (value) => value || null)),
  'pg, floats as objects': () => storeOfPg(parsing(DOUBLE, (value) => ({ value }))),
  'pg, bytes in the other form': () => storeOfPg({ options: '-c bytea_output=escape' }),
  'pg, short floats': () => storeOfPg({ options: '-c extra_float_digits=-5' }),
  'postgres as it is': () => storeOfPostgres({}),
  'postgres, bigint as BigInt': () => storeOfPostgres({ types: { bigint: postgres.BigInt } }),
  'postgres, camel case': () => storeOfPostgres({ transform: postgres.camel }),
  'postgres, Pascal case': () => storeOfPostgres({ transform: postgres.pascal }),
  'postgres, kebab case': () => storeOfPostgres({ transform: postgres.kebab }),
  'postgres, undefined as null': () => storeOfPostgres({ transform: { undefined: null } }),
  'postgres, values of its own': () =>
    storeOfPostgres({ transform: { value: { from: () => 'value' } } }),
  'postgres, all types of its own': () =>
    storeOfPostgres({
      types: {
        all: {
          to: 20,
          from: [BOOLEAN, BYTES, BIGINT, INTEGER, TEXT, DOUBLE],
          serialize: String,
          parse: () => 'parsed',
        },
      },
    }),
};

/** Delivers, repeats, fails, redrives and lists, and returns all that an app sees of it. */
async function lifeOf(store: AnyStore): Promise<object> {
  const calls: string[] = [];
  const problems: string[] = [];
  let isDown = true;
  const receiver = createReceiver({
    secrets: SECRET,
    store,
    handlers: {
      event: async ({ data }, context) => {
        const { run } = data;
        calls.push(`${run.status} ${context.attempt}`);
        if (run.status === 'completed' && isDown) {
          throw context.attempt === 1 ? new Error('down') : new GiveUp('still down');
        }
        await context.tx.query('SELECT 1');
      },
    },
    retryDelayMilliseconds: 1,
    onError: ({ code }) => problems.push(code),
  });
  onTestFinished(() => receiver.close());
  await receiver.start();
  const deliver = async (event: RunEvent, more = ''): Promise<number> => {
    const { headers, body } = signEvent({ ...event, ...(more && { more }) }, { secret: SECRET });
    return (await receiver.receive({ method: 'POST', headers, body })).status;
  };
  const statuses = [];
  for (const event of events) statuses.push(await deliver(event));
  await expect.poll(async () => (await receiver.stats()).dead).toBe(1);
  for (const event of events) statuses.push(await deliver(event));
  for (const event of events) statuses.push(await deliver(event, 'other bytes'));
  const bodies = await Promise.all(events.map(({ id }) => receiver.body(id)));
  const dead = (await receiver.deadLetters()).items;
  const runs = (await receiver.runs()).items;
  const before = { dead, runs, stats: await receiver.stats() };
  isDown = false;
  const redriven = await receiver.redrive({});
  await expect.poll(async () => [(await receiver.stats()).open, calls.length]).toEqual([0, 5]);
  const inspected = await receiver.inspect(events[2]?.id ?? '');
  const timeline = await receiver.timeline('exec_1');
  return timeless({
    statuses,
    calls,
    problems,
    bodies: bodies.map((body) => body && Buffer.from(body).toString()),
    before,
    redriven,
    inspected,
    timeline,
  });
}

const TIMES = new Set([
  'at',
  'milliseconds',
  'receivedAt',
  'firstFailedAt',
  'handledAt',
  'oldestOpen',
]);

/** Returns a copy without what depends on when it happened. */
function timeless(life: object): object {
  return JSON.parse(
    JSON.stringify(life, (name, value: unknown) => (TIMES.has(name) ? undefined : value)),
  );
}

describeWith('postgres')('a client with settings of the app', () => {
  let expected: Promise<object> | null = null;
  test.each(Object.entries(SETTINGS))('makes no difference to events: %s', async (_, open) => {
    const life = await lifeOf(open());
    expected ??= Promise.resolve(life);
    expect(life).toMatchObject({
      statuses: [202, 202, 202, 200, 200, 200, 409, 409, 409],
      calls: ['created 1', 'pending 1', 'completed 1', 'completed 2', 'completed 1'],
      redriven: 1,
    });
    expect(life).toEqual(await expected);
  });

  test('has its parsers and names in context.tx', async () => {
    const seen: unknown[] = [];
    const stores = [
      storeOfPg(parsing(BIGINT, BigInt)),
      storeOfPostgres({ types: { bigint: postgres.BigInt }, transform: postgres.camel }),
    ];
    for (const store of stores) {
      const receiver = createReceiver({
        secrets: SECRET,
        store,
        handlers: {
          event: async (_event, { tx }) => {
            const { rows } = await tx.query('SELECT $1::bigint AS some_number', [7]);
            seen.push(rows[0]);
          },
        },
      });
      onTestFinished(() => receiver.close());
      await receiver.start();
      for (const event of runTimeline(['created'])) {
        const { headers, body } = signEvent(event, { secret: SECRET });
        await receiver.receive({ method: 'POST', headers, body });
      }
      const count = seen.length;
      await expect.poll(() => seen.length).toBeGreaterThan(count === 0 ? 0 : count - 1);
      await receiver.idle();
    }
    expect(seen).toEqual([{ some_number: 7n }, { someNumber: 7n }]);
  });

  test.each([
    ['binary', () => storeOfPg(BINARY)],
    ['rows', () => storeOfPostgres({ transform: { row: { from: () => ({}) } } })],
  ])('is refused by name when it returns something else in any case: %s', async (_, open) => {
    const receiver = createReceiver({ secrets: SECRET, store: open(), handlers: {} });
    await expect(receiver.start()).rejects.toThrow(
      'The client of PostgreSQL must return values as text to the statements of the store, got ',
    );
  });
});

describeWith('postgres')('a database of another encoding', () => {
  test('is refused by name', async () => {
    const client = new Client(url);
    await client.connect();
    await client.query(
      "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
    );
    await client.end();
    const latin = new URL(url);
    latin.pathname = '/latin';
    const receiver = createReceiver({
      secrets: SECRET,
      store: storeOfPg({ connectionString: latin.href }),
      handlers: {},
    });
    await expect(receiver.start()).rejects.toThrow(
      "The database must have the encoding UTF8, got LATIN1. Create one with CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0",
    );
  });
});
