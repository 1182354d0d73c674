import { atMost, compareRow, inRounds, milliseconds } from './bench.ts';
import type { Bench } from './bench.ts';
import { startReference, startServer } from './processes.ts';

const ROUNDS = 15;

/** Measures the time from the start of the server process to the end of its first response. */
export const serveStart: Bench = {
  title: 'server start to first 200, process included',
  async run() {
    const [bare, own] = await inRounds(
      ROUNDS,
      ['bare node:http', () => timeToResponse('/', () => startServer('bare'))],
      ['to GET /v1/auth/check', () => timeToResponse('/v1/auth/check', () => startReference())],
    );
    return [compareRow(own, bare, milliseconds, (_, time) => atMost(500, time))];
  },
};

async function timeToResponse(
  address: string,
  start: () => ReturnType<typeof startServer<{ baseUrl: string; key?: string }>>,
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
