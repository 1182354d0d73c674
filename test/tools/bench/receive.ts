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
    const receiver = await startServer('receiver');
    const hmac = await startServer('hmac');
    const toReceiver = new Pool(receiver.ready.baseUrl, { connections: CONNECTIONS });
    const toHmac = new Pool(hmac.ready.baseUrl, { connections: CONNECTIONS });
    const [own, bare] = await inRounds(
      ROUNDS,
      ['receive, memory store', (round) => rateOf(toReceiver, round)],
      ['bare node:http with HMAC', (round) => rateOf(toHmac, round)],
    );
    await Promise.all([toReceiver.close(), toHmac.close()]);
    await Promise.all([receiver.stop(), hmac.stop()]);
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
