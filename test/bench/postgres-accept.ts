import { realClock } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { Pool } from 'pg';

import { atLeast, atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { deliveryOf } from './delivery.ts';
import { startLocalServer } from './local-server.ts';
import { median } from './median.ts';

const CALLERS = 64;
const EVENTS = 8_000;
const EVENTS_OF_A_RUN = 4;
const ROUNDS = 9;

interface Measured {
  readonly perSecond: number;
  /** Median time of one call in milliseconds. */
  readonly time: number;
}

/** Compares accepting into PostgreSQL with one INSERT of the same bytes, by the same pool on the same server. */
export const postgresAccept: Bench = {
  title: `durable accept in PostgreSQL, 1 KB, ${CALLERS} callers, fsync on`,
  async run() {
    const server = await startLocalServer('postgres');
    const pool = new Pool({ connectionString: server.url, max: 20 });
    const store = postgresStore({ pool });
    await store.open({ clock: realClock(), wake: () => {}, conflict: () => {} });
    await pool.query('CREATE TABLE plain (id text PRIMARY KEY, body bytea)');
    const body = Buffer.from(deliveryOf(1_024).body);
    const insert = 'INSERT INTO plain VALUES ($1, $2) ON CONFLICT DO NOTHING';
    const accept = (id: string, runId: string): Promise<unknown> => {
      const createdAt = '2026-07-01T00:00:00.000Z';
      const edge = { id, previousStatus: 'pending', currentStatus: 'running', createdAt };
      return store.accept({ id, body, timestamp: 1, content: { kind: 'run', runId, edge } });
    };
    const rounds: { plain: Measured; accepted: Measured }[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const measured = {
        plain: await measure(round, (id) => pool.query(insert, [id, body])),
        accepted: await measure(round, accept),
      };
      if (round >= 0) rounds.push(measured);
    }
    await store.close();
    await pool.end();
    await server.stop();
    return rowsOf(rounds);
  },
};

function rowsOf(rounds: readonly { plain: Measured; accepted: Measured }[]): readonly Row[] {
  const ratio = median(rounds.map(({ plain, accepted }) => accepted.perSecond / plain.perSecond));
  const time = median(rounds.map(({ accepted }) => accepted.time));
  const plainTime = median(rounds.map(({ plain }) => plain.time));
  return [
    {
      what: 'accept, PostgreSQL store with pg',
      measured: `${Math.round(median(rounds.map(({ accepted }) => accepted.perSecond)))}/s`,
      against: `a statement per row ${Math.round(median(rounds.map(({ plain }) => plain.perSecond)))}/s`,
      ratio,
      bar: atLeast(2.5, ratio),
    },
    {
      what: 'median time of one call, in ms',
      measured: `${time.toFixed(1)} ms`,
      against: `a statement per row ${plainTime.toFixed(1)} ms`,
      ratio: time / plainTime,
      bar: atMost(3, time),
    },
  ];
}

async function measure(
  round: number,
  write: (id: string, runId: string) => Promise<unknown>,
): Promise<Measured> {
  let next = 0;
  const times: number[] = [];
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next < EVENTS) {
        next += 1;
        const began = performance.now();
        const run = Math.floor(next / EVENTS_OF_A_RUN);
        await write(`whev_${round}_${next}`, `exec_${round}_${run}`);
        times.push(performance.now() - began);
      }
    }),
  );
  const perSecond = (EVENTS * 1_000) / (performance.now() - start);
  return { perSecond, time: median(times) };
}
