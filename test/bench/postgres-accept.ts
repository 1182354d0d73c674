import { realClock } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';

import { atLeast, callAll, compareRow, perSecond } from './bench.ts';
import type { Bench } from './bench.ts';
import { deliveryOf, storedEvent } from './delivery.ts';
import { startLocalServer } from './local-server.ts';

const CALLERS = 64;
const EVENTS = 8_000;
const EVENTS_OF_A_RUN = 4;
const ROUNDS = 9;

/** Compares accepting into PostgreSQL with one INSERT of the same bytes, by the same pool on the same server. */
export const postgresAccept: Bench = {
  title: `durable accept, PostgreSQL store with pg, 1 KB, ${CALLERS} callers, fsync on`,
  async run() {
    const server = await startLocalServer('postgres');
    const pool = new Pool({ connectionString: server.url, max: 20 });
    const store = postgresStore({ pool });
    await store.open({ clock: realClock() });
    await pool.query('CREATE TABLE plain (id text PRIMARY KEY, body bytea)');
    const { body } = deliveryOf(1_024);
    const own = { name: 'accept, PostgreSQL store', values: [] as number[] };
    const plain = { name: 'a row a statement', values: [] as number[] };
    for (let round = -1; round < ROUNDS; round += 1) {
      const inserted = await callAll(EVENTS, CALLERS, (index) =>
        pool.query('INSERT INTO plain VALUES ($1, $2)', [`whev_${round}_${index}`, body]),
      );
      const accepted = await callAll(EVENTS, CALLERS, (index) => {
        const id = `whev_${round}_${index}`;
        const key = `exec_${round}_${Math.floor(index / EVENTS_OF_A_RUN)}`;
        return store.accept(storedEvent({ id, key, body }));
      });
      if (round < 0) continue;
      plain.values.push(inserted.rate);
      own.values.push(accepted.rate);
    }
    await store.close();
    await pool.end();
    await server.stop();
    return [compareRow(own, plain, perSecond, (ratio) => atLeast(2, ratio))];
  },
};
