import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createProcessor } from '@hookproof/receiver';
import type { Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { postgresStore } from '@hookproof/receiver/postgres';
import { redisStore } from '@hookproof/receiver/redis';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runTimeline } from '@hookproof/receiver/testing';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

import { atMost, median, milliseconds } from './bench.ts';
import type { Bench, LeftOut, Row } from './bench.ts';
import { NotInstalledError, startLocalServer } from './local-server.ts';

/** The number of events of a short run, and of long ones. */
const SHORT = 60;
const LONG = [1_000, 10_000] as const;
/** How many short runs are measured before a long one, and as many after it. */
const ROUNDS = 4;
const SINGLE_EVENTS = 100;
const AT_ONCE = 64;

interface OpenStore {
  readonly store: Store;
  readonly close: () => Promise<unknown>;
}

const stores: Readonly<Record<string, () => Promise<OpenStore>>> = {
  async memory() {
    return { store: memoryStore(), close: async () => {} };
  },
  async SQLite() {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    const store = sqliteStore({ file: path.join(folder, 'events.db') });
    return { store, close: () => rm(folder, { recursive: true }) };
  },
  async PostgreSQL() {
    const server = await startLocalServer('postgres');
    const pool = new Pool({ connectionString: server.url, max: 20 });
    return { store: postgresStore({ pool }), close: () => pool.end().then(() => server.stop()) };
  },
  async Redis() {
    const server = await startLocalServer('redis', [
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
    ]);
    const client = new Redis(server.url);
    client.on('error', () => {});
    const close = (): Promise<void> => {
      client.disconnect();
      return server.stop();
    };
    return { store: redisStore({ client }), close };
  },
};

/** Compares what an event of a long run costs with what one of short runs costs before and after it. */
export const longRuns: Bench = {
  title: 'an event of a long run, ordered mode, beside one of a run of 60 events',
  async run() {
    const rows: (Row | LeftOut)[] = [];
    for (const [name, open] of Object.entries(stores)) {
      try {
        const { store, close } = await open();
        rows.push(...(await rowsOf(name, store)));
        await close();
      } catch (error) {
        if (!(error instanceof NotInstalledError)) throw error;
        rows.push({ leftOut: `${name} (${error.message})` });
      }
    }
    return rows;
  },
};

interface Cost {
  readonly backlog: number;
  readonly single: number;
}

async function rowsOf(name: string, store: Store): Promise<readonly Row[]> {
  const measure = measureOn(store);
  const some = async (): Promise<readonly Cost[]> => {
    const costs = [];
    for (let round = 0; round < ROUNDS; round += 1) costs.push(await measure(SHORT));
    return costs;
  };
  await some();
  const rows: Row[] = [];
  for (const size of LONG) {
    const before = await some();
    const long = await measure(size);
    const short = [...before, ...(await some())];
    for (const kind of ['backlog', 'single'] as const) {
      const beside = median(short.map((cost) => cost[kind]));
      const ratio = long[kind] / beside;
      rows.push({
        what: `${name}, run of ${size}, ${kind === 'backlog' ? 'of a backlog' : 'arriving alone'}`,
        measured: milliseconds(long[kind]),
        beside: `run of ${SHORT} ${milliseconds(beside)}`,
        ratio,
        expected: atMost(1.5, ratio),
      });
    }
  }
  return rows;
}

/** Returns a function that measures the milliseconds for an event of one more run on a store. */
function measureOn(store: Store): (size: number) => Promise<Cost> {
  let runs = 0;
  return async (size) => {
    const processor = createProcessor({
      store,
      mode: 'ordered',
      roundTripGraceMilliseconds: 0,
      handlers: { event: () => {} },
    });
    await processor.start({ work: false });
    runs += 1;
    const statuses = Array.from({ length: size + SINGLE_EVENTS }, (_, place) =>
      place % 2 === 0 ? ('running' as const) : ('waiting' as const),
    );
    const events = runTimeline(statuses, { run: { id: `exec_${runs}` } });
    const accept = (event: (typeof events)[number]): Promise<unknown> =>
      processor.process({
        id: event.id,
        body: Buffer.from(JSON.stringify(event)),
        timestamp: Math.floor(Date.now() / 1_000),
      });
    for (let place = 0; place < size; place += AT_ONCE) {
      await Promise.all(events.slice(place, Math.min(place + AT_ONCE, size)).map(accept));
    }
    const start = performance.now();
    await processor.work();
    const backlog = (performance.now() - start) / size;
    const times = [];
    for (const event of events.slice(size)) {
      const begun = performance.now();
      await accept(event);
      await processor.work();
      times.push(performance.now() - begun);
    }
    await processor.close();
    return { backlog, single: median(times) };
  };
}
