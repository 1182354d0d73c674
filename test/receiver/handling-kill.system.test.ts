import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, it, onTestFinished } from 'vitest';

import { compiledProgram } from '../compiled-program.ts';
import { emptyFolder } from '../empty-folder.ts';
import { freshDatabase } from '../services/databases.ts';
import { describeWith } from '../services/local-server.ts';
import { RUN } from './programs/run-of-three.ts';

const PROGRAM = compiledProgram(new URL('programs/handle-events.ts', import.meta.url));
/** With SQLite far longer than the test may take: the lease of a process that is gone is free at once. */
const LEASES: Readonly<Record<string, string>> = { sqlite: '3600000', postgres: '2000' };

/** Starts a process that handles the events in the store, and collects the lines that it prints. */
function startHandling(store: string, address: string, hangsAt = '') {
  const args = [PROGRAM, store, address, LEASES[store] ?? '', hangsAt];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(kill);
  return { lines, kill };
}

/** Kills a process during the second of three events, and sees what another process of the machine handles. */
async function killDuringSecond(name: string, address: string): Promise<void> {
  const [first = '', second = '', third = ''] = RUN.map(({ id }) => id);
  const one = startHandling(name, address, second);
  await expect.poll(() => one.lines, WAIT).toContain(`begin ${second} 1`);
  const other = startHandling(name, address);
  await one.kill();
  await expect.poll(() => other.lines, WAIT).toContain('settled exec_1');
  expect(one.lines).toEqual([`begin ${first} 1`, `begin ${second} 1`]);
  expect(other.lines).toEqual([`begin ${second} 1`, `begin ${third} 1`, 'settled exec_1']);
}

const WAIT = { timeout: 60_000 };

describe('a process that is killed during handling with SQLite', () => {
  it('loses nothing: another process of the machine handles the event again at once', async () => {
    await killDuringSecond('sqlite', path.join(emptyFolder(), 'events.db'));
  });
});

describeWith('postgres')('a process that is killed during handling with PostgreSQL', () => {
  it('loses nothing: another process handles the event again when the lease expires', async () =>
    killDuringSecond('postgres', await freshDatabase()));
});
