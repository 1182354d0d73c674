import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { Pool } from 'undici';

import { postBare } from './bare-post-loop.ts';
import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { startHurried } from './server-process.ts';

const ENDPOINTS = { healthy: 900, hanging: 20, erring: 40, resetting: 40 } as const;
const EVENTS = 100;
/** As the profile `fast` has it. */
const ATTEMPTS = 8;
const BARE_POSTS = 30_000;
/** Once the healthy endpoints have everything, the deadlines of those that hang are 100 ms. */
const HURRY = 100;
/** Makes each event about 1 KB. */
const OUTPUT = { note: 'x'.repeat(660) };
const MAX_MEGABYTES = 600;

export type EndpointKind = keyof typeof ENDPOINTS;

/** What has arrived at the endpoints of one kind. */
export interface EndpointCount {
  /** Deliveries: an event at an endpoint. */
  readonly pairs: number;
  /** How often the delivery arrived that arrived most. */
  readonly most: number;
}

type Counts = Readonly<Record<EndpointKind, EndpointCount>>;

interface Delivery {
  readonly status: string;
  readonly endReason: string | null;
  readonly attempts: readonly unknown[];
}

/**
 * 1,000 endpoints with 100 events each, one endpoint in ten sick, on a real clock until the healthy ones
 * have everything. Then only attempts without hope are left, and the clock runs faster until all of them
 * have ended. What was delivered and what ended is counted where it arrives, since the server forgets the
 * oldest of what is settled; what it still has must agree.
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
    const tell = (message: unknown): Promise<unknown[]> => {
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
    const answered = tell(healthy);
    const start = performance.now();
    await Promise.all(Array.from({ length: EVENTS }, () => call('/runs', { output: OUTPUT })));
    await answered;
    const seconds = (performance.now() - start) / 1_000;

    server.tell(HURRY);
    let kept: readonly Delivery[] = [];
    do {
      await call('/wait', { for: 'idle', timeoutMilliseconds: 60_000 });
      kept = (await call<{ data: Delivery[] }>('/deliveries')).data;
    } while (kept.some(({ status }) => status === 'pending'));
    const [counts] = (await tell('count')) as [Counts];
    const peak = (await server.peakBytes()) / 1_000_000;
    await control.close();
    await server.stop();
    await endpoints.terminate();

    return [
      settledRow(counts, kept),
      {
        what: 'to the healthy endpoints, beside the sick ones',
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
 * Nothing is pending. So what was answered with 204 is delivered, and all else has ended; the rows that are
 * still there tell by which rule.
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
