import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { Pool } from 'undici';

import { atLeast, callAll, compareRow, inRounds, perSecond } from './bench.ts';
import type { Bench } from './bench.ts';
import { SECRET } from './delivery.ts';
import { startServer } from './processes.ts';

const CONNECTIONS = 64;
const ROUNDS = 7;
const REQUESTS = 4_000;

/** Compares HTTP deliveries of 1 KB with a bare server that checks the HMAC. */
export const receive: Bench = {
  title: `HTTP receive, 1 KB, ${CONNECTIONS} connections`,
  async run() {
    const servers = [await startServer('receiver'), await startServer('hmac')];
    const pools = servers.map(({ ready }) => new Pool(ready.baseUrl, { connections: CONNECTIONS }));
    const [toReceiver, toBare] = pools.map((pool) => (round: number) => rateOf(pool, round));
    if (toReceiver === undefined || toBare === undefined) throw new Error('There are two servers.');
    const [own, bare] = await inRounds(ROUNDS, {
      'receive, memory store': toReceiver,
      'bare node:http with HMAC': toBare,
    });
    await Promise.all(pools.map((pool) => pool.close()));
    await Promise.all(servers.map((server) => server.stop()));
    return [compareRow(own, bare, perSecond, (ratio) => atLeast(0.6, ratio))];
  },
};

async function rateOf(pool: Pool, round: number): Promise<number> {
  const deliveries = Array.from({ length: REQUESTS }, (_, index) => {
    const run = { id: `exec_${round}_${index}`, output: 'x'.repeat(700) };
    return signEvent(runCreatedEvent({ run }), { secret: SECRET });
  });
  const { rate } = await callAll(REQUESTS, CONNECTIONS, async (place) => {
    const { headers, body = null } = deliveries[place] ?? {};
    const sent = { method: 'POST', path: '/', headers: { ...headers }, body } as const;
    const response = await pool.request(sent);
    await response.body.dump();
    if (response.statusCode >= 300) throw new Error(`Must get 2xx, got ${response.statusCode}.`);
  });
  return rate;
}
