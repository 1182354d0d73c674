import { join } from 'node:path';

import type { IncomingEvent, Outcome, Store } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';

import { loadDriver } from '../../../receiver/src/stores/sqlite/driver.ts';
import type { Database } from '../../../receiver/src/stores/sqlite/driver.ts';
import { openTransactions } from '../../../receiver/src/stores/sqlite/transactions.ts';
import { emptyFolder } from '../../bin/hookproof.ts';
import { freshDatabase } from '../../services/databases.ts';
import { testWith } from '../../services/local-server.ts';
import { openStore, take } from './open-store.ts';
import { rowsRead } from './postgres/rows-read.ts';

const RUNS = 2_000;
const CALLERS = 256;
const DAY_MILLISECONDS = 86_400_000;
/** Far below the number of events, and above what a look-up of two of them reads. */
const MAX_READS = 200;

/** What finds one dead letter, and one handled event. */
const FILTERS = [
  { runId: 'exec_few' },
  { automationId: 'agent_few' },
  { ids: ['whev_few_1', 'whev_few_2'] },
];

function event(id: string, runId: string, automationId: string): IncomingEvent {
  const createdAt = '2026-07-01T00:00:00.000Z';
  const edge = { id, previousStatus: 'pending', currentStatus: 'running', createdAt };
  const content = { kind: 'run', runId, automationId, edge } as const;
  return { id, body: Buffer.from(id), timestamp: 1, content };
}

function outcome(id: string): Outcome {
  return id.endsWith('1')
    ? { id, as: 'dead', reason: 'handler_failed', error: 'why', isFailure: true }
    : { id, as: 'settled', runSettled: false, keepBodyFor: DAY_MILLISECONDS };
}

/** Each run has a dead letter and a handled event whose body is kept. One run is of `agent_few`. */
async function fill(store: Store): Promise<void> {
  await openStore(store);
  const runs = Array.from({ length: RUNS }, (_, index) => [`many_${index}`, 'wf_many'] as const);
  const events = [...runs, ['few', 'agent_few'] as const].flatMap(([name, automation]) =>
    [1, 2].map((number) => event(`whev_${name}_${number}`, `exec_${name}`, automation)),
  );
  const call = async (): Promise<void> => {
    for (let next = events.pop(); next !== undefined; next = events.pop()) await store.accept(next);
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  await handleAll(store);
}

async function handleAll(store: Store): Promise<void> {
  const jobs = [...(await take(store, RUNS + 1))];
  const finish = async (): Promise<void> => {
    for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
      const outcomes = job.open.map(({ id }) => outcome(id));
      await store.finish(job.lease, outcomes, { do: 'release', dueIn: null });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, finish));
}

/** What a store reads must not grow with what the filter does not choose. `reads` counts since the start. */
async function expectBounded(store: Store, reads: () => Promise<number>): Promise<void> {
  for (const filter of FILTERS) {
    const looks: readonly (() => Promise<unknown>)[] = [
      async () => (await store.deadLetters({ after: null, limit: 10 }, filter)).items.length,
      () => store.replay(filter, { dryRun: true }),
      () => store.replay(filter, { dryRun: false }),
      () => store.redrive(filter),
    ];
    for (const [index, look] of looks.entries()) {
      const before = await reads();
      expect(await look()).toBe(1);
      const count = (await reads()) - before;
      expect(count, `${JSON.stringify(filter)}, look ${index}`).toBeLessThan(MAX_READS);
    }
    await handleAll(store);
  }
}

describe(`a look for one of ${2 * RUNS} events by run, automation or id`, () => {
  test('searches an index of SQLite', async () => {
    const file = join(emptyFolder(), 'events.db');
    const store = sqliteStore({ file });
    await fill(store);
    await store.close();
    const { database, plans } = explained((await loadDriver())(file));
    onTestFinished(() => database.close());
    const transactions = openTransactions(database);
    const at = { wall: Date.now(), monotonic: 0 };
    plans.length = 0;
    for (const filter of FILTERS) {
      const found = transactions.run('writes', (operations) => [
        operations.deadLetters(at, { after: 0, limit: 10 }, filter).items.length,
        operations.replaySome(at, filter, true, 0).count,
        operations.redriveSome(at, filter, 0).count,
      ]);
      expect(found).toEqual([1, 1, 1]);
      transactions.run('writes', (operations) => {
        for (const { lease } of operations.take(at, TAKE)) {
          operations.finish(at, lease, [outcome('whev_few_1')], RELEASE, null);
        }
      });
    }
    // A search without an equation walks over all that comes after.
    const walks = plans.filter((plan) => /^(SCAN|SEARCH)/.test(plan) && !/=\?/.test(plan));
    expect(walks.filter((plan) => !SMALL.test(plan))).toEqual([]);
    expect(plans.filter((plan) => plan.startsWith('SEARCH'))).not.toEqual([]);
  });

  testWith('postgres')('reads few rows of PostgreSQL', async () => {
    const pool = new Pool({ connectionString: await freshDatabase() });
    onTestFinished(() => pool.end());
    const store = postgresStore({ pool });
    onTestFinished(() => store.close());
    await fill(store);
    await pool.query('ANALYZE');
    await expectBounded(store, () => rowsRead(pool));
  });
});

const TAKE = { holder: 'test', inHand: [], limit: 10, leaseFor: DAY_MILLISECONDS };
const RELEASE = { do: 'release', dueIn: null } as const;
/** The ids of a filter, and the result of a statement inside another. */
const SMALL = /^SCAN (i|json_each|named|found|c)\b/;

/** Collects how SQLite finds the rows of each statement that is prepared. */
function explained(database: Database): { database: Database; plans: string[] } {
  const plans: string[] = [];
  const prepare = (sql: string) => {
    const isPlanned = /^\s*(SELECT|UPDATE|DELETE|INSERT|WITH)/.test(sql);
    const steps = isPlanned ? database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() : [];
    plans.push(...steps.map(({ detail }) => String(detail)));
    return database.prepare(sql);
  };
  const own = { prepare, exec: database.exec.bind(database), close: database.close.bind(database) };
  return { database: own, plans };
}
