import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { createReceiver } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { Pool } from 'pg';

import { atLeast } from './bench.ts';
import type { Bench } from './bench.ts';
import { SECRET } from './delivery.ts';
import { startLocalServer } from './local-server.ts';
import { median } from './median.ts';

const WORKER = fileURLToPath(new URL('programs/postgres-worker/main.js', import.meta.url));
const HANDLER_MILLISECONDS = 5;
const RUNS = 200;
const STATUSES = ['pending', 'running', 'completed'] as const;
const ROUNDS = 5;
const PROCESSES = 4;

/** The same backlog, handled by one process and by four. The server shares the processors with them. */
export const postgresProcesses: Bench = {
  title: `events handled from one PostgreSQL, ${HANDLER_MILLISECONDS} ms of processor time each`,
  async run() {
    const server = await startLocalServer('postgres');
    const pool = new Pool({ connectionString: server.url, max: 8 });
    const rates: { one: number; four: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.push({
        one: await handledPerSecond(server.url, pool, 1),
        four: await handledPerSecond(server.url, pool, PROCESSES),
      });
    }
    await pool.end();
    await server.stop();
    const ratio = median(rates.map(({ one, four }) => four / one));
    return [
      {
        what: `${PROCESSES} processes`,
        measured: `${Math.round(median(rates.map(({ four }) => four)))}/s`,
        against: `one process ${Math.round(median(rates.map(({ one }) => one)))}/s`,
        ratio,
        bar: atLeast(2.5, ratio),
      },
    ];
  },
};

async function handledPerSecond(url: string, pool: Pool, processes: number): Promise<number> {
  await pool.query('DROP SCHEMA IF EXISTS hookproof CASCADE');
  await accept(pool);
  const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(url)));
  const start = performance.now();
  for (const worker of workers) worker.send('start');
  const remaining = 'SELECT FROM hookproof.bodies LIMIT 1';
  while ((await pool.query(remaining)).rowCount !== 0) await setTimeout(5);
  const time = performance.now() - start;
  await Promise.all(workers.map(stopWorker));
  return (RUNS * STATUSES.length * 1_000) / time;
}

async function startWorker(url: string): Promise<ChildProcess> {
  const worker = fork(WORKER, [url, String(HANDLER_MILLISECONDS)]);
  await once(worker, 'message');
  return worker;
}

async function stopWorker(worker: ChildProcess): Promise<void> {
  const closed = once(worker, 'close');
  worker.kill();
  await closed;
}

async function accept(pool: Pool): Promise<void> {
  const receiver = createReceiver({
    secrets: SECRET,
    store: postgresStore({ pool }),
    handlers: {},
  });
  await receiver.start({ work: false });
  const events = Array.from({ length: RUNS }, (_, index) =>
    runTimeline(STATUSES, { run: { id: `exec_${index}` } }),
  ).flat();
  const responses = events.map((event) =>
    receiver.receive({ method: 'POST', ...signEvent(event, { secret: SECRET }) }),
  );
  const refused = (await Promise.all(responses)).filter(({ status }) => status !== 202);
  if (refused.length > 0) throw new Error(`${refused.length} deliveries must be accepted.`);
  await receiver.close();
}
