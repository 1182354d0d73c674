import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';

import type { World } from '@hookproof/server-reference';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { filledFolder } from './filled-folder.ts';
import { median } from './median.ts';
import { startReference } from './server-process.ts';

const CLIENTS = 64;
const ROUNDS = 7;
const REQUESTS = 1_920;
const SIZES = [
  { runs: 1_000, bar: 15 },
  { runs: 10_000, bar: 120 },
] as const;

/** 64 concurrent clients move a workflow. Each move is durable before its response. */
export const durableWrites: Bench = {
  title: `durable PATCH, ${CLIENTS} clients, 99th percentile, median of ${ROUNDS} rounds`,
  async run() {
    const rows: Row[] = [];
    for (const size of SIZES) rows.push(await measure(size));
    return rows;
  },
};

async function measure({ runs, bar }: (typeof SIZES)[number]): Promise<Row> {
  const { folder, world } = await filledFolder((state, { fixtures, tenantId }) => {
    const run = state.runs[fixtures.runId];
    for (let index = 0; index < runs; index += 1) {
      const runId = `run_bench${index}`;
      const eventId = `whev_bench${index}`;
      state.runs[runId] = { ...run, id: runId };
      state.listed.runs[tenantId]?.push(runId);
      state.events[eventId] = { id: eventId, runId, payload: JSON.stringify(run) };
    }
  });
  const durable = await startReference({ kind: 'folder', path: folder });
  const memory = await startReference({ kind: 'memory' });
  const moves = [world.fixtures.folderId, null].map((folderId) => moveRequest(world, folderId));
  const times = { durable: [] as number[], memory: [] as number[], file: [] as number[] };
  for (let round = -2; round < ROUNDS; round += 1) {
    const ofDurable = await percentile99(durable.ready.baseUrl, moves);
    const ofMemory = await percentile99(memory.ready.baseUrl, moves);
    const ofFile = await rewriteSynced(path.join(folder, 'state.json'));
    if (round < 0) continue;
    times.durable.push(ofDurable);
    times.memory.push(ofMemory);
    times.file.push(ofFile);
  }
  await Promise.all([durable.stop(), memory.stop()]);
  await rm(folder, { recursive: true });
  const [stored, inMemory, file] = [times.durable, times.memory, times.file].map(median);
  return {
    what: `${runs} runs stored`,
    measured: ms(stored),
    against: `in memory ${ms(inMemory)}; one synced write of the file ${ms(file)}`,
    ratio: (stored ?? Number.NaN) / (inMemory ?? Number.NaN),
    bar: atMost(bar, stored ?? Number.NaN),
  };
}

function ms(milliseconds: number | undefined): string {
  return `${milliseconds?.toFixed(1)} ms`;
}

/** Returns a complete request that moves the workflow to a folder or to the root. */
function moveRequest({ fixtures, keys }: World, folderId: string | null): string {
  const body = JSON.stringify({ folderId });
  return [
    `PATCH /v1/automations/${fixtures.workflowId} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${keys.wildcard}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

async function percentile99(baseUrl: string, requests: readonly string[]): Promise<number> {
  const { hostname, port } = new URL(baseUrl);
  const sockets = Array.from({ length: CLIENTS }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket.setNoDelay(), 'connect')));
  const times: number[] = [];
  let left = REQUESTS;
  const client = async (socket: Socket): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const start = performance.now();
      socket.write(requests[left % requests.length] ?? '');
      const [response] = (await once(socket, 'data')) as [Buffer];
      times.push(performance.now() - start);
      if (!response.toString().startsWith('HTTP/1.1 200')) throw new Error(response.toString());
    }
    socket.destroy();
  };
  await Promise.all(sockets.map(client));
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

/** Lower bound of a flush: writes the bytes of a file to a new file and syncs it. */
async function rewriteSynced(file: string): Promise<number> {
  const bytes = await readFile(file);
  const start = performance.now();
  const handle = await open(`${file}.floor`, 'w');
  await handle.writeFile(bytes);
  await handle.datasync();
  await handle.close();
  return performance.now() - start;
}
