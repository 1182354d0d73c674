import { atMost, compareRow, milliseconds } from './bench.ts';
import type { Bench } from './bench.ts';
import { startProgram, startReference } from './processes.ts';

const ROUNDS = 15;

/** Measures the time from the start of the server process to the end of its first response. */
export const serveStart: Bench = {
  title: 'server start to first 200, process included',
  async run() {
    const own = { name: 'to GET /v1/auth/check', values: [] as number[] };
    const bare = { name: 'bare node:http', values: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.values.push(await timeToResponse('/', () => startProgram('bare')));
      own.values.push(await timeToResponse('/v1/auth/check', startReference));
    }
    return [compareRow(own, bare, milliseconds, (_, time) => atMost(500, time))];
  },
};

async function timeToResponse(
  address: string,
  start: () => ReturnType<typeof startProgram<{ baseUrl: string; key?: string }>>,
): Promise<number> {
  const begun = performance.now();
  const server = await start();
  const { baseUrl, key = '' } = server.ready;
  const response = await fetch(baseUrl + address, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  const time = performance.now() - begun;
  await server.stop();
  if (response.status !== 200) throw new Error(`${address} must get 200, got ${response.status}.`);
  return time;
}
