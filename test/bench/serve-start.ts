import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { median } from './median.ts';
import { serverProgram, startProcess } from './server-process.ts';

const ROUNDS = 15;

const BARE = `
  import { createServer } from 'node:http';
  const server = createServer((_request, response) => response.end('{}'));
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ baseUrl: 'http://127.0.0.1:' + server.address().port, key: '' }));
  });`;

/** The reference server from the start of its process to the end of its first 200. */
export const serveStart: Bench = {
  title: 'server start to first 200, process included, median',
  async run() {
    const program = serverProgram({ kind: 'memory' });
    const identity: number[] = [];
    const inbox: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await millisecondsToAnswer(BARE, '/'));
      identity.push(await millisecondsToAnswer(program, '/v1/auth/check'));
      inbox.push(await millisecondsToAnswer(program, '/v1/dataset-review-requests'));
    }
    return [row('to GET /v1/auth/check', identity, bare), row('to the inbox', inbox, bare)];
  },
};

async function millisecondsToAnswer(program: string, address: string): Promise<number> {
  const start = performance.now();
  const server = await startProcess(program);
  const answer = await fetch(server.ready.baseUrl + address, {
    headers: { authorization: `Bearer ${server.ready.key}` },
  });
  await answer.arrayBuffer();
  const milliseconds = performance.now() - start;
  await server.stop();
  if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}`);
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
