import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
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

/**
 * Measures what a folder adds to the start of a server, until it has responded with the first page of the runs.
 * Each run has an event and a settled delivery.
 */
export const folderStart: Bench = {
  title: 'server start with a folder to the first page, beyond a start in memory, median',
  async run() {
    const inMemory: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      inMemory.push((await measureStart({ kind: 'memory' })).milliseconds);
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
  let peak = 0;
  for (let round = 0; round < rounds; round += 1) {
    const start = await measureStart({ kind: 'folder', path: folder });
    times.push(start.milliseconds - inMemory);
    peak = Math.max(peak, start.peakBytes);
  }
  const floor = await millisecondsToRead(folder);
  await rm(folder, { recursive: true });
  const milliseconds = median(times);
  return {
    what,
    measured: `${milliseconds.toFixed(0)} ms, peak ${(peak / 1e6).toFixed(0)} MB`,
    against: `read and parsed by lines ${floor.toFixed(0)} ms; start in memory ${inMemory.toFixed(0)} ms`,
    ratio: milliseconds / floor,
    bar: atMost(bar, milliseconds),
  };
}

async function measureStart(store: object): Promise<{ milliseconds: number; peakBytes: number }> {
  const begun = performance.now();
  const server = await startReference(store);
  const { baseUrl, key } = server.ready;
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${baseUrl}/v1/runs?limit=1`, { headers });
  await response.arrayBuffer();
  const milliseconds = performance.now() - begun;
  const peakBytes = await server.peakBytes();
  await server.stop();
  if (response.status !== 200) throw new Error(`The list of runs got ${response.status}.`);
  return { milliseconds, peakBytes };
}

/** A bare program that reads the same records: each line to its last part, parsed, without checks. */
async function millisecondsToRead(folder: string): Promise<number> {
  const begun = performance.now();
  const snapshot = (await readdir(folder)).find((name) => name.endsWith('.snapshot')) ?? '';
  const file = createReadStream(path.join(folder, snapshot), 'latin1');
  const records: unknown[] = [];
  for await (const line of createInterface(file)) {
    records.push(JSON.parse(line.slice(Math.max(9, line.lastIndexOf('\t') + 1))));
  }
  if (records.length === 0) throw new Error('the snapshot is empty');
  return performance.now() - begun;
}
