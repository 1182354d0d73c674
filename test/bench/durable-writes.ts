import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';

import type { World } from '@hookproof/server-reference';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { filledFolder } from './filled-folder.ts';
import { median } from './median.ts';
import { withRuns } from './run-history.ts';
import { startReference } from './server-process.ts';

const CLIENTS = 64;
const ROUNDS = 7;
const REQUESTS = 1_920;
const SIZES = [
  { runs: 1_000, bar: 6 },
  { runs: 100_000, bar: 8 },
] as const;
/** How much slower a write may be with the larger history. */
const FLAT = 1.3;

/** 64 concurrent clients move a workflow. Each move is durable before its response, whatever is stored. */
export const durableWrites: Bench = {
  title: `durable PATCH, ${CLIENTS} clients, 99th percentile, median of ${ROUNDS} rounds`,
  async run() {
    const folders = [];
    for (const size of SIZES) folders.push(await openSize(size));
    const memory = await startReference({ kind: 'memory' });
    const inMemory: number[] = [];
    const ofFloor: number[] = [];
    for (let round = -2; round < ROUNDS; round += 1) {
      const floor = await syncedAppend(folders[0]?.folder ?? '');
      if (round >= 0) ofFloor.push(floor);
      for (const { server, moves, times } of folders) {
        const milliseconds = await percentile99(server.ready.baseUrl, moves);
        if (round >= 0) times.push(milliseconds);
      }
      const milliseconds = await percentile99(memory.ready.baseUrl, folders[0]?.moves ?? []);
      if (round >= 0) inMemory.push(milliseconds);
    }
    await memory.stop();
    for (const { folder, server } of folders) {
      await server.stop();
      await rm(folder, { recursive: true });
    }
    const against = `in memory ${ms(median(inMemory))}; one synced append ${ms(median(ofFloor))}`;
    const rows = folders.map(({ runs, bar, times }): Row => ({
      what: `${runs} runs stored`,
      measured: ms(median(times)),
      against,
      ratio: median(times) / median(inMemory),
      bar: atMost(bar, median(times)),
    }));
    const [few = Number.NaN, many = Number.NaN] = folders.map(({ times }) => median(times));
    const ratio = many / few;
    rows.push({
      what: 'growth',
      measured: ms(many),
      against: ms(few),
      ratio,
      bar: atMost(FLAT, ratio),
    });
    return rows;
  },
};

async function openSize({ runs, bar }: (typeof SIZES)[number]) {
  const { folder, world } = await filledFolder(withRuns(runs));
  const server = await startReference({ kind: 'folder', path: folder });
  const moves = [world.fixtures.folderId, null].map((folderId) => moveRequest(world, folderId));
  return { runs, bar, folder, server, moves, times: [] as number[] };
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
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

/** Lower bound of a batch: appends the bytes of 64 records to a file and syncs it. */
async function syncedAppend(folder: string): Promise<number> {
  const handle = await open(path.join(folder, 'floor'), 'a');
  const start = performance.now();
  await handle.writeFile(Buffer.alloc(64 * 900));
  await handle.datasync();
  const milliseconds = performance.now() - start;
  await handle.close();
  return milliseconds;
}
