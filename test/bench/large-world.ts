import { Client } from 'undici';

import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { median } from './median.ts';
import { startReference } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

const ROUNDS = 300;
const STARTS = 5;
/** Both worlds have at least this number of entries in each list. */
const LIMIT = 5;

const LISTS = [
  ['a page of the runs', '/v1/runs'],
  ['a page with status=', '/v1/runs?status=completed,failed'],
  ['a page of the automations', '/v1/automations'],
  ['a page with type=', '/v1/automations?type=workflow'],
  ['a page with search=', '/v1/automations?search=reader'],
  ['a page of the agents', '/api/v1/agents'],
] as const;

/** Measures the start of a large world, and one page of its lists. */
export const largeWorld: Bench = {
  title: 'a world of 100,000 runs and 1,000 automations, compared with the small one, median',
  async run() {
    const starts = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < STARTS; round += 1) {
      starts.small.push(await millisecondsToResponse('small'));
      starts.large.push(await millisecondsToResponse('large'));
    }
    const [small, large] = [await startReader('small'), await startReader('large')];
    const rows: Row[] = [];
    for (const [what, address] of LISTS) {
      const times = { small: [] as number[], large: [] as number[] };
      for (let round = -50; round < ROUNDS; round += 1) {
        const ofSmall = await small.milliseconds(address);
        const ofLarge = await large.milliseconds(address);
        if (round < 0) continue;
        times.small.push(ofSmall);
        times.large.push(ofLarge);
      }
      rows.push(pageRow(what, median(times.large), median(times.small)));
    }
    await Promise.all([small.stop(), large.stop()]);
    return [startRow(median(starts.large), median(starts.small)), ...rows];
  },
};

const MEMORY = { kind: 'memory' } as const;

type Size = 'small' | 'large';

async function millisecondsToResponse(size: Size): Promise<number> {
  const start = performance.now();
  const server = await startReference(MEMORY, size);
  const response = await fetch(`${server.ready.baseUrl}/v1/runs?limit=1`, {
    headers: headersOf(server),
  });
  await response.arrayBuffer();
  const milliseconds = performance.now() - start;
  await server.stop();
  if (response.status !== 200) throw new Error(`The list of runs got ${response.status}.`);
  return milliseconds;
}

async function startReader(world: Size) {
  const server = await startReference(MEMORY, world);
  const client = new Client(server.ready.baseUrl);
  return {
    async milliseconds(address: string): Promise<number> {
      const path = `${address}${address.includes('?') ? '&' : '?'}limit=${LIMIT}`;
      const start = performance.now();
      const { statusCode, body } = await client.request({
        method: 'GET',
        path,
        headers: headersOf(server),
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path} got ${statusCode}`);
      return performance.now() - start;
    },
    async stop(): Promise<void> {
      await client.close();
      await server.stop();
    },
  };
}

function headersOf({ ready }: ServerProcess): Record<string, string> {
  return { authorization: `Bearer ${ready.key}` };
}

function startRow(large: number, small: number): Row {
  return {
    what: 'start to the first page of the runs, process included',
    measured: `${Math.round(large)} ms`,
    against: `small world ${Math.round(small)} ms`,
    ratio: large / small,
    bar: atMost(2_000, large),
  };
}

function pageRow(what: string, large: number, small: number): Row {
  return {
    what,
    measured: `${large.toFixed(2)} ms`,
    against: `small world ${small.toFixed(2)} ms`,
    ratio: large / small,
    bar: atMost(1.2, large / small),
  };
}
