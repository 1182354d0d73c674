import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { realClock } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { DatabaseSync } from '@photostructure/sqlite';

import { atLeast, atMost, callAll, compareRow, milliseconds, perSecond } from './bench.ts';
import type { Bench } from './bench.ts';
import { deliveryOf, storedEvent } from './delivery.ts';

const CALLERS = 64;
const EVENTS = 4_000;
/** The events of a run arrive far apart. */
const RUNS = 1_000;
const ROUNDS = 9;
const NANOSECONDS_OF_A_MILLISECOND = 1e6;

/**
 * Compares accepting into SQLite with the smallest durable write of SQLite: one row with all bodies of a turn
 * of the loop. It has no thread, so it stops the loop for the disk.
 */
export const sqliteAccept: Bench = {
  title: `durable accept, SQLite store, 1 KB, ${CALLERS} callers`,
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    const { body } = deliveryOf(1_024);
    const store = sqliteStore({ file: path.join(folder, 'events.db') });
    await store.open({ clock: realClock() });
    const insert = groupInsert(path.join(folder, 'floor.db'));
    const own = {
      run: { name: 'accept events of runs', values: [] as number[] },
      single: { name: 'accept events without a run', values: [] as number[] },
    };
    const bare = { name: 'bare INSERT of a group', values: [] as number[] };
    const loop = { name: 'longest stand of the loop, SQLite store', values: [] as number[] };
    const idle = { name: 'bare INSERT, which waits for the disk', values: [] as number[] };
    const delay = monitorEventLoopDelay({ resolution: 1 });
    for (let round = -1; round < ROUNDS; round += 1) {
      delay.reset();
      delay.enable();
      const inserted = await callAll(EVENTS, CALLERS, () => insert.write(body));
      const stoodForInsert = delay.max / NANOSECONDS_OF_A_MILLISECOND;
      const rates = { run: 0, single: 0 };
      let stoodForAccept = 0;
      for (const kind of ['run', 'single'] as const) {
        const eventAt = newEvents(kind, body);
        delay.reset();
        const accepted = await callAll(EVENTS, CALLERS, (index) => store.accept(eventAt(index)));
        stoodForAccept = Math.max(stoodForAccept, delay.max / NANOSECONDS_OF_A_MILLISECOND);
        rates[kind] = accepted.rate;
      }
      delay.disable();
      if (round < 0) continue;
      idle.values.push(stoodForInsert);
      loop.values.push(stoodForAccept);
      bare.values.push(inserted.rate);
      own.run.values.push(rates.run);
      own.single.values.push(rates.single);
    }
    insert.close();
    await store.close();
    await rm(folder, { recursive: true });
    return [
      compareRow(own.run, bare, perSecond, (ratio) => atLeast(0.7, ratio)),
      compareRow(own.single, bare, perSecond, (ratio) => atLeast(0.7, ratio)),
      compareRow(loop, idle, milliseconds, (_, longest) => atMost(50, longest)),
    ];
  },
};

/** Returns a function that makes events. Their ids and runs have no order, so that each is on another page of an index. */
function newEvents(kind: 'run' | 'single', body: Uint8Array) {
  const keys = Array.from({ length: RUNS }, () => `exec_${randomUUID()}`);
  return (index: number) => {
    const key = kind === 'single' ? null : (keys[index % RUNS] ?? '');
    return storedEvent({ id: `whev_${randomUUID()}`, key, body });
  };
}

interface GroupInsert {
  write(bytes: Uint8Array): Promise<void>;
  close(): void;
}

/** Writes the bytes of all waiting calls as one row. */
function groupInsert(file: string): GroupInsert {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE groups (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL)');
  const insert = database.prepare('INSERT INTO groups (bytes) VALUES (?)');
  let waiting: { readonly bytes: Uint8Array; readonly resolve: () => void }[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    insert.run(Buffer.concat(batch.map(({ bytes }) => bytes)));
    for (const { resolve } of batch) resolve();
  };
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ bytes, resolve });
      }),
    close: () => database.close(),
  };
}
