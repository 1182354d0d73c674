import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { createReceiver } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { Pool } from 'pg';
import { expect, onTestFinished } from 'vitest';

import { compiledProgram } from '../../../compiled-program.ts';
import { freshDatabase } from '../../../services/databases.ts';

const PROGRAM = compiledProgram(new URL('programs/handle-runs.ts', import.meta.url));
const SECRET = 'whsec_7hJmKx2QpLw9';
const LEASE_MILLISECONDS = 1_000;
/** Without a way back to a status: its place would not be known before all events are there. */
const STATUSES = ['created', 'pending', 'running', 'finalizing', 'completed'] as const;

interface KillPlan {
  readonly runs: number;
  /** Each ends two processes. */
  readonly kills: number;
  /** Number of processes that handle events. */
  readonly processes: number;
  /** Decides what is killed, delivered twice and swapped. */
  readonly seed: number;
}

/**
 * Delivers runs while processes handle them, each event several times and in a shuffled order, and
 * kills processes at random. Then every event must have happened once, and in the order of its run.
 */
export async function surviveKills({ runs, kills, processes, seed }: KillPlan): Promise<void> {
  const random = randomFrom(seed);
  const url = await freshDatabase();
  const pool = new Pool({ connectionString: url, max: 8 });
  onTestFinished(() => pool.end());
  await pool.query(
    `CREATE TABLE effects (number bigserial, event_id text, run_id text, status text)`,
  );
  const children = await Promise.all(Array.from({ length: processes }, () => start(url)));
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
  });
  const delivered = deliver(pool, runs, random);
  const total = runs * STATUSES.length;
  const effectCount = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM effects');
    return Number(rows[0]?.count);
  };
  for (let kill = 0; kill < kills; kill += 1) {
    // The kills are spread over the work: each waits for its share of the effects.
    const reached = Math.floor((total * 0.8 * kill) / kills);
    await expect
      .poll(effectCount, { interval: 5, timeout: 60_000 })
      .toBeGreaterThanOrEqual(reached);
    // Two are killed at the same time.
    const first = Math.floor(random() * processes);
    const victims = [first, (first + 1) % processes];
    for (const victim of victims) children[victim]?.kill('SIGKILL');
    await Promise.all(
      victims.map(async (victim) => {
        children[victim] = await start(url);
      }),
    );
  }
  await delivered;
  await expect.poll(effectCount, { interval: 50, timeout: 60_000 }).toBe(total);
  await expectOrder(pool, runs);
  await Promise.all(children.map(stop));
  expect(await effectCount()).toBe(total);
}

async function start(url: string): Promise<ChildProcess> {
  const args = [PROGRAM, url, String(LEASE_MILLISECONDS), '3'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error('The process must start.')),
  );
  await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.stdin?.end();
  await closed;
}

/** Delivers every event, and some of them twice, with neighbours swapped. */
async function deliver(pool: Pool, runs: number, random: () => number): Promise<void> {
  const receiver = createReceiver({
    secrets: SECRET,
    store: postgresStore({ pool }),
    handlers: {},
  });
  await receiver.start({ work: false });
  const events = Array.from({ length: runs }, (_, index) =>
    runTimeline(STATUSES, { run: { id: `exec_${index}` } }),
  ).flat();
  const shuffled = events
    .flatMap((event, index) =>
      (random() < 0.1 ? [event, event] : [event]).map((one) => ({
        one,
        at: index + random() * 20,
      })),
    )
    .toSorted((left, right) => left.at - right.at);
  for (let from = 0; from < shuffled.length; from += 16) {
    const responses = shuffled.slice(from, from + 16).map(({ one }) => {
      const { headers, body } = signEvent(one, { secret: SECRET });
      return receiver.receive({ method: 'POST', headers, body });
    });
    for (const { status } of await Promise.all(responses)) expect([200, 202]).toContain(status);
  }
  await receiver.close();
}

/** Every event happened once, and the effects of each run have the order of its statuses. */
async function expectOrder(pool: Pool, runs: number): Promise<void> {
  const { rows } = await pool.query<{ run_id: string; ids: string[]; statuses: string[] }>(
    `SELECT run_id, array_agg(event_id ORDER BY number) AS ids, array_agg(status ORDER BY number) AS statuses
     FROM effects GROUP BY run_id`,
  );
  expect(rows).toHaveLength(runs);
  for (const { run_id: runId, ids, statuses } of rows) {
    expect(ids).toEqual(STATUSES.map((_, index) => `whev_${runId}_${index + 1}`));
    expect(statuses).toEqual(STATUSES);
  }
}

/** Returns numbers from 0 to below 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
