import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { sqliteStore } from '@hookproof/receiver/sqlite';
import { storeContract } from '@hookproof/receiver/store-contract';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';

import { loadDriver } from '../../../receiver/src/stores/sqlite/driver.ts';
import { virtualClock } from '../virtual-clock.ts';
import { incoming, openStore, take } from './open-store.ts';

let folder = '';
let files = 0;
const newFile = () => path.join(folder, `${(files += 1)}.db`);
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hookproof-sqlite-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('sqliteStore, as every store', () => {
  storeContract({ test, create: () => sqliteStore({ file: newFile() }) });
});

describe('sqliteStore', () => {
  it('keeps everything when it is closed and opened again', async () => {
    const file = newFile();
    const first = await openStore(sqliteStore({ file }));
    await Promise.all(['a', 'b'].map((id) => first.accept(incoming(id))));
    await first.close();
    const second = await openStore(sqliteStore({ file }));
    expect(await second.accept(incoming('a'))).toBe('duplicate');
    expect(await take(second)).toHaveLength(2);
    await second.close();
  });

  it('shares a file with another store: one winner for each id, one holder for each work', async () => {
    const file = newFile();
    const stores = [sqliteStore({ file }), sqliteStore({ file })];
    await Promise.all(stores.map((store) => openStore(store)));
    const ids = Array.from({ length: 100 }, (_, index) => `whev_${index}`);
    const outcomes = await Promise.all(
      stores.flatMap((store) => ids.map((id) => store.accept(incoming(id)))),
    );
    expect(outcomes.filter((outcome) => outcome === 'new')).toHaveLength(100);
    const taken = await Promise.all(
      stores.map((store, index) =>
        store.take({ holder: `holder ${index}`, inHand: [], limit: 70, leaseFor: 60_000 }),
      ),
    );
    const works = taken.flat().map(({ lease }) => lease.work);
    expect(new Set(works).size).toBe(works.length);
    expect(works).toHaveLength(100);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('waits five seconds for a file that another process locks', async () => {
    const file = newFile();
    const clock = virtualClock();
    const store = await openStore(sqliteStore({ file }), clock);
    const other = (await loadDriver())(file);
    other.exec('BEGIN IMMEDIATE');
    const late = expect(store.accept(incoming('a'))).rejects.toMatchObject({
      code: 'store_unavailable',
      message:
        'The SQLite file must be writable, got: database is locked. Check disk space and permissions.',
    });
    await nextTurn();
    await clock.advance(5_000);
    await late;
    const inTime = store.accept(incoming('b'));
    await nextTurn();
    await clock.advance(4_999);
    other.exec('COMMIT');
    other.close();
    await clock.advance(1);
    expect(await inTime).toBe('new');
    await store.close();
  });

  it('rejects every operation before open() and after close()', async () => {
    const file = newFile();
    const store = sqliteStore({ file });
    const closed = {
      code: 'store_closed',
      message: `SQLite store ${file} must be open, got a call before open() or after close().`,
    };
    await expect(store.accept(incoming('a'))).rejects.toMatchObject(closed);
    await openStore(store);
    await store.close();
    await expect(store.stats()).rejects.toMatchObject(closed);
  });

  it('names a file that cannot be opened', async () => {
    const missing = path.join(folder, 'no-such-folder', 'a.db');
    await expect(openStore(sqliteStore({ file: missing }))).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining(
        `SQLite file ${missing} must be in a writable folder, got: `,
      ),
    });
    const notDatabase = newFile();
    await writeFile(notDatabase, 'x'.repeat(5_000));
    await expect(openStore(sqliteStore({ file: notDatabase }))).rejects.toMatchObject({
      code: 'store_unavailable',
    });
  });

  it.each(['', ':memory:'])('refuses file=%j', (file) => {
    expect(() => sqliteStore({ file })).toThrow(
      `file must be the path of a database file, got ${JSON.stringify(file)}. ` +
        'To keep events in memory use memoryStore().',
    );
  });
});

describe('the SQLite driver', () => {
  it('rejects with store_driver_missing and the fix when none is installed', async () => {
    await expect(loadDriver(['hookproof-no-such-driver'])).rejects.toMatchObject({
      code: 'store_driver_missing',
      message:
        'The SQLite store requires SQLite, got none. Run on Node.js 22.13 or later, which contains it, ' +
        'or run: npm install @photostructure/sqlite@1.',
    });
  });
});
