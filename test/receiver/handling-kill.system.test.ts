import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { createReceiver } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { compiledProgram } from '../compiled-program.ts';
import { SECRET } from './started-receiver.ts';

const PROGRAM = compiledProgram(new URL('programs/handle-events.ts', import.meta.url));
/** Far longer than the test may take: the lease of a process that is gone is free at once. */
const LEASE_MILLISECONDS = '3600000';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hookproof-handling-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a process that handles the events in the file, and collects the lines that it prints. */
function startHandling(file: string, hangsAt = '') {
  const args = [PROGRAM, file, LEASE_MILLISECONDS, hangsAt];
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

describe('a process that is killed during handling', () => {
  it('loses nothing: another process of the machine handles the event again at once', async () => {
    const file = path.join(folder, 'events.db');
    const run = runTimeline(['pending', 'running', 'completed']);
    const [first = '', second = '', third = ''] = run.map(({ id }) => id);
    const accepting = createReceiver({
      secrets: SECRET,
      store: sqliteStore({ file }),
      handlers: {},
    });
    await accepting.start({ work: false });
    for (const event of run) {
      const { headers, body } = signEvent(event, { secret: SECRET });
      const response = await accepting.receive({ method: 'POST', headers, body });
      expect(response.status).toBe(202);
    }
    await accepting.close();

    const one = startHandling(file, second);
    await expect.poll(() => one.lines).toContain(`begin ${second} 1`);
    const other = startHandling(file);
    await one.kill();
    await expect.poll(() => other.lines).toContain('settled exec_1');
    expect(one.lines).toEqual([`begin ${first} 1`, `begin ${second} 1`]);
    expect(other.lines).toEqual([`begin ${second} 1`, `begin ${third} 1`, 'settled exec_1']);
  });
});
