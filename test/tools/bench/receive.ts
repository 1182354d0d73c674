import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { Pool } from 'undici';

import { atLeast, callAll, compareRow, perSecond } from './bench.ts';
import type { Bench } from './bench.ts';
import { SECRET } from './delivery.ts';
import { startProgram } from './processes.ts';

const CONNECTIONS = 64;
const ROUNDS = 7;
const REQUESTS = 4_000;

/** Compares HTTP deliveries of 1 KB with a bare server that checks the HMAC. */
export const receive: Bench = {
  title: `HTTP receive, 1 KB, ${CONNECTIONS} connections`,
  async run() {
    const servers = [
      await startProgram('receive', 'memory store'),
      await startProgram('receive', 'bare'),
    ];
    const pools = servers.map(({ ready }) => new Pool(ready.baseUrl, { connections: CONNECTIONS }));
    const rates = pools.map((): number[] => []);
    for (let round = -1; round < ROUNDS; round += 1) {
      const deliveries = Array.from({ length: REQUESTS }, (_, index) => signedRun(round, index));
      for (const [index, pool] of pools.entries()) {
        const { rate } = await callAll(REQUESTS, CONNECTIONS, (place) =>
          deliver(pool, deliveries[place]),
        );
        if (round >= 0) rates[index]?.push(rate);
      }
    }
    await Promise.all(pools.map((pool) => pool.close()));
    await Promise.all(servers.map((server) => server.stop()));
    const [own = [], bare = []] = rates;
    return [
      compareRow(
        { name: 'receive, memory store', values: own },
        { name: 'bare node:http with HMAC', values: bare },
        perSecond,
        (ratio) => atLeast(0.6, ratio),
      ),
    ];
  },
};

type Delivery = ReturnType<typeof signEvent>;

function signedRun(round: number, index: number): Delivery {
  const run = { id: `exec_${round}_${index}`, output: 'x'.repeat(700) };
  return signEvent(runCreatedEvent({ run }), { secret: SECRET });
}

async function deliver(pool: Pool, delivery: Delivery | undefined): Promise<void> {
  if (delivery === undefined) throw new Error('Each request must have a delivery.');
  const { headers, body } = delivery;
  const response = await pool.request({ method: 'POST', path: '/', headers: { ...headers }, body });
  await response.body.dump();
  if (response.statusCode >= 300) throw new Error(`Must get 2xx, got ${response.statusCode}.`);
}
