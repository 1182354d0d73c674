import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { request } from 'undici';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { median } from './median.ts';
import { startReference } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

const INPUT_BYTES = 1_000_000;
const RUNS = 1_000;
const MOVES = ['running', 'waiting', 'running', 'finalizing'];
/** Of the input, and of all inputs. */
const BAR = 0.25;

/** Runs with an input of 1 MB on a folder: the cost of a move, and the memory of many. */
export const largeValues: Bench = {
  title: 'runs with an input of 1 MB on a folder',
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    const server = await startReference({ kind: 'folder', path: folder });
    const [rows, idle] = [[await costOfMove(server, folder)], await server.peakBytes()];
    for (let run = 0; run < RUNS; run += 1) await startRun(server, `${run} `);
    const [grown, all] = [(await server.peakBytes()) - idle, RUNS * INPUT_BYTES];
    rows.push({
      what: `${RUNS} runs: growth of the peak memory`,
      measured: megabytes(grown),
      against: `their inputs ${megabytes(all)}`,
      ratio: grown / all,
      bar: atMost(BAR, grown / all),
    });
    await server.stop();
    await rm(folder, { recursive: true });
    return rows;
  },
};

async function costOfMove(server: ServerProcess, folder: string): Promise<Row> {
  const id = await startRun(server, 'moved ');
  const written: number[] = [];
  for (const status of MOVES) {
    const before = await bytesIn(folder);
    await control(server, `/runs/${id}/moves`, { status });
    written.push((await bytesIn(folder)) - before);
  }
  const bytes = median(written);
  return {
    what: 'bytes written by a move',
    measured: `${bytes} B`,
    against: `the input ${INPUT_BYTES} B`,
    ratio: bytes / INPUT_BYTES,
    bar: atMost(BAR, bytes / INPUT_BYTES),
  };
}

async function startRun(server: ServerProcess, text: string): Promise<string> {
  return control(server, '/runs', { input: { text: text.padEnd(INPUT_BYTES, 'x') } });
}

async function control({ ready }: ServerProcess, to: string, json: object): Promise<string> {
  const { statusCode, body } = await request(`${ready.baseUrl}/_control${to}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  if (statusCode >= 300) throw new Error(await body.text());
  return ((await body.json()) as { id: string }).id;
}

/** The bytes of all files in a folder. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((one) => stat(path.join(one.parentPath, one.name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MiB`;
}
