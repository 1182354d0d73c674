import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer, World } from '@hookproof/server-reference';
import { Pool } from 'undici';

import { atMost } from './bench.ts';
import type { Bench } from './bench.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const DAY = 86_400_000;
/** Each delivery has one event at the start. Its retries take about two and a half hours. */
const FAILING_DELIVERIES = 200;
const TEMPORARY_FILES = 50;
const SCHEDULED_RUNS = 50;
const SIGNED_ADDRESSES = 50;
const MAX_MILLISECONDS = 1_000;
const HANGING_DELIVERIES = 20;
const MAX_HANGING_MILLISECONDS = 2_000;

/** Advances a virtual clock by three days in one step, with real sockets. */
export const threeDays: Bench = {
  title: `three days in one step: ${FAILING_DELIVERIES} failing deliveries (profile real), ${TEMPORARY_FILES} temporary files, ${SCHEDULED_RUNS} courses of three moves, ${SIGNED_ADDRESSES} signed addresses, a rate window`,
  async run() {
    const endpoints = new Worker(new URL('load-endpoints.js', import.meta.url));
    const [port] = (await once(endpoints, 'message')) as [number];
    const times: number[] = [];
    const hanging: number[] = [];
    let attempts = 0;
    for (let round = -1; round < ROUNDS; round += 1) {
      const measured = await measure(`http://127.0.0.1:${port}/erring/${round}`);
      const hung = await measureHanging(`http://127.0.0.1:${port}/hanging/${round}`);
      if (round >= 0) {
        times.push(measured.milliseconds);
        hanging.push(hung);
      }
      attempts = measured.attempts;
    }
    await endpoints.terminate();
    const time = median(times);
    return [
      {
        what: 'three days',
        measured: `${Math.round(time)} ms`,
        against: `${attempts} attempts, ${Math.round((time / attempts) * 1_000)} us each with its response`,
        ratio: null,
        bar: atMost(MAX_MILLISECONDS, time),
      },
      {
        what: `three days, ${HANGING_DELIVERIES} deliveries to an endpoint that hangs`,
        measured: `${Math.round(median(hanging))} ms`,
        against: '',
        ratio: null,
        bar: atMost(MAX_HANGING_MILLISECONDS, median(hanging)),
      },
    ];
  },
};

async function measureHanging(url: string): Promise<number> {
  const clock = virtualClock({ now: Date.parse('2026-07-01T00:00:00.000Z') });
  const server = await createServer({ store: { kind: 'memory' }, clock });
  const pool = new Pool(server.baseUrl, { connections: 8 });
  try {
    await post(pool, server, '/_control/webhook-endpoints', { url });
    await many(HANGING_DELIVERIES, () => post(pool, server, '/_control/runs', {}));
    const start = performance.now();
    await clock.advance(3 * DAY);
    const milliseconds = performance.now() - start;
    await assertExhausted(pool, server);
    return milliseconds;
  } finally {
    await pool.close();
    await server.close();
  }
}

/** Returns the deliveries, each of which had all its attempts. */
async function assertExhausted(
  pool: Pool,
  server: ReferenceServer,
): Promise<readonly { readonly attempts: readonly unknown[] }[]> {
  const response = await get(pool, server, '/_control/deliveries');
  const { data } = JSON.parse(response) as {
    data: { endReason: string; attempts: readonly unknown[] }[];
  };
  if (data.some(({ endReason }) => endReason !== 'attempts_exhausted')) throw new Error(response);
  return data;
}

async function measure(url: string): Promise<{ milliseconds: number; attempts: number }> {
  const clock = virtualClock({ now: Date.parse('2026-07-01T00:00:00.000Z') });
  const server = await createServer({
    store: { kind: 'memory' },
    clock,
    retryProfile: 'real',
    redirectAboveBytes: 0,
    rateLimit: { requests: 1_000, windowSeconds: 3_600 },
  });
  const pool = new Pool(server.baseUrl, { connections: 8 });
  try {
    const { fixtures } = server.world;
    const upload = {
      filename: 'rates.csv',
      contentType: 'text/csv',
      size: 10,
      sha256: '0'.repeat(64),
      purpose: 'run-input',
    };
    const scheduledTransitions = ['running', 'finalizing', 'completed'].map((status, index) => ({
      status,
      afterMilliseconds: (index + 1) * 3_600_000,
    }));
    // They are in a separate world, so they add no deliveries.
    const { id: worldId } = JSON.parse(await post(pool, server, '/_control/worlds', {})) as World;
    await many(SCHEDULED_RUNS, () =>
      post(pool, server, '/_control/runs', { worldId, scheduledTransitions }),
    );
    await many(TEMPORARY_FILES, () => post(pool, server, '/v1/files/uploads', upload));
    await many(SIGNED_ADDRESSES, () => get(pool, server, `/v1/files/${fixtures.fileId}/content`));
    await post(pool, server, '/_control/webhook-endpoints', { url });
    await many(FAILING_DELIVERIES, () => post(pool, server, '/_control/runs', {}));
    await clock.advance(0);
    const start = performance.now();
    await clock.advance(3 * DAY);
    const milliseconds = performance.now() - start;
    const data = await assertExhausted(pool, server);
    const attempts = data.reduce((sum, one) => sum + one.attempts.length, 0) - data.length;
    return { milliseconds, attempts };
  } finally {
    await pool.close();
    await server.close();
  }
}

function many(count: number, each: () => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, each));
}

function get(pool: Pool, server: ReferenceServer, path: string): Promise<string> {
  return send(pool, server, 'GET', path);
}

function post(pool: Pool, server: ReferenceServer, path: string, body: object): Promise<string> {
  return send(pool, server, 'POST', path, JSON.stringify(body));
}

async function send(
  pool: Pool,
  { world, controlToken }: ReferenceServer,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
): Promise<string> {
  const key = path.startsWith('/_control') ? controlToken : world.keys.wildcard;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await pool.request({ method, path, headers, ...(body ? { body } : {}) });
  const text = await response.body.text();
  if (response.statusCode >= 400) throw new Error(text);
  return text;
}
