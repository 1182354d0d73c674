import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { sqliteStore } from '@hookproof/receiver/sqlite';
import { expect, it } from 'vitest';

import { compiledProgram } from '../../compiled-program.ts';
import { emptyFolder } from '../../empty-folder.ts';
import { openIn } from './contract/kit.ts';
import { incoming, openStore, take } from './open-store.ts';

const PROGRAM = compiledProgram(new URL('programs/accept-events.ts', import.meta.url));
const EXITING = compiledProgram(new URL('programs/exit-while-writing.ts', import.meta.url));

const newFile = (): string => path.join(emptyFolder(), 'events.db');

// The shell's limit on the size of a file simulates a full disk: a write fails halfway.
it('rejects events on a full disk, keeps the acknowledged ones, and continues when there is room', async () => {
  const file = newFile();
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

it('lets the process end with the code that it was asked for while SQLite writes', async () => {
  const codes = [];
  for (const events of [10, 20, 40, 80, 150]) {
    const child = spawn(process.execPath, [EXITING, newFile(), `${events}`]);
    codes.push(...(await once(child, 'exit')));
  }
  expect(new Set(codes)).toEqual(new Set([7, null]));
});
