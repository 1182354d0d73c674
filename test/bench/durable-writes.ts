import { rm } from 'node:fs/promises';

import type { World } from '@hookproof/server-reference';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { closedLoop } from './closed-loop.ts';
import type { LoopResult } from './closed-loop.ts';
import { filledFolder } from './filled-folder.ts';
import { median } from './median.ts';
import { withRuns } from './run-history.ts';
import { startReference, startSyncedAppend } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

const CLIENTS = 64;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 5;
const REQUESTS = 10_000;
const SIZES = [
  { runs: 1_000, bar: 6 },
  { runs: 100_000, bar: 8 },
] as const;
/** How much slower a write may be with the larger history. */
const FLAT = 1.3;

/** A server with its results, one for each round. */
interface Measured {
  readonly server: ServerProcess;
  readonly results: LoopResult[];
}

/**
 * 64 concurrent clients move a workflow. Each move is durable before its response, whatever is stored. The floor gets
 * the same requests from the same clients.
 */
export const durableWrites: Bench = {
  title: `durable PATCH, ${CLIENTS} clients, 99th percentile, median of ${ROUNDS} rounds`,
  async run() {
    const folders = [];
    for (const { runs } of SIZES) folders.push(await filledFolder(withRuns(runs)));
    const [first] = folders;
    if (first === undefined) return [];
    const floor = measured(await startSyncedAppend(first.folder));
    const memory = measured(await startReference({ kind: 'memory' }));
    const stored: Measured[] = [];
    for (const { folder } of folders) {
      stored.push(measured(await startReference({ kind: 'folder', path: folder })));
    }
    // All worlds have the same seed, and so the same ids and keys.
    const moves = [first.world.fixtures.folderId, null].map((id) => moveRequest(first.world, id));
    const all = [floor, memory, ...stored];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      for (const { server, results } of all) {
        const result = await closedLoop(server, moves, { connections: CLIENTS, count: REQUESTS });
        if (round >= 0) results.push(result);
      }
    }
    for (const { server } of all) await server.stop();
    for (const { folder } of folders) await rm(folder, { recursive: true });
    return rowsOf(floor, memory, stored);
  },
};

function measured(server: ServerProcess): Measured {
  return { server, results: [] };
}

function rowsOf(floor: Measured, memory: Measured, stored: readonly Measured[]): Row[] {
  const bare = { what: 'bare synced append', ...floor };
  const folders = SIZES.map(({ runs, bar }, place) => ({
    what: `${runs} runs stored`,
    bar,
    results: stored[place]?.results ?? [],
  }));
  const inMemory = { what: 'in memory', results: memory.results };
  const [few = inMemory, many = inMemory] = folders;
  return [
    ...folders.map((one) => percentile99Row(one, bare, ({ value }) => atMost(one.bar, value))),
    percentile99Row(many, few, ({ ratio }) => atMost(FLAT, ratio)),
    percentile99Row(inMemory, bare),
    processorRow(few, bare),
    processorRow(inMemory, bare),
  ];
}

interface Named extends Pick<Measured, 'results'> {
  readonly what: string;
}

type BarOf = (measured: { readonly value: number; readonly ratio: number }) => Row['bar'];

function percentile99Row(one: Named, peer: Named, barOf?: BarOf): Row {
  return row([one, peer], ({ percentile99 }) => percentile99, 'ms', barOf);
}

function processorRow(one: Named, peer: Named): Row {
  const what = `processor time of a write, ${one.what}`;
  return row([{ ...one, what }, peer], ({ processorMicroseconds }) => processorMicroseconds, 'µs');
}

function row(
  [one, peer]: readonly [Named, Named],
  valueOf: (result: LoopResult) => number,
  unit: string,
  barOf: BarOf = () => null,
): Row {
  const [values, peerValues] = [one.results.map(valueOf), peer.results.map(valueOf)];
  const value = median(values);
  const ratio = median(values.map((each, round) => each / (peerValues[round] ?? Number.NaN)));
  return {
    what: one.what,
    measured: `${value.toFixed(1)} ${unit}`,
    against: `${peer.what} ${median(peerValues).toFixed(1)} ${unit}`,
    ratio,
    bar: barOf({ value, ratio }),
  };
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
