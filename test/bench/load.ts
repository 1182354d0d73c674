import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { Pool } from 'undici';

import { postBare } from './bare-post-loop.ts';
import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { startHurried } from './server-process.ts';

const ENDPOINTS = { healthy: 900, hanging: 20, erring: 40, resetting: 40 } as const;
const EVENTS = 100;
/** Number of attempts of the profile `fast`. */
const ATTEMPTS = 8;
const BARE_POSTS = 30_000;
/** Speed of the clock after the healthy endpoints have received all events. Timeouts then take 100 ms. */
const HURRY = 100;
/** Makes each event about 1 KB. */
const OUTPUT = { note: 'x'.repeat(660) };
const MAX_MEGABYTES = 600;

export type EndpointKind = keyof typeof ENDPOINTS;

/** The requests that endpoints of one kind received. */
export interface EndpointCount {
  /** Number of deliveries: pairs of event and endpoint. */
  readonly pairs: number;
  /** Maximum number of requests of one delivery. */
  readonly most: number;
}

type Counts = Readonly<Record<EndpointKind, EndpointCount>>;

interface Delivery {
  readonly status: string;
  readonly endReason: string | null;
  readonly attempts: readonly unknown[];
}

/**
 * Sends 100 events to each of 1,000 endpoints, of which one in ten fails. The clock is real until the healthy
 * endpoints have received all events. It then runs faster until all other deliveries have ended. The endpoints
 * count the requests, because the server removes the oldest settled deliveries. The remaining ones must match.
 */
export const load: Bench = {
  title: `load: 1,000 endpoints x ${EVENTS} events, 1 endpoint in 10 hanging, erring (500) or resetting`,
  async run() {
    const endpoints = new Worker(new URL('load-endpoints.js', import.meta.url));
    const [port] = (await once(endpoints, 'message')) as [number];
    const origin = `http://127.0.0.1:${port}`;
    const bare = await postBare(origin, BARE_POSTS);
    const server = await startHurried();
    const control = new Pool(server.ready.baseUrl, { connections: 8, headersTimeout: 0 });
    const call = controlCall(control, server.ready.controlToken);
    const send = (message: unknown): Promise<unknown[]> => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      endpoints.postMessage(message);
      return once(endpoints, 'message');
    };

    for (const [kind, many] of Object.entries(ENDPOINTS)) {
      for (let index = 0; index < many; index += 1) {
        await call('/webhook-endpoints', { url: `${origin}/${kind}/${index}` });
      }
    }
    const healthy = ENDPOINTS.healthy * EVENTS;
    const responded = send(healthy);
    const start = performance.now();
    await Promise.all(Array.from({ length: EVENTS }, () => call('/runs', { output: OUTPUT })));
    await responded;
    const seconds = (performance.now() - start) / 1_000;

    server.send(HURRY);
    let kept: readonly Delivery[] = [];
    do {
      await call('/wait', { for: 'idle', timeoutMilliseconds: 60_000 });
      kept = (await call<{ data: Delivery[] }>('/deliveries')).data;
    } while (kept.some(({ status }) => status === 'pending'));
    const [counts] = (await send('count')) as [Counts];
    const peak = (await server.peakBytes()) / 1_000_000;
    await control.close();
    await server.stop();
    await endpoints.terminate();

    return [
      settledRow(counts, kept),
      {
        what: 'to the healthy endpoints, with failing ones',
        measured: `${Math.round(healthy / seconds)}/s`,
        against: `bare undici POST loop ${Math.round(bare)}/s`,
        ratio: healthy / seconds / bare,
        bar: null,
      },
      {
        what: 'peak resident memory of the server',
        measured: `${Math.round(peak)} MB`,
        against: '',
        ratio: null,
        bar: atMost(MAX_MEGABYTES, peak),
      },
    ];
  },
};

function controlCall(control: Pool, token: string) {
  return async <T>(path: string, body?: object): Promise<T> => {
    const response = await control.request({
      method: body === undefined ? 'GET' : 'POST',
      path: `/_control${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const isOverdue = path === '/wait' && response.statusCode === 408;
    if (response.statusCode >= 300 && !isOverdue) throw new Error(await response.body.text());
    return (await response.body.json()) as T;
  };
}

/**
 * Nothing is pending, so deliveries with a 204 response are delivered and all others have ended. The remaining
 * records show their end reason.
 */
function settledRow({ healthy, ...sick }: Counts, kept: readonly Delivery[]): Row {
  const delivered = healthy.most === 1 ? healthy.pairs : 0;
  const ended = Object.values(sick)
    .filter(({ most }) => most <= ATTEMPTS)
    .reduce((sum, { pairs }) => sum + pairs, 0);
  const endedRows = kept.filter(({ status }) => status === 'ended');
  const byRule = endedRows.filter(
    ({ endReason, attempts }) => endReason === 'attempts_exhausted' && attempts.length === ATTEMPTS,
  );
  const expected = Object.values(ENDPOINTS).reduce((sum, many) => sum + many, 0) * EVENTS;
  return {
    what: 'delivered or ended by rule',
    measured: `${delivered} delivered once, ${ended} ended`,
    against: `of ${endedRows.length} ended in the store ${byRule.length} after ${ATTEMPTS} attempts`,
    ratio: (delivered + ended) / expected,
    bar: {
      asks: `= ${expected}`,
      met: delivered + ended === expected && byRule.length === endedRows.length,
    },
  };
}
