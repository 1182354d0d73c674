import { readFile } from 'node:fs/promises';

import { postgresStore, postgresTables } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { bringUpToDate, STEPS } from '../../../../receiver/src/stores/postgres/format.ts';
import type { Step } from '../../../../receiver/src/stores/postgres/format.ts';
import { pgDriver } from '../../../../receiver/src/stores/postgres/pg-driver.ts';
import { freshDatabase } from '../../../services/databases.ts';
import { describeWith } from '../../../services/local-server.ts';
import { openIn } from '../contract/kit.ts';
import { expectFormat1Handled } from '../formats/handles-format-1.ts';
import { incoming, openStore, take } from '../open-store.ts';

const FORMAT_1 = new URL('../formats/postgres-1.sql', import.meta.url);

/** What a later release could need. */
const STEP: Step = {
  sql: (schema) => `
    ALTER TABLE ${schema}.events ADD COLUMN region text;
    CREATE TABLE ${schema}.regions (name text NOT NULL);
    INSERT INTO ${schema}.regions VALUES ('eu');`,
  stopsOlder: false,
};

async function emptyPool(): Promise<Pool> {
  const pool = new Pool({ connectionString: await freshDatabase(), max: 19 });
  onTestFinished(() => pool.end());
  return pool;
}

/** Returns a pool on a database with the tables of format 1. */
async function restored(): Promise<Pool> {
  const pool = await emptyPool();
  await pool.query(await readFile(FORMAT_1, 'utf8'));
  return pool;
}

function bring(pool: Pool, ...steps: readonly Step[]): Promise<void> {
  return bringUpToDate(pgDriver(pool), 'hookproof', true, [...STEPS, ...steps]);
}

async function formatOf(pool: Pool): Promise<unknown> {
  return (await pool.query('SELECT number, least FROM hookproof.format')).rows;
}

async function regions(pool: Pool): Promise<unknown> {
  return (await pool.query('SELECT name FROM hookproof.regions ORDER BY name')).rows;
}

describeWith('postgres')('tables of format 1', () => {
  test('are handled by this release, with everything that they hold', async () => {
    await expectFormat1Handled(postgresStore({ pool: await restored() }));
  });

  test('are brought to format 2 by one of several processes, while another goes on', async () => {
    const pool = await restored();
    const older = await openStore(postgresStore({ pool }));
    onTestFinished(() => older.close());
    await Promise.all(Array.from({ length: 5 }, () => bring(pool, STEP)));
    expect(await formatOf(pool)).toEqual([{ number: 2, least: 1 }]);
    expect(await regions(pool)).toEqual([{ name: 'eu' }]);
    expect(await older.stats()).toMatchObject({ open: 3, dead: 1 });
    expect(await older.paused()).toEqual(['cancelled']);
    expect(await older.change('redrive', {}, { dryRun: false })).toBe(1);
    expect(await older.accept(incoming('whev_new', { key: 'exec_dead' }))).toBe('new');
    const jobs = await take(older);
    expect(jobs.find(({ key }) => key === 'exec_dead')).toMatchObject({ lastPosition: 3 });
    expect(jobs.flatMap(openIn)).toContain('whev_new');
  });

  test('are at format 3 after two steps, as new tables are at once', async () => {
    const second: Step = {
      sql: (schema) => `INSERT INTO ${schema}.regions VALUES ('us');`,
      stopsOlder: false,
    };
    for (const pool of [await restored(), await emptyPool()]) {
      await bring(pool, STEP, second);
      expect(await formatOf(pool)).toEqual([{ number: 3, least: 1 }]);
      expect(await regions(pool)).toEqual([{ name: 'eu' }, { name: 'us' }]);
    }
  });

  test('stay as they are when a step fails', async () => {
    const pool = await restored();
    const broken: Step = { ...STEP, sql: (schema) => `${STEP.sql(schema)} SELECT missing_column;` };
    await expect(bring(pool, broken)).rejects.toThrow('missing_column');
    expect(await formatOf(pool)).toEqual([{ number: 1, least: 1 }]);
    const store = await openStore(postgresStore({ pool }));
    onTestFinished(() => store.close());
    expect(await store.stats()).toMatchObject({ open: 3, dead: 1 });
  });

  test('give an older process no more work after a step with which it cannot go on', async () => {
    const pool = await restored();
    const older = await openStore(postgresStore({ pool }));
    onTestFinished(() => older.close());
    await bring(pool, { ...STEP, stopsOlder: true });
    expect(await older.accept(incoming('whev_new'))).toBe('new');
    await expect(take(older)).rejects.toMatchObject({
      code: 'store_schema_mismatch',
      message:
        'Schema hookproof must have tables with which format 1 can go on, got format 2 of a newer version of ' +
        '@hookproof/receiver. Install that version.',
    });
    expect(await older.stats()).toMatchObject({ open: 4, inHand: 0 });
  });

  test('are left alone in format 99, and refused by its number', async () => {
    const pool = await restored();
    await pool.query('UPDATE hookproof.format SET number = 99');
    const tables = async (): Promise<unknown> =>
      (
        await pool.query(
          `SELECT relname, relkind FROM pg_class WHERE relnamespace = 'hookproof'::regnamespace`,
        )
      ).rows;
    const before = await tables();
    await expect(openStore(postgresStore({ pool }))).rejects.toMatchObject({
      code: 'store_schema_mismatch',
      message:
        'Schema hookproof must have tables of format 1 or older, got format 99 of a newer version of ' +
        '@hookproof/receiver. Install that version, or give the store another schema.',
    });
    expect(await tables()).toEqual(before);
    expect(await formatOf(pool)).toEqual([{ number: 99, least: 1 }]);
  });

  test('need no statements today, and a number that there is', async () => {
    expect(postgresTables({ from: 1 })).toBe('');
    expect(() => postgresTables({ from: 2 })).toThrow(
      'from must be the number of a format, 0 to 1, got 2.',
    );
    const pool = await restored();
    const older = await openStore(postgresStore({ pool, createTables: false }));
    await older.close();
    await expect(
      bringUpToDate(pgDriver(pool), 'hookproof', false, [...STEPS, STEP]),
    ).rejects.toMatchObject({
      code: 'store_schema_mismatch',
      message: expect.stringContaining('Run the statements of postgresTables({ from: 1 })'),
    });
  });
});
