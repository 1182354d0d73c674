import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { realClock } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';

import { atLeast, callAll, compareRow, perSecond } from './bench.ts';
import type { Bench } from './bench.ts';
import { deliveryOf } from './delivery.ts';

const CALLERS = 64;
const EVENTS = 4_000;
const ROUNDS = 9;

/** Compares accepting into SQLite with the smallest durable operation: appending to a file and syncing it. */
export const sqliteAccept: Bench = {
  title: `durable accept, SQLite store, 1 KB, ${CALLERS} callers`,
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    const { body } = deliveryOf(1_024);
    const store = sqliteStore({ file: path.join(folder, 'events.db') });
    await store.open({ clock: realClock(), wake: () => {}, conflict: () => {} });
    const floor = groupAppend(path.join(folder, 'floor'), body);
    const own = { name: 'accept, SQLite store', values: [] as number[] };
    const raw = { name: 'synced group append', values: [] as number[] };
    for (let round = -1; round < ROUNDS; round += 1) {
      const appended = await callAll(EVENTS, CALLERS, () => floor.append());
      const accepted = await callAll(EVENTS, CALLERS, (index) =>
        store.accept({
          id: `whev_${round}_${index}`,
          body,
          timestamp: 1,
          content: { kind: 'single' },
        }),
      );
      if (round < 0) continue;
      raw.values.push(appended.rate);
      own.values.push(accepted.rate);
    }
    floor.close();
    await store.close();
    await rm(folder, { recursive: true });
    return [
      compareRow(own, raw, perSecond, (ratio) => atLeast(0.3, ratio)),
      compareRow(own, raw, perSecond, (_, rate) => atLeast(2_000, rate)),
    ];
  },
};

/** Appends the bytes for all waiting calls with one write and one sync. */
function groupAppend(
  file: string,
  bytes: Uint8Array,
): { append: () => Promise<void>; close: () => void } {
  const descriptor = openSync(file, 'a');
  let waiting: (() => void)[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    writeSync(descriptor, Buffer.concat(batch.map(() => bytes)));
    fdatasyncSync(descriptor);
    for (const resolve of batch) resolve();
  };
  return {
    append: () =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push(resolve);
      }),
    close: () => closeSync(descriptor),
  };
}
