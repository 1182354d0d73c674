import { Client } from 'undici';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { median } from './median.ts';
import { startReference } from './server-process.ts';

const ROUNDS = 200;

/** Compares creating a world for each test with reading the existing one. */
export const freshWorld: Bench = {
  title: 'a fresh world through the control interface, in memory, median',
  async run(): Promise<readonly Row[]> {
    const server = await startReference({ kind: 'memory' });
    const client = new Client(server.ready.baseUrl);
    const headers = { authorization: `Bearer ${server.ready.controlToken}` };
    const milliseconds = async (method: 'GET' | 'POST', path: string): Promise<number> => {
      const start = performance.now();
      const { statusCode, body } = await client.request({ method, path, headers });
      await body.text();
      if (statusCode >= 300) throw new Error(`${method} ${path} got ${statusCode}`);
      return performance.now() - start;
    };
    const times = { made: [] as number[], shown: [] as number[] };
    for (let round = -20; round < ROUNDS; round += 1) {
      const made = await milliseconds('POST', '/_control/worlds');
      const shown = await milliseconds('GET', '/_control/world');
      if (round < 0) continue;
      times.made.push(made);
      times.shown.push(shown);
    }
    await client.close();
    await server.stop();
    const [made, shown] = [median(times.made), median(times.shown)];
    return [
      {
        what: 'POST /_control/worlds',
        measured: `${made.toFixed(2)} ms`,
        against: `GET /_control/world ${shown.toFixed(2)} ms`,
        ratio: made / shown,
        bar: atMost(10, made),
      },
    ];
  },
};
