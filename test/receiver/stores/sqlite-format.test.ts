import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { sqliteStore } from '@hookproof/receiver/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';

import { loadDriver } from '../../../receiver/src/stores/sqlite/driver.ts';
import type { Database } from '../../../receiver/src/stores/sqlite/driver.ts';
import { openDatabase } from '../../../receiver/src/stores/sqlite/open-database.ts';
import { openOperations } from '../../../receiver/src/stores/sqlite/open-operations.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { virtualClock } from '../virtual-clock.ts';
import { openIn } from './contract/kit.ts';
import { expectFormat1Handled } from './formats/handles-format-1.ts';
import { incoming } from './open-store.ts';

const FORMAT_1 = fileURLToPath(new URL('formats/sqlite-1.db', import.meta.url));

async function copyOf(file: string): Promise<string> {
  const copy = join(emptyFolder(), 'events.db');
  await copyFile(file, copy);
  return copy;
}

const NOW = { wall: Date.parse('2026-12-01T00:00:00Z'), monotonic: 1_000_000 };

/** What a later release could need. */
const STEP = `
  ALTER TABLE hookproof_events ADD COLUMN region TEXT;
  CREATE TABLE hookproof_regions (name TEXT PRIMARY KEY) STRICT;
  INSERT INTO hookproof_regions VALUES ('eu');
`;

async function open(file: string, steps?: readonly string[]): Promise<Database> {
  const database = openDatabase(await loadDriver(), file, NOW, steps);
  onTestFinished(() => database.close());
  return database;
}

const versionOf = (database: Database) => database.prepare('PRAGMA user_version').get();

describe('a file of format 1', () => {
  it('is handled by this release, with everything that it holds', async () => {
    await expectFormat1Handled(sqliteStore({ file: await copyOf(FORMAT_1) }), virtualClock());
  });

  it('is brought to format 2 by one step, with everything that it holds', async () => {
    const file = await copyOf(FORMAT_1);
    const database = await open(file, [STEP]);
    expect(versionOf(database)).toEqual({ user_version: 2 });
    const operations = openOperations(database);
    expect(operations.stats(NOW)).toMatchObject({ open: 3, dead: 1 });
    expect(operations.paused(NOW)).toEqual(['cancelled']);
    expect(operations.count(NOW, 'redrive', {})).toBe(1);
    expect(operations.accept(NOW, incoming('whev_new', { key: 'exec_dead' }))).toBe('new');
    const request = { holder: 'test', inHand: [], limit: 10, leaseFor: 1_000 };
    const { jobs } = operations.take(NOW, request);
    expect(jobs.find(({ key }) => key === 'exec_dead')).toMatchObject({ lastPosition: 3 });
    expect(jobs.flatMap(openIn)).toContain('whev_new');
    const again = await open(file, [STEP]);
    expect(again.prepare('SELECT count(*) AS count FROM hookproof_regions').get()).toEqual({
      count: 1,
    });
  });

  it('is at format 3 after two steps, as a new file is at once', async () => {
    const steps = [STEP, "INSERT INTO hookproof_regions VALUES ('us')"];
    for (const file of [await copyOf(FORMAT_1), join(emptyFolder(), 'new.db')]) {
      const database = await open(file, steps);
      expect(versionOf(database)).toEqual({ user_version: 3 });
      expect(database.prepare('SELECT name FROM hookproof_regions ORDER BY name').all()).toEqual([
        { name: 'eu' },
        { name: 'us' },
      ]);
    }
  });

  it('stays as it is when a step fails', async () => {
    const file = await copyOf(FORMAT_1);
    await expect(open(file, [`${STEP}; SELECT missing_column`])).rejects.toThrow(/no such column/);
    const database = await open(file);
    expect(versionOf(database)).toEqual({ user_version: 1 });
    expect(openOperations(database).stats(NOW)).toMatchObject({ open: 3, dead: 1 });
  });

  it('is handled beside a newer release, unless that says which format is needed', async () => {
    const file = await copyOf(FORMAT_1);
    const store = sqliteStore({ file });
    await store.open({ clock: virtualClock() });
    onTestFinished(() => store.close());
    const request = { holder: 'test', inHand: [], limit: 10, leaseFor: 1_000 };
    const newer = await open(file, [STEP]);
    expect((await store.take(request)).jobs).toHaveLength(3);
    newer.exec('UPDATE hookproof_format SET least = 2');
    await expect(store.take(request)).rejects.toMatchObject({
      code: 'store_schema_mismatch',
      message: expect.stringContaining('format 1, but a newer release has made it one of format 2'),
    });
  });

  it('is left alone in format 99, and refused by its number', async () => {
    const file = await copyOf(FORMAT_1);
    const database = await open(file);
    database.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)');
    const before = await readFile(file);
    await expect(sqliteStore({ file }).open({ clock: virtualClock() })).rejects.toMatchObject({
      code: 'store_schema_mismatch',
      message:
        `SQLite file ${file} must have format 1 or an earlier one, got format 99, which a newer ` +
        'release of @hookproof/receiver wrote. Update the package here too. Nothing in the file was changed.',
    });
    expect(await readFile(file)).toEqual(before);
  });
});
