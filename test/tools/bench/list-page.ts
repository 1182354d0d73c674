import { Client } from 'undici';

import { atMost, callAll, compareRow, inRounds, median, milliseconds } from './bench.ts';
import type { Bench } from './bench.ts';
import { control, startPrism, startReference } from './processes.ts';

const RUNS = 1_000;
const REQUESTS = 200;
const ROUNDS = 5;
const ADDRESSES = ['/v1/runs?status=completed', '/v1/dataset-review-requests?status=open'];

/**
 * Compares a page of a list with a mock that is generated from the same document. No operation reads the last
 * parameter, which makes each URL new.
 */
export const listPage: Bench = {
  title: `list page of 50 with ${RUNS} runs, one request at a time, each URL new`,
  async run() {
    const server = await startReference();
    const mock = await startPrism(
      new URL(import.meta.resolve('@hookproof/server-reference/openapi.json')),
    );
    await callAll(RUNS, 8, () => control(server.ready, '/runs', { status: 'completed' }));
    const headers = { authorization: `Bearer ${server.ready.key}` };
    const [own, prism] = [new Client(server.ready.baseUrl), new Client(mock.ready.baseUrl)];
    let requests = 0;
    const timeOf = async (client: Client, address: string): Promise<number> => {
      const { times } = await callAll(REQUESTS, 1, async () => {
        requests += 1;
        const path = `${address}&n=${requests}`;
        const response = await client.request({ method: 'GET', path, headers });
        await response.body.dump();
        if (response.statusCode !== 200) {
          throw new Error(`${path} must get 200, got ${response.statusCode}.`);
        }
      });
      return median(times);
    };
    const rows = [];
    for (const address of ADDRESSES) {
      const [ours, theirs] = await inRounds(
        ROUNDS,
        [address, () => timeOf(own, address)],
        ["prism's mock", () => timeOf(prism, address)],
      );
      rows.push(compareRow(ours, theirs, milliseconds, (ratio) => atMost(1, ratio)));
    }
    await Promise.all([own.close(), prism.close()]);
    await Promise.all([server.stop(), mock.stop()]);
    return rows;
  },
};
