import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { sqliteStore } from '@hookproof/receiver/sqlite';
import { expect } from 'vitest';

import { compiledProgram } from '../../compiled-program.ts';
import { openIn } from './contract/kit.ts';
import { openStore, take } from './open-store.ts';

const PROGRAM = compiledProgram(new URL('programs/accept-events.ts', import.meta.url));
const NO_END = 1_000_000;

interface AcceptingProcess {
  /** The outcome of each acknowledged id. */
  readonly acknowledged: Map<string, string>;
  /** Resolves when `size` ids are acknowledged or the process has ended. */
  reached(size: number): Promise<void>;
  kill(): Promise<void>;
  ended(): Promise<number | null>;
}

/** Starts a process that accepts events from `first` on, and records the acknowledged ids. */
function startAccepting(
  file: string,
  { first = 0, count = NO_END, callers = 16 }: { first?: number; count?: number; callers?: number },
): AcceptingProcess {
  const args = [PROGRAM, file, first, count, callers].map(String);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const acknowledged = new Map<string, string>();
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [id = '', outcome] = line.split(' ');
      if (outcome !== undefined) acknowledged.set(id, outcome);
    }
  });
  return {
    acknowledged,
    async reached(size) {
      while (acknowledged.size < size && child.exitCode === null && child.signalCode === null) {
        await Promise.race([once(child.stdout, 'data'), closed]);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    async ended() {
      await closed;
      return child.exitCode;
    },
  };
}

/** Kills a process after each of the counts; then every acknowledged event must be stored once. */
export async function surviveKills(file: string, counts: readonly number[]): Promise<number> {
  const acknowledged = new Set<string>();
  let first = 0;
  for (const count of counts) {
    const accepting = startAccepting(file, { first });
    await accepting.reached(count);
    await accepting.kill();
    expect(accepting.acknowledged.size).toBeGreaterThanOrEqual(count);
    expect(new Set(accepting.acknowledged.values())).toEqual(new Set(['new']));
    for (const id of accepting.acknowledged.keys()) acknowledged.add(id);
    first += NO_END;
  }
  const store = await openStore(sqliteStore({ file }));
  const jobs = await take(store, 10 * acknowledged.size);
  const kept = jobs.flatMap(openIn);
  for (const { lease, events } of jobs) {
    const { id = '' } = events[0] ?? {};
    const body = (await store.begin(lease, id)) ?? [];
    expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({ id });
  }
  await store.close();
  expect(new Set(kept).size).toBe(kept.length);
  expect([...acknowledged].filter((id) => !kept.includes(id))).toEqual([]);
  return acknowledged.size;
}

/** Offers the same ids from two processes, of which one may be killed; each id has one winner. */
export async function shareIds(file: string, count: number, killOne: boolean): Promise<void> {
  const both = [0, 1].map(() => startAccepting(file, { count }));
  const [first, second] = both;
  if (killOne) {
    await first?.reached(Math.floor(count / 4));
    await first?.kill();
  }
  expect(await second?.ended()).toBe(0);
  if (!killOne) expect(await first?.ended()).toBe(0);
  const outcomes = both.flatMap(({ acknowledged }) => Array.from(acknowledged));
  const winners = outcomes.filter(([, outcome]) => outcome === 'new').map(([id]) => id);
  expect(new Set(winners).size).toBe(winners.length);
  expect(outcomes.filter(([, outcome]) => outcome === 'conflict')).toEqual([]);
  if (!killOne) expect(winners).toHaveLength(count);
  const store = await openStore(sqliteStore({ file }));
  expect(await take(store, 2 * count)).toHaveLength(count);
  await store.close();
}
