import { Client } from 'undici';

import { atMost, callAll, compareRow, median, milliseconds } from './bench.ts';
import type { Bench } from './bench.ts';
import { control, startReference } from './processes.ts';
import { startPrism } from './prism.ts';

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
    const clients = [server.ready.baseUrl, mock.baseUrl].map((url) => new Client(url));
    const rows = [];
    let requests = 0;
    for (const address of ADDRESSES) {
      const times = clients.map((): number[] => []);
      for (let round = -1; round < ROUNDS; round += 1) {
        for (const [index, client] of clients.entries()) {
          const measured = await callAll(REQUESTS, 1, async () => {
            requests += 1;
            const path = `${address}&n=${requests}`;
            const { statusCode, body } = await client.request({ method: 'GET', path, headers });
            await body.dump();
            if (statusCode !== 200) throw new Error(`${path} must get 200, got ${statusCode}.`);
          });
          if (round >= 0) times[index]?.push(median(measured.times));
        }
      }
      const [own = [], prism = []] = times;
      rows.push(
        compareRow(
          { name: address, values: own },
          { name: "prism's mock", values: prism },
          milliseconds,
          (ratio) => atMost(1, ratio),
        ),
      );
    }
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all([server.stop(), mock.stop()]);
    return rows;
  },
};
