import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { sqliteStore } from '@hookproof/receiver/sqlite';
import { expect, it, onTestFinished } from 'vitest';

import { loadDriver } from '../../../receiver/src/stores/sqlite/driver.ts';
import { compiledProgram } from '../../compiled-program.ts';
import { openIn } from './contract/kit.ts';
import { incoming, openStore, take } from './open-store.ts';

const PROGRAM = compiledProgram(new URL('programs/accept-events.ts', import.meta.url));
const EXITING = compiledProgram(new URL('programs/exit-while-writing.ts', import.meta.url));

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-sqlite-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return path.join(folder, 'events.db');
}

// The shell's limit on the size of a file simulates a full disk: a write fails halfway.
it('rejects events on a full disk, keeps the acknowledged ones, and continues when there is room', async () => {
  const file = await newFile();
  const command = `ulimit -f 1000; exec "$0" "$@"`;
  const args = ['-c', command, process.execPath, PROGRAM, file, '0', '20000', '16'];
  const child = spawn('sh', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  expect(complaint).toContain('must be readable and writable, got: ');
  const acknowledged = [...printed.matchAll(/^(\w+) new$/gm)].map(([, id = '']) => id);
  expect(acknowledged.length).toBeGreaterThan(10);

  const store = await openStore(sqliteStore({ file }));
  const jobs = await take(store, 20_000);
  const kept = new Set(jobs.flatMap(openIn));
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  expect(await store.accept(incoming('whev_after'))).toBe('new');
  await store.close();
});

it('waits for a locked file once, however many calls there are', async () => {
  const file = await newFile();
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
    },
  };
  expect(await Promise.allSettled(calls)).toMatchObject(calls.map(() => locked));
  expect(await store.accept(incoming('whev_after'))).toBe('new');
  await store.close();
});

it('lets the process end with the code that it was asked for while SQLite writes', async () => {
  const codes = [];
  for (let events = 1; events <= 15; events += 1) {
    const child = spawn(process.execPath, [EXITING, await newFile(), `${events * 10}`]);
    codes.push(...(await once(child, 'exit')));
  }
  expect(new Set(codes)).toEqual(new Set([7, null]));
});
