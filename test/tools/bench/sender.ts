import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { Pool } from 'undici';

import { atLeast, callAll, compareRow, perSecond } from './bench.ts';
import type { Bench } from './bench.ts';
import { deliveryOf } from './delivery.ts';
import { control, startReference } from './processes.ts';

const ROUNDS = 5;
const ENDPOINTS = 200;
/** One endpoint in this number never responds, in the measurement of hung endpoints. */
const ONE_HUNG_IN = 10;
const RUNS = 60;
/** The sender's maximum number of concurrent attempts. */
const CONNECTIONS = 256;
/** Makes each event about 1 KB. */
const OUTPUT = { note: 'x'.repeat(660) };

/**
 * Compares the delivery of events with a loop that only posts such requests. A delivery includes the creation
 * of the run, the commit, the signature, the request and the record.
 */
export const sender: Bench = {
  title: `sender, 1 KB, ${ENDPOINTS} endpoints, memory store`,
  async run() {
    const endpoints = new Worker(new URL('sender-endpoints.js', import.meta.url));
    const [port] = (await once(endpoints, 'message')) as [number];
    const origin = `http://127.0.0.1:${port}`;
    const hung = ENDPOINTS / ONE_HUNG_IN;
    const all = { name: 'deliver', values: [] as number[] };
    const bare = { name: 'bare undici loop', values: [] as number[] };
    const besideHung = {
      name: `deliver, 1 in ${ONE_HUNG_IN} endpoints hung`,
      values: [] as number[],
    };
    const quick = { name: 'without them', values: [] as number[] };
    for (let round = -1; round < ROUNDS; round += 1) {
      const measured = [
        [bare, await postBare(origin, RUNS * ENDPOINTS)],
        [all, await deliver(endpoints, origin, { quick: ENDPOINTS, hung: 0 })],
        [quick, await deliver(endpoints, origin, { quick: ENDPOINTS - hung, hung: 0 })],
        [besideHung, await deliver(endpoints, origin, { quick: ENDPOINTS - hung, hung })],
      ] as const;
      if (round < 0) continue;
      for (const [{ values }, rate] of measured) values.push(rate);
    }
    await endpoints.terminate();
    return [
      compareRow(all, bare, perSecond, (ratio) => atLeast(0.3, ratio)),
      compareRow(besideHung, quick, perSecond, (ratio) => atLeast(0.9, ratio)),
    ];
  },
};

/** The floor: posts the same bytes repeatedly, signed once and not recorded. */
async function postBare(origin: string, count: number): Promise<number> {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const { headers: signed, body } = deliveryOf(1_024);
  const { host: _host, connection: _connection, ...headers } = signed;
  const { rate } = await callAll(count, CONNECTIONS, async () => {
    const response = await pool.request({ method: 'POST', path: '/quick', headers, body });
    await response.body.dump();
  });
  await pool.close();
  return rate;
}

/** Returns the number of deliveries to the quick endpoints per second. */
async function deliver(
  endpoints: Worker,
  origin: string,
  { quick, hung }: { readonly quick: number; readonly hung: number },
): Promise<number> {
  const server = await startReference();
  await callAll(quick + hung, 8, (index) => {
    const kind = index < hung ? 'hung' : 'quick';
    return control(server.ready, '/webhook-endpoints', { url: `${origin}/${kind}/${index}` });
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  endpoints.postMessage(RUNS * quick);
  const responded = once(endpoints, 'message');
  const start = performance.now();
  await callAll(RUNS, 8, () => control(server.ready, '/runs', { output: OUTPUT }));
  await responded;
  const seconds = (performance.now() - start) / 1_000;
  await server.stop();
  return (RUNS * quick) / seconds;
}
