import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { filledFolder } from './filled-folder.ts';
import { median } from './median.ts';
import { withLargeRuns, withRuns } from './run-history.ts';
import { startReference } from './server-process.ts';

const CASES = [
  { what: '1,000 runs on disk', fill: withRuns(1_000), rounds: 7, bar: 300 },
  { what: '100,000 runs on disk', fill: withRuns(100_000), rounds: 3, bar: 2_000 },
  { what: '2 GB on disk', fill: withLargeRuns(2_000), rounds: 1, bar: 30_000 },
] as const;

/** Measures what a folder adds to the start of a server. Each run has an event and a settled delivery. */
export const folderStart: Bench = {
  title: 'server start with a folder, beyond a start in memory, median',
  async run() {
    const inMemory: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      inMemory.push(await millisecondsToStart({ kind: 'memory' }));
    }
    const rows: Row[] = [];
    for (const one of CASES) rows.push(await measure(one, median(inMemory)));
    return rows;
  },
};

async function measure(
  { what, fill, rounds, bar }: (typeof CASES)[number],
  inMemory: number,
): Promise<Row> {
  const { folder } = await filledFolder(fill);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push((await millisecondsToStart({ kind: 'folder', path: folder })) - inMemory);
  }
  const floor = await millisecondsToRead(folder);
  await rm(folder, { recursive: true });
  const milliseconds = median(times);
  return {
    what,
    measured: `${milliseconds.toFixed(0)} ms`,
    against: `read and parsed by lines ${floor.toFixed(0)} ms; start in memory ${inMemory.toFixed(0)} ms`,
    ratio: milliseconds / floor,
    bar: atMost(bar, milliseconds),
  };
}

async function millisecondsToStart(store: object): Promise<number> {
  const begun = performance.now();
  const server = await startReference(store);
  const milliseconds = performance.now() - begun;
  await server.stop();
  return milliseconds;
}

/** Lower bound: the same records without checks. */
async function millisecondsToRead(folder: string): Promise<number> {
  const begun = performance.now();
  const file = createReadStream(path.join(folder, 'state-000001.snapshot'), 'latin1');
  const records: unknown[] = [];
  for await (const line of createInterface(file)) records.push(JSON.parse(line.slice(9)));
  if (records.length === 0) throw new Error('the snapshot is empty');
  return performance.now() - begun;
}
