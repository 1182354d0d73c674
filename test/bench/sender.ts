import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

import { createServer } from '@hookproof/server-reference';
import type { ServerOptions } from '@hookproof/server-reference';
import { Pool } from 'undici';

import { postBare } from './bare-post-loop.ts';
import { atLeast } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const ENDPOINTS = 200;
/** One endpoint in this number never responds, in the measurement of hung endpoints. */
const ONE_HUNG_IN = 10;
const RUNS = 60;
const MIN_RATIO = 0.6;
/** Makes each event about 1 KB. */
const OUTPUT = { note: 'x'.repeat(660) };

/**
 * Compares the delivery of events with a loop that only posts such requests. A delivery includes the creation
 * of the run, the commit, the signature, the request and the record.
 */
export const sender: Bench = {
  title: `sender, 1 KB, ${ENDPOINTS} endpoints`,
  async run() {
    const endpoints = new Worker(new URL('sender-endpoints.js', import.meta.url));
    const [port] = (await once(endpoints, 'message')) as [number];
    const origin = `http://127.0.0.1:${port}`;
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
    const rates: Record<'bare' | 'memory' | 'folder' | 'quick' | 'besideHung', number[]> = {
      bare: [],
      memory: [],
      folder: [],
      quick: [],
      besideHung: [],
    };
    const hung = ENDPOINTS / ONE_HUNG_IN;
    for (let round = -1; round < ROUNDS; round += 1) {
      const stored = { kind: 'folder', path: path.join(folder, String(round)) } as const;
      const measured = {
        bare: await postBare(origin, RUNS * ENDPOINTS),
        memory: await deliver(endpoints, origin, { quick: ENDPOINTS, hung: 0 }),
        folder: await deliver(endpoints, origin, { quick: ENDPOINTS, hung: 0, store: stored }),
        quick: await deliver(endpoints, origin, { quick: ENDPOINTS - hung, hung: 0 }),
        besideHung: await deliver(endpoints, origin, { quick: ENDPOINTS - hung, hung }),
      };
      if (round < 0) continue;
      for (const [name, rate] of Object.entries(measured)) {
        rates[name as keyof typeof rates].push(rate);
      }
    }
    await endpoints.terminate();
    await rm(folder, { recursive: true });
    const loop = 'bare undici POST loop';
    return [
      row('deliver, memory store', rates.memory, loop, rates.bare, MIN_RATIO),
      row('deliver, folder store', rates.folder, loop, rates.bare, MIN_RATIO),
      row('deliver, folder store', rates.folder, 'memory store', rates.memory, 0.4),
      row(
        `deliver with 1 in ${ONE_HUNG_IN} endpoints hung`,
        rates.besideHung,
        'without hung endpoints',
        rates.quick,
      ),
    ];
  },
};

function row(
  what: string,
  rates: readonly number[],
  peer: string,
  peerRates: readonly number[],
  bar?: number,
): Row {
  const ratio = median(rates.map((rate, round) => rate / (peerRates[round] ?? Number.NaN)));
  return {
    what,
    measured: `${Math.round(median(rates))}/s`,
    against: `${peer} ${Math.round(median(peerRates))}/s`,
    ratio,
    bar: bar === undefined ? null : atLeast(bar, ratio),
  };
}

interface Delivering {
  readonly quick: number;
  readonly hung: number;
  readonly store?: ServerOptions['store'];
}

/** Returns the number of deliveries to the quick endpoints per second. */
async function deliver(
  endpoints: Worker,
  origin: string,
  { quick, hung, store = { kind: 'memory' } }: Delivering,
): Promise<number> {
  const server = await createServer({ store });
  const control = new Pool(new URL(server.controlUrl).origin, { connections: 8 });
  const post = async (operation: string, body: object): Promise<void> => {
    const response = await control.request({
      method: 'POST',
      path: `/_control${operation}`,
      headers: {
        authorization: `Bearer ${server.controlToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (response.statusCode !== 201) throw new Error(await response.body.text());
    await response.body.dump();
  };
  for (let index = 0; index < quick + hung; index += 1) {
    const kind = index < hung ? 'hung' : 'quick';
    await post('/webhook-endpoints', { url: `${origin}/${kind}/${index}` });
  }
  const done = responsesSent(endpoints, RUNS * quick);
  const start = performance.now();
  await Promise.all(Array.from({ length: RUNS }, () => post('/runs', { output: OUTPUT })));
  await done;
  const seconds = (performance.now() - start) / 1_000;
  await control.close();
  await server.close();
  return (RUNS * quick) / seconds;
}

/** Resolves when the endpoints have sent `count` more responses. */
async function responsesSent(endpoints: Worker, count: number): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  endpoints.postMessage(count);
  await once(endpoints, 'message');
}
