import path from 'node:path';

import { sqliteStore } from '@hookproof/receiver/sqlite';
import { describe, expect, it } from 'vitest';

import { loadDriver } from '../../../receiver/src/stores/sqlite/driver.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { openIn } from './contract/kit.ts';
import { storeContract } from './contract/store-contract.ts';
import { incoming, openStore, take } from './open-store.ts';

const newFile = () => path.join(emptyFolder(), 'events.db');

describe('sqliteStore, as every store', () => {
  storeContract({ create: () => sqliteStore({ file: newFile() }) });
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

  it('shares a file with another store: one winner for each id, one holder for each job', async () => {
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
    const jobs = taken.flatMap((each) => each.jobs).map(({ lease }) => lease.job);
    expect(new Set(jobs).size).toBe(jobs.length);
    expect(jobs).toHaveLength(100);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('waits five seconds for a file that another process locks, once however many calls there are', async () => {
    const file = newFile();
    const store = await openStore(sqliteStore({ file }));
    const other = (await loadDriver())(file);
    other.exec('BEGIN IMMEDIATE');
    const calls = [
      ...Array.from({ length: 4 }, (_, index) => store.accept(incoming(`whev_${index}`))),
      take(store),
      store.setPaused('completed', true),
    ];
    // From the first failure on the file is free: a call that waits longer than the others succeeds.
    await Promise.race(calls).catch(() => {});
    other.close();
    const locked = {
      status: 'rejected',
      reason: {
        code: 'store_unavailable',
        message:
          `SQLite file ${file} must be free for writing within 5 s, got: database is locked. ` +
          'End the backup or the shell that keeps a transaction open.',
        cause: { message: 'database is locked' },
      },
    };
    expect(await Promise.allSettled(calls)).toMatchObject(calls.map(() => locked));
    expect(await store.accept(incoming('whev_after'))).toBe('new');
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

  it('finds a repetition that another process accepted a moment ago', async () => {
    const file = newFile();
    const [one, two] = [sqliteStore({ file }), sqliteStore({ file })];
    await Promise.all([openStore(one), openStore(two)]);
    expect(await one.accept(incoming('a'))).toBe('new');
    expect(await two.accept(incoming('a'))).toBe('duplicate');
    expect(await one.accept(incoming('b'))).toBe('new');
    const other = incoming('b', { body: new Uint8Array(3) });
    expect(await two.accept(other)).toBe('conflict');
    expect(await take(one)).toHaveLength(2);
    await Promise.all([one.close(), two.close()]);
  });

  it('keeps the new events of a turn beside repetitions and conflicts', async () => {
    const store = await openStore(sqliteStore({ file: newFile() }));
    await store.accept(incoming('a'));
    const offered = [
      incoming('a'),
      incoming('b'),
      incoming('b', { body: new Uint8Array(1) }),
      incoming('c'),
    ];
    const outcomes = await Promise.all(offered.map((event) => store.accept(event)));
    expect(outcomes).toEqual(['duplicate', 'new', 'conflict', 'new']);
    const jobs = await take(store);
    expect(jobs.flatMap(openIn)).toEqual(['a', 'b', 'c']);
    await store.close();
  });

  it('keeps large bodies of many callers', async () => {
    const store = await openStore(sqliteStore({ file: newFile() }));
    const bodies = Array.from({ length: 12 }, (_, index) => Buffer.alloc(1024 * 1024, index));
    const ids = bodies.map((_, index) => `whev_${index}`);
    await Promise.all(
      bodies.map((body, index) => store.accept(incoming(`whev_${index}`, { body }))),
    );
    const jobs = await take(store, 20);
    expect(jobs.flatMap(openIn).toSorted()).toEqual(ids.toSorted());
    for (const job of jobs) {
      const [id = ''] = openIn(job);
      const body = (await store.begin(job.lease, id)) ?? new Uint8Array();
      expect(Buffer.compare(body, bodies[ids.indexOf(id)] ?? Buffer.of())).toBe(0);
    }
    await store.close();
  });

  it('hands out other runs beside a leased run with thousands of waiting events', async () => {
    const store = await openStore(sqliteStore({ file: newFile() }));
    const ids = Array.from({ length: 2_000 }, (_, index) => `long_${index}`);
    await Promise.all(ids.map((id) => store.accept(incoming(id, { key: 'long' }))));
    const [long] = await take(store, 1);
    expect(long?.events).toHaveLength(2_000);
    await store.accept(incoming('other_1', { key: 'other' }));
    const inHand = [long?.lease.job ?? ''];
    const { jobs } = await store.take({ holder: 'test', inHand, limit: 16, leaseFor: 60_000 });
    expect(jobs).toMatchObject([{ key: 'other', lastPosition: 1 }]);
    await store.close();
  });
});

describe('the SQLite driver', () => {
  it('rejects with store_driver_missing and the fix when none is installed', async () => {
    await expect(loadDriver(['hookproof-no-such-driver'])).rejects.toMatchObject({
      code: 'store_driver_missing',
      message:
        'The SQLite store requires SQLite. Run on Node.js 22.13 or later, which contains it, ' +
        'or run: npm install @photostructure/sqlite@1.',
    });
  });
});
