import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { median } from './median.ts';
import { startBare, startReference } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

const ROUNDS = 15;

const reference = (): Promise<ServerProcess> => startReference({ kind: 'memory' });

/** Measures the time from the start of the server process to the end of its first 200 response. */
export const serveStart: Bench = {
  title: 'server start to first 200, process included, median',
  async run() {
    const identity: number[] = [];
    const inbox: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await millisecondsToResponse(startBare, '/'));
      identity.push(await millisecondsToResponse(reference, '/v1/auth/check'));
      inbox.push(await millisecondsToResponse(reference, '/v1/dataset-review-requests'));
    }
    return [row('to GET /v1/auth/check', identity, bare), row('to the inbox', inbox, bare)];
  },
};

async function millisecondsToResponse(
  start: () => Promise<ServerProcess>,
  address: string,
): Promise<number> {
  const begun = performance.now();
  const server = await start();
  const response = await fetch(server.ready.baseUrl + address, {
    headers: { authorization: `Bearer ${server.ready.key}` },
  });
  await response.arrayBuffer();
  const milliseconds = performance.now() - begun;
  await server.stop();
  if (response.status !== 200) throw new Error(`${address} got ${response.status}`);
  return milliseconds;
}

function row(what: string, times: readonly number[], bare: readonly number[]): Row {
  const milliseconds = median(times);
  return {
    what,
    measured: `${milliseconds.toFixed(0)} ms`,
    against: `bare node:http ${median(bare).toFixed(0)} ms`,
    ratio: milliseconds / median(bare),
    bar: atMost(400, milliseconds),
  };
}
