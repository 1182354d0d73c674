import { Pool } from 'undici';
import type { World } from '@hookproof/server-reference';

import { atLeast } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { median } from './median.ts';
import { startPrism } from './prism.ts';
import { processorSeconds } from './processor-time.ts';
import { readAddresses } from './read-addresses.ts';
import { startReference } from './server-process.ts';

const ROUNDS = 5;
const MIN_RATIO = 5;
const CONNECTIONS = 16;
const REQUESTS = 400;
/** The reads that cost most when their replies are not kept. */
const DEAREST: ReadonlySet<string> = new Set([
  'exportDataset',
  'getRun',
  'getRunTrace',
  'listRunArtifacts',
  'listRunSteps',
]);
/** The mock gets fewer, because it is slower. */
const MOCK_REQUESTS = 100;

/**
 * Compares every GET of the document with a mock that is generated from the same document. Of a list, one entry
 * is read, because the mock responds with the example of the document. The server keeps most replies until the next
 * commit, and there is none in between. The reads that cost most are measured also at URLs that are new each time.
 */
export const everyRead: Bench = {
  title:
    "every GET, per second of the server's processor time, beside prism's mock of the same document",
  async run() {
    const server = await startReference({ kind: 'memory' });
    const mock = await startPrism(new URL(import.meta.resolve('@hookproof/spec/openapi.json')));
    const { baseUrl, key, controlToken } = server.ready;
    const own = { pool: new Pool(baseUrl, { connections: CONNECTIONS }), pid: server.pid, key };
    const other = {
      pool: new Pool(mock.baseUrl, { connections: CONNECTIONS }),
      pid: mock.pid,
      key,
    };
    const { fixtures } = await readWorld(baseUrl, controlToken);
    const addresses = readAddresses(fixtures);
    // Both run compiled code before the first row.
    for (const { path } of addresses) {
      await perSecond(own, path, REQUESTS);
      await perSecond(other, path, REQUESTS);
    }
    const rows: Row[] = [];
    for (const { operationId, path } of addresses) {
      const rates = { own: [] as number[], ownAtNew: [] as number[], other: [] as number[] };
      for (let round = -1; round < ROUNDS; round += 1) {
        const ofOwn = await perSecond(own, path, REQUESTS);
        const atNew = DEAREST.has(operationId) ? await perSecond(own, path, REQUESTS, 'new') : 0;
        const ofOther = await perSecond(other, path, MOCK_REQUESTS);
        if (round < 0) continue;
        rates.own.push(ofOwn);
        rates.ownAtNew.push(atNew);
        rates.other.push(ofOther);
      }
      rows.push(row(operationId, rates.own, rates.other, MIN_RATIO));
      if (DEAREST.has(operationId)) {
        rows.push(row(`${operationId}, new URLs`, rates.ownAtNew, rates.other));
      }
    }
    await Promise.all([own.pool.close(), other.pool.close(), server.stop(), mock.stop()]);
    return rows;
  },
};

interface Subject {
  readonly pool: Pool;
  readonly pid: number;
  readonly key: string;
}

async function readWorld(baseUrl: string, token: string): Promise<World> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${baseUrl}/_control/world`, { headers });
  return (await response.json()) as World;
}

/** Returns the number of requests per second of processor time, all to one URL or each to a new one. */
async function perSecond(
  { pool, pid, key }: Subject,
  path: string,
  count: number,
  urls: 'one' | 'new' = 'one',
): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  let left = count;
  const start = await processorSeconds(pid);
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left > 0) {
        left -= 1;
        const url = urls === 'one' ? path : newUrl(path);
        const { statusCode, body } = await pool.request({ method: 'GET', path: url, headers });
        await body.dump();
        if (statusCode !== 200) throw new Error(`${path} got ${statusCode}`);
      }
    }),
  );
  return count / ((await processorSeconds(pid)) - start);
}

let urlsMade = 0;

/** No operation reads the parameter. */
function newUrl(path: string): string {
  urlsMade += 1;
  return `${path}${path.includes('?') ? '&' : '?'}n=${urlsMade}`;
}

function row(
  what: string,
  rates: readonly number[],
  mockRates: readonly number[],
  bar?: number,
): Row {
  const ratio = median(rates.map((rate, round) => rate / (mockRates[round] ?? Number.NaN)));
  return {
    what,
    measured: `${Math.round(median(rates))}/s`,
    against: `prism ${Math.round(median(mockRates))}/s`,
    ratio,
    bar: bar === undefined ? null : atLeast(bar, ratio),
  };
}
