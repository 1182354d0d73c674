import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';

import { sqliteStore } from '@hookproof/receiver/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';

import { loadDriver } from '../../../receiver/src/stores/sqlite/driver.ts';
import type { Database } from '../../../receiver/src/stores/sqlite/driver.ts';
import { compiledProgram } from '../../compiled-program.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { openIn } from './contract/kit.ts';
import { incoming, openStore, take } from './open-store.ts';

const newFile = () => path.join(emptyFolder(), 'events.db');

/** Collects the threads that this process starts. */
function startedThreads(): readonly Worker[] {
  const threads: Worker[] = [];
  const onWorker = (worker: Worker) => threads.push(worker);
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  return threads;
}

/** Another user of a file, who writes in a transaction. */
async function lockedBy(file: string): Promise<Database> {
  const other = (await loadDriver())(file);
  other.exec('BEGIN IMMEDIATE');
  return other;
}

describe('the thread of the SQLite store', () => {
  it('is started again after it ended, with nothing lost', async () => {
    const threads = startedThreads();
    const file = newFile();
    const store = await openStore(sqliteStore({ file }));
    expect(await store.accept(incoming('a'))).toBe('new');
    const waiting = Promise.allSettled([store.accept(incoming('b')), store.stats()]);
    await threads[0]?.terminate();
    const rejected = {
      status: 'rejected',
      reason: {
        code: 'store_unavailable',
        message:
          `The thread of SQLite file ${file} must run, got: it stopped. The next call starts another one. ` +
          'If your app is bundled, mark @hookproof/receiver as external.',
      },
    };
    expect(await waiting).toMatchObject([rejected, rejected]);
    expect(await Promise.all([store.accept(incoming('c')), store.accept(incoming('d'))])).toEqual([
      'new',
      'new',
    ]);
    expect(threads).toHaveLength(2);
    const ids = (await take(store)).flatMap(openIn);
    expect(ids).toEqual(expect.arrayContaining(['a', 'c', 'd']));
    await store.close();
  });

  it('finishes what was asked before close(), and can be opened again', async () => {
    const file = newFile();
    const store = await openStore(sqliteStore({ file }));
    const accepted = Array.from({ length: 100 }, (_, index) => store.accept(incoming(`${index}`)));
    await store.close();
    expect(new Set(await Promise.all(accepted))).toEqual(new Set(['new']));
    await openStore(store);
    expect(await store.stats()).toMatchObject({ open: 100 });
    await store.close();
  });

  it('is closed by a close() during open(), and opened once by two calls', async () => {
    const threads = startedThreads();
    const store = sqliteStore({ file: newFile() });
    const opened = openStore(store);
    await store.close();
    await opened;
    await expect(store.stats()).rejects.toMatchObject({ code: 'store_closed' });
    await Promise.all([openStore(store), openStore(store)]);
    expect(await store.stats()).toMatchObject({ open: 0 });
    expect(threads).toHaveLength(2);
    await store.close();
  });

  it('keeps no process alive that has nothing else to do', async () => {
    const program = compiledProgram(new URL('programs/leave-open.ts', import.meta.url));
    const child = spawn(process.execPath, [program, newFile()], { stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('leaves the loop of the app free while the file is locked', async () => {
    const file = newFile();
    const store = await openStore(sqliteStore({ file }));
    const other = await lockedBy(file);
    const accepted = store.accept(incoming('a'));
    let turns = 0;
    while (turns < 1_000) {
      await new Promise(setImmediate);
      turns += 1;
    }
    other.exec('COMMIT');
    other.close();
    expect(await accepted).toBe('new');
    await store.close();
  });

  it('reads while another process writes', async () => {
    const file = newFile();
    const store = await openStore(sqliteStore({ file }));
    await store.accept(incoming('a', { key: 'exec_1' }));
    const other = await lockedBy(file);
    const accepted = store.accept(incoming('b'));
    expect(await store.stats()).toMatchObject({ open: 1 });
    expect(await store.body('platform', 'a')).not.toBeNull();
    other.close();
    expect(await accepted).toBe('new');
    await store.close();
  });
});
