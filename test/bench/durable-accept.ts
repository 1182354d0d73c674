import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { realClock } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

import { atLeast } from './bench.ts';
import type { Bench } from './bench.ts';
import { deliveryOf } from './delivery.ts';

const CALLERS = 64;
const EVENTS = 4_000;
const ROUNDS = 9;

type Append = (id: string) => Promise<unknown>;

/** Compares accepting into SQLite with the minimal durable operation: appending to a file and syncing it. */
export const durableAccept: Bench = {
  title: `durable accept, 1 KB, ${CALLERS} callers`,
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    const { body } = deliveryOf(1_024);
    const store = sqliteStore({ file: path.join(folder, 'events.db') });
    await store.open({ clock: realClock(), wake: () => {}, conflict: () => {} });
    const raw = rawAppend(path.join(folder, 'raw'), body);
    const accept: Append = (id) =>
      store.accept({ id, body, timestamp: 1, content: { kind: 'single' } });

    const rates: { raw: number; sqlite: number }[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const rate = {
        raw: await eventsPerSecond(round, raw.append),
        sqlite: await eventsPerSecond(round, accept),
      };
      if (round >= 0) rates.push(rate);
    }
    raw.close();
    await store.close();
    await rm(folder, { recursive: true });
    const ratio = median(rates.map(({ sqlite, raw: floor }) => sqlite / floor));
    return [
      {
        what: 'accept, SQLite store',
        measured: `${Math.round(median(rates.map(({ sqlite }) => sqlite)))}/s`,
        against: `synced append, group commit ${Math.round(median(rates.map((rate) => rate.raw)))}/s`,
        ratio,
        bar: atLeast(0.8, ratio),
      },
    ];
  },
};

async function eventsPerSecond(round: number, append: Append): Promise<number> {
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next < EVENTS) {
        next += 1;
        await append(`whev_${round}_${next}`);
      }
    }),
  );
  return (EVENTS * 1_000) / (performance.now() - start);
}

/** Appends all waiting records with one write and one sync. */
function rawAppend(file: string, body: Uint8Array): { append: Append; close: () => void } {
  const descriptor = openSync(file, 'a');
  let waiting: { record: Buffer; resolve: () => void }[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    writeSync(descriptor, Buffer.concat(batch.map(({ record }) => record)));
    fdatasyncSync(descriptor);
    for (const { resolve } of batch) resolve();
  };
  return {
    append: (id) =>
      new Promise<void>((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ record: Buffer.concat([Buffer.from(`${id}\n`), body]), resolve });
      }),
    close: () => closeSync(descriptor),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
