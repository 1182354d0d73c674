import { open, readFile, readdir, readlink, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Store } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { describe, expect, it } from 'vitest';

import { loadDriver } from '../../../receiver/src/stores/sqlite/driver.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { virtualClock } from '../virtual-clock.ts';
import { failed, handled, openIn, RELEASE } from './contract/kit.ts';
import { incoming, openStore, take } from './open-store.ts';

const newFile = () => path.join(emptyFolder(), 'events.db');

const SECRET_TEXT = 'canary-4711';

/** Handles everything that is due. */
async function handleAll(store: Store): Promise<void> {
  for (const job of await take(store, 1_000)) {
    const outcomes = openIn(job).map((id) => handled(id));
    await store.finish(job.lease, outcomes, RELEASE);
  }
}

/** Returns the bytes of the file and of the log beside it. */
async function onDisk(file: string): Promise<Buffer> {
  const log = await readFile(`${file}-wal`).catch(() => Buffer.of());
  return Buffer.concat([await readFile(file), log]);
}

/** Returns the open descriptors of this process on a file and the files beside it. */
async function descriptors(file: string): Promise<readonly string[]> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((name) =>
      readlink(`/proc/self/fd/${name}`).catch(() => ''),
    ),
  );
  return links.filter((link) => link.startsWith(file));
}

describe('the file of the SQLite store', () => {
  it('holds no body of a handled event once the store is quiet', async () => {
    const file = newFile();
    const store = await openStore(sqliteStore({ file }));
    for (const length of [10, 1_000, 20_000]) {
      const ids = Array.from({ length: 50 }, (_, index) => `whev_${length}_${index}`);
      const body = Buffer.from(SECRET_TEXT.padEnd(length, SECRET_TEXT));
      await Promise.all(ids.map((id) => store.accept(incoming(id, { body, key: `exec_${id}` }))));
      expect((await onDisk(file)).includes(SECRET_TEXT)).toBe(true);
      await handleAll(store);
    }
    // A receiver that polls without finding work does not keep the store from being quiet.
    const isReadable = async (): Promise<boolean> => {
      expect(await take(store)).toEqual([]);
      return (await onDisk(file)).includes(SECRET_TEXT);
    };
    await expect.poll(isReadable).toBe(false);
    await store.close();
  });

  it('holds no body of a handled event after close()', async () => {
    const file = newFile();
    const store = await openStore(sqliteStore({ file }));
    const body = Buffer.from(SECRET_TEXT.padEnd(9_000, SECRET_TEXT));
    const ids = Array.from({ length: 200 }, (_, index) => `whev_${index}`);
    await Promise.all(ids.map((id) => store.accept(incoming(id, { body }))));
    await handleAll(store);
    await store.close();
    const bytes = await onDisk(file);
    expect(bytes.includes(SECRET_TEXT)).toBe(false);
    // The room of the bodies is given back.
    expect(bytes.length).toBeLessThan((ids.length * body.length) / 10);
  });

  it.runIf(process.platform === 'linux')('is closed by close(), with its log', async () => {
    const file = newFile();
    const store = await openStore(sqliteStore({ file }));
    await store.accept(incoming('a'));
    expect((await descriptors(file)).length).toBeGreaterThan(0);
    await store.close();
    expect(await descriptors(file)).toEqual([]);
    expect(await readdir(path.dirname(file))).toEqual([path.basename(file)]);
  });

  it('is missed when it is removed: the store says so, then continues with a new one', async () => {
    const file = newFile();
    const store = await openStore(sqliteStore({ file }));
    await store.accept(incoming('a'));
    await rename(file, `${file}.moved`);
    await expect(store.accept(incoming('lost'))).rejects.toMatchObject({
      code: 'store_unavailable',
      message:
        `SQLite file ${file} must stay in its place, got another file or none. Its events that were ` +
        'not handled are lost with it. The store continues with the file that is there, or a new one.',
    });
    expect(await store.accept(incoming('b'))).toBe('new');
    expect((await take(store)).flatMap(openIn)).toEqual(['b']);
    await store.close();
  });

  it('is refused unchanged when another program wrote it', async () => {
    const file = newFile();
    const database = (await loadDriver())(file);
    database.exec('CREATE TABLE users (name TEXT)');
    database.close();
    const before = await readFile(file);
    await expect(openStore(sqliteStore({ file }))).rejects.toMatchObject({
      code: 'store_schema_mismatch',
      message:
        `SQLite file ${file} must be empty or of this store, got tables of another program. ` +
        'Give the store a file of its own.',
    });
    expect(await readFile(file)).toEqual(before);
  });

  it('is refused when its folder is missing or it is no database', async () => {
    const missing = path.join(emptyFolder(), 'no-such-folder', 'a.db');
    await expect(openStore(sqliteStore({ file: missing }))).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(
        /must be readable and writable, got: .* Check that its folder exists, its permissions/,
      ),
    });
    const text = newFile();
    await writeFile(text, 'x'.repeat(5_000));
    await expect(openStore(sqliteStore({ file: text }))).rejects.toMatchObject({
      code: 'store_unavailable',
      message:
        `SQLite file ${text} must be an intact SQLite database, got: file is not a database. ` +
        'Restore it with its -wal file from a backup, or move it away to begin with an empty one.',
    });
  });

  it('gives no event from damaged pages', async () => {
    const file = newFile();
    const first = await openStore(sqliteStore({ file }));
    const ids = Array.from({ length: 300 }, (_, index) => `whev_${index}`);
    await Promise.all(ids.map((id) => first.accept(incoming(id, { body: Buffer.alloc(2_000) }))));
    await first.close();
    const handle = await open(file, 'r+');
    const { size } = await handle.stat();
    for (let page = 4; page * 4_096 < size; page += 1) {
      await handle.write(Buffer.alloc(4_096, 0xa5), 0, 4_096, page * 4_096);
    }
    await handle.close();
    const store = sqliteStore({ file });
    const result = await openStore(store)
      .then(() => take(store, 1_000))
      .catch((error: unknown) => error);
    expect(result).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('must be an intact SQLite database, got: '),
    });
    await store.close();
  });

  it('forgets leases and delays of the time before a restart of the machine', async () => {
    const file = newFile();
    const before = virtualClock();
    const first = await openStore(sqliteStore({ file }), before);
    await before.advance(3_600_000);
    await Promise.all(['held', 'delayed'].map((id) => first.accept(incoming(id, { key: id }))));
    const jobs = await take(first);
    const delayed = jobs.find(({ key }) => key === 'delayed');
    const held = jobs.find(({ key }) => key === 'held');
    if (delayed === undefined || held === undefined) throw new Error('Both must be taken.');
    await first.begin(held.lease, 'held');
    await first.finish(delayed.lease, [failed('delayed', 60_000)], {
      do: 'release',
      dueIn: 60_000,
    });
    await first.close();
    const store = await openStore(sqliteStore({ file }), virtualClock());
    const other = { holder: 'other', inHand: [], limit: 10, leaseFor: 1_000 };
    const { jobs: taken } = await store.take(other);
    expect(new Map(taken.map(({ key, events: [event] }) => [key, event?.open]))).toMatchObject(
      new Map([
        ['held', { crashes: 1 }],
        ['delayed', { crashes: 0, dueIn: 0 }],
      ]),
    );
    await store.close();
  });

  it('keeps the leases of another process when it is opened by one whose clock was read earlier', async () => {
    const file = newFile();
    const later = virtualClock();
    await later.advance(1_000);
    const first = await openStore(sqliteStore({ file }), later);
    await first.accept(incoming('a'));
    expect(await take(first)).toHaveLength(1);
    const second = await openStore(sqliteStore({ file }), virtualClock());
    expect(await second.stats()).toMatchObject({ inHand: 1, due: 0 });
    await Promise.all([first.close(), second.close()]);
  });

  it('counts the age of an event without the time of day, also for another process', async () => {
    const file = newFile();
    const clock = virtualClock();
    const first = await openStore(sqliteStore({ file }), clock);
    await first.accept(incoming('a', { key: 'exec_1' }));
    await first.close();
    await clock.advance(500);
    const stepped = { ...clock, now: () => clock.now() + 86_400_000 };
    const store = await openStore(sqliteStore({ file }), stepped);
    expect((await store.stats()).oldestOpen).toBe(500);
    expect((await take(store))[0]?.events[0]?.open?.age).toBe(500);
    await store.close();
  });
});
