import { closeSync, fdatasync, fdatasyncSync, openSync, write, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { realClock } from '@hookproof/receiver';
import type { Store } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

import { atLeast } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { deliveryOf } from './delivery.ts';
import { median } from './median.ts';

const CALLERS = 64;
const EVENTS = 4_000;
const ROUNDS = 9;

type Append = (id: string) => Promise<unknown>;

/**
 * Compares accepting into SQLite with the minimal durable operation: appending to a file and syncing it.
 * One such append stops the loop of the app while the disk works, the other, like the store, does not.
 */
export const durableAccept: Bench = {
  title: `durable accept, 1 KB, ${CALLERS} callers`,
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    const { body } = deliveryOf(1_024);
    const store = sqliteStore({ file: path.join(folder, 'events.db') });
    await store.open({ clock: realClock(), wake: () => {}, conflict: () => {} });
    const stopping = rawAppend(path.join(folder, 'stopping'), body, writeStopping);
    const free = rawAppend(path.join(folder, 'free'), body, writeFree);
    const accept: Append = (id) =>
      store.accept({ id, body, timestamp: 1, content: { kind: 'single' } });

    const rates = { stopping: [] as number[], free: [] as number[], sqlite: [] as number[] };
    for (let round = -1; round < ROUNDS; round += 1) {
      const ofStopping = await eventsPerSecond(round, stopping.append);
      const ofFree = await eventsPerSecond(round, free.append);
      const ofSqlite = await eventsPerSecond(round, accept);
      if (round < 0) continue;
      rates.stopping.push(ofStopping);
      rates.free.push(ofFree);
      rates.sqlite.push(ofSqlite);
    }
    stopping.close();
    free.close();
    const filed = await filedPerSecond(store);
    await store.close();
    await rm(folder, { recursive: true });
    const what = 'accept, SQLite store';
    return [
      row(what, rates.sqlite, 'synced append, group commit', rates.stopping, 0.9),
      row(what, rates.sqlite, 'the same with the loop left free', rates.free),
      { what: 'file what was accepted', measured: filed, against: '', ratio: null, bar: null },
    ];
  },
};

function row(
  what: string,
  rates: readonly number[],
  peer: string,
  peers: readonly number[],
  bar?: number,
): Row {
  const ratio = median(rates.map((rate, round) => rate / (peers[round] ?? Number.NaN)));
  return {
    what,
    measured: `${Math.round(median(rates))}/s`,
    against: `${peer} ${Math.round(median(peers))}/s`,
    ratio,
    bar: bar === undefined ? null : atLeast(bar, ratio),
  };
}

/** The first read puts accepted events under their works: a cost that accepting has put off. */
async function filedPerSecond(store: Store): Promise<string> {
  const start = performance.now();
  const { open } = await store.stats();
  return `${Math.round((open * 1_000) / (performance.now() - start))}/s`;
}

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

type WriteSynced = (descriptor: number, bytes: Uint8Array) => Promise<void> | void;

const writeStopping: WriteSynced = (descriptor, bytes) => {
  writeSync(descriptor, bytes);
  fdatasyncSync(descriptor);
};

const writeFree: WriteSynced = async (descriptor, bytes) => {
  await promisify(write)(descriptor, bytes);
  await promisify(fdatasync)(descriptor);
};

/** Appends all waiting records with one write and one sync. */
function rawAppend(
  file: string,
  body: Uint8Array,
  writeSynced: WriteSynced,
): { append: Append; close: () => void } {
  const descriptor = openSync(file, 'a');
  let waiting: { record: Buffer; resolve: () => void }[] = [];
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const written = writeSynced(descriptor, Buffer.concat(batch.map(({ record }) => record)));
    if (written !== undefined) await written;
    for (const { resolve } of batch) resolve();
  };
  return {
    append: (id) =>
      new Promise<void>((resolve) => {
        if (waiting.length === 0) setImmediate(() => void flush());
        waiting.push({ record: Buffer.concat([Buffer.from(`${id}\n`), body]), resolve });
      }),
    close: () => closeSync(descriptor),
  };
}
