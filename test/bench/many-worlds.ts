import { createServer, virtualClock } from '@hookproof/server-reference';
import { Pool } from 'undici';

import { atMost } from './bench.ts';
import type { Bench } from './bench.ts';
import { median } from './median.ts';

const WORLDS = 400;
const YEAR = 365 * 86_400_000;
const REQUESTS = 200;
/** The longest wait of a request while the clock advances. */
const MAX_WAIT_MILLISECONDS = 500;

/** Advances the clock of a server with many worlds by a year, beside other requests. */
export const manyWorlds: Bench = {
  title: `a year in one step with ${WORLDS} worlds, beside other requests`,
  async run() {
    const clock = virtualClock({ now: Date.parse('2026-07-01T00:00:00.000Z') });
    const server = await createServer({ store: { kind: 'memory' }, clock });
    const pool = new Pool(server.baseUrl, { connections: 1 });
    const request = async (method: 'GET' | 'POST', path: string): Promise<number> => {
      const isControl = path.startsWith('/_control');
      const token = isControl ? server.controlToken : server.world.keys.wildcard;
      const headers = { authorization: `Bearer ${token}` };
      const start = performance.now();
      const { statusCode, body } = await pool.request({ method, path, headers });
      await body.dump();
      if (statusCode >= 300) throw new Error(`${method} ${path} got ${statusCode}`);
      return performance.now() - start;
    };
    for (let count = 0; count < WORLDS; count += 1) await request('POST', '/_control/worlds');
    const quiet: number[] = [];
    while (quiet.length < REQUESTS) quiet.push(await request('GET', '/v1/auth/check'));
    const waits: number[] = [];
    const start = performance.now();
    const end = clock.now() + YEAR;
    const advance = clock.advance(YEAR);
    while (clock.now() < end) waits.push(await request('GET', '/v1/auth/check'));
    const milliseconds = performance.now() - start;
    await advance;
    await pool.close();
    await server.close();
    const longest = Math.max(...waits);
    return [
      {
        what: 'longest response meanwhile',
        measured: `${longest.toFixed(0)} ms`,
        against: `${median(quiet).toFixed(2)} ms without; the year took ${milliseconds.toFixed(0)} ms`,
        ratio: null,
        bar: atMost(MAX_WAIT_MILLISECONDS, longest),
      },
    ];
  },
};
