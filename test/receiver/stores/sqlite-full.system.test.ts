import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { sqliteStore } from '@hookproof/receiver/sqlite';
import { expect, it, onTestFinished } from 'vitest';

import { compiledProgram } from '../../compiled-program.ts';
import { incoming, openStore, take } from './open-store.ts';

const PROGRAM = compiledProgram(new URL('programs/accept-events.ts', import.meta.url));

// The shell's limit on the size of a file simulates a full disk: a write fails halfway.
it('rejects events on a full disk, keeps the acknowledged ones, and continues when there is room', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-full-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'events.db');
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
  const kept = new Set(jobs.flatMap(({ open }) => open.map(({ id }) => id)));
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  expect(await store.accept(incoming('whev_after'))).toBe('new');
  await store.close();
});
