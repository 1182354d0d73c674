import { once } from 'node:events';
import { createServer } from 'node:http';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';

import { Pool } from 'undici';

import { atLeast, callAll, compareRow, inRounds, perSecond } from './bench.ts';
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
    const endpoints = new Worker(fileURLToPath(import.meta.url));
    const [port] = (await once(endpoints, 'message')) as [number];
    const origin = `http://127.0.0.1:${port}`;
    const hung = ENDPOINTS / ONE_HUNG_IN;
    const quick = ENDPOINTS - hung;
    const [bare, all, without, besideHung] = await inRounds(
      ROUNDS,
      ['bare undici loop', () => postBare(origin, RUNS * ENDPOINTS)],
      ['deliver', () => deliver(endpoints, origin, { quick: ENDPOINTS, hung: 0 })],
      ['without them', () => deliver(endpoints, origin, { quick, hung: 0 })],
      [
        `deliver, 1 in ${ONE_HUNG_IN} endpoints hung`,
        () => deliver(endpoints, origin, { quick, hung }),
      ],
    );
    await endpoints.terminate();
    return [
      compareRow(all, bare, perSecond, (ratio) => atLeast(0.3, ratio)),
      compareRow(besideHung, without, perSecond, (ratio) => atLeast(0.9, ratio)),
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

/**
 * The endpoints, in a thread of their own. One listener responds 204 after it has read a request, and never responds to
 * paths under `/hung`. After a message with the number n, it posts a message when it has sent n more responses.
 */
async function serveEndpoints(): Promise<void> {
  let [responded, expected] = [0, Infinity];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url?.startsWith('/hung')) return;
      response.writeHead(204).end();
      responded += 1;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
      if (responded === expected) parentPort?.postMessage('done');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  parentPort?.on('message', (more: number) => (expected = responded + more));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage(typeof address === 'object' && address !== null ? address.port : 0);
}

if (!isMainThread) await serveEndpoints();
