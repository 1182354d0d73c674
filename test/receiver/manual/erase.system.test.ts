import { join } from 'node:path';

import type { Receiver, Store } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runTimeline } from '@hookproof/receiver/testing';
import { DatabaseSync } from '@photostructure/sqlite';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { freshDatabase } from '../../services/databases.ts';
import { testWith } from '../../services/local-server.ts';
import { startedReceiver } from '../started-receiver.ts';
import { page } from './pages.ts';

/** Returns the statements of a store, for a run. */
function statements(store: 'SQLite' | 'PostgreSQL', run: string): readonly string[] {
  const rows = page('docs/erase').text.matchAll(/^\| (\w+) +\| `((?:DELETE|UPDATE).*?)` +\|$/gm);
  return [...rows]
    .filter(([, name]) => name === store)
    .map(([, , statement = '']) => statement.replace("'RUN'", `'${run}'`));
}

/** Handles two runs whose last handler failed once, and keeps the bodies. */
async function withKeptBodies(store: Store): Promise<Receiver> {
  let failures = 2;
  const { receiver, deliver, advance } = await startedReceiver({
    store,
    keepBodiesDays: 7,
    handlers: {
      completed: () => {
        failures -= 1;
        if (failures >= 0) throw new Error('no mail to ann@example.com');
      },
    },
  });
  for (const id of ['exec_ann', 'exec_bob']) {
    await deliver(...runTimeline(['pending', 'completed'], { run: { id } }));
  }
  await expect
    .poll(async () => {
      await advance(60_000);
      return (await receiver.stats()).open;
    })
    .toBe(0);
  return receiver;
}

/** What is left of a run: bodies that can be replayed, and messages. */
async function leftOf(receiver: Receiver, runId: string): Promise<object> {
  const timeline = await receiver.timeline(runId);
  const events = await Promise.all((timeline?.steps ?? []).map(({ id }) => receiver.inspect(id)));
  return {
    bodies: await receiver.replay({ runId }, { dryRun: true }),
    messages: events.flatMap((event) => event?.failures ?? []).length,
    events: events.length,
  };
}

describe('the page about the data of a person erases a run, and only that', () => {
  test('in SQLite', async () => {
    const file = join(emptyFolder(), 'events.db');
    const receiver = await withKeptBodies(sqliteStore({ file }));
    const database = new DatabaseSync(file);
    const given = statements('SQLite', 'exec_ann');
    expect(given).toHaveLength(2);
    for (const statement of given) database.exec(statement);
    database.close();
    expect(await leftOf(receiver, 'exec_ann')).toEqual({ bodies: 0, messages: 0, events: 2 });
    expect(await leftOf(receiver, 'exec_bob')).toEqual({ bodies: 2, messages: 1, events: 2 });
  });

  testWith('postgres')('in PostgreSQL', async () => {
    const pool = new Pool({ connectionString: await freshDatabase(), max: 8 });
    onTestFinished(() => pool.end());
    // The time of PostgreSQL is its own, so the second attempt comes after a second.
    const receiver = await withKeptBodies(postgresStore({ pool }));
    const given = statements('PostgreSQL', 'exec_ann');
    expect(given).toHaveLength(2);
    for (const statement of given) await pool.query(statement);
    expect(await leftOf(receiver, 'exec_ann')).toEqual({ bodies: 0, messages: 0, events: 2 });
    expect(await leftOf(receiver, 'exec_bob')).toEqual({ bodies: 2, messages: 1, events: 2 });
  });
});
