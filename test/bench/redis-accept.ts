import { realClock } from '@hookproof/receiver';
import { redisStore } from '@hookproof/receiver/redis';
import type { RedisClient } from '@hookproof/receiver/redis';
import { Redis } from 'ioredis';
import { createClient } from 'redis';

import { atLeast } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { deliveryOf } from './delivery.ts';
import { startLocalServer } from './local-server.ts';
import { median } from './median.ts';

const CALLERS = 64;
const EVENTS = 6_000;
const EVENTS_OF_A_RUN = 4;
const ROUNDS = 9;
/** Rewrites of the log would fall into one of the two measurements. */
const OPTIONS = '--appendonly yes --appendfsync always --auto-aof-rewrite-percentage 0'.split(' ');

/** Compares accepting into Redis with one SET of the same bytes, by the same client on the same server. */
export const redisAccept: Bench = {
  title: `durable accept in Redis, 1 KB, ${CALLERS} callers, appendfsync always`,
  async run() {
    const server = await startLocalServer('redis', OPTIONS);
    const ioredis = new Redis(server.url);
    const redis = createClient({ url: server.url });
    await redis.connect();
    const rows = [
      await measure('ioredis', ioredis, (key, value) => ioredis.set(key, value)),
      await measure('redis', redis, (key, value) => redis.set(key, value)),
    ];
    ioredis.disconnect();
    redis.destroy();
    await server.stop();
    return rows;
  },
};

async function measure(
  name: string,
  client: RedisClient,
  set: (key: string, value: Buffer) => Promise<unknown>,
): Promise<Row> {
  const body = Buffer.from(deliveryOf(1_024).body);
  const store = redisStore({ client, name });
  await store.open({ clock: realClock(), wake: () => {}, conflict: () => {} });
  const accept = (id: string, index: number): Promise<unknown> => {
    const [, round] = id.split('_');
    const runId = `exec_${round}_${Math.floor(index / EVENTS_OF_A_RUN)}`;
    const createdAt = '2026-07-01T00:00:00.000Z';
    const edge = { id, previousStatus: 'pending', currentStatus: 'running', createdAt };
    return store.accept({ id, body, timestamp: 1, content: { kind: 'run', runId, edge } });
  };
  const rates: { set: number; accept: number }[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const rate = {
      set: await eventsPerSecond(round, (id) => set(`bare:${name}:${id}`, body)),
      accept: await eventsPerSecond(round, accept),
    };
    if (round >= 0) rates.push(rate);
  }
  await store.close();
  const ratio = median(rates.map((rate) => rate.accept / rate.set));
  return {
    what: `accept, Redis store with ${name}`,
    measured: `${Math.round(median(rates.map((rate) => rate.accept)))}/s`,
    against: `SET with the same client ${Math.round(median(rates.map((rate) => rate.set)))}/s`,
    ratio,
    bar: atLeast(0.5, ratio),
  };
}

async function eventsPerSecond(
  round: number,
  write: (id: string, index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next < EVENTS) {
        next += 1;
        await write(`whev_${round + 10}_${next}`, next);
      }
    }),
  );
  return (EVENTS * 1_000) / (performance.now() - start);
}
