import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { Client } from 'pg';

import { atLeast, atMost, compareRow, perSecond } from './bench.ts';
import type { Bench, Series } from './bench.ts';
import { startLocalServer } from './local-server.ts';
import type { AppName } from './programs/pipeline/apps.ts';
import type { Rates } from './programs/pipeline/main.ts';

const PROGRAM = fileURLToPath(new URL('programs/pipeline/main.js', import.meta.url));
const ROUNDS = 3;
const NAMES = ['hookproof', 'pg-boss', 'graphile-worker'] as const satisfies readonly AppName[];

/**
 * Compares a whole app with one that puts a queue in PostgreSQL behind a plain check of the
 * signature. Each app is a process of its own with an empty database on the same server, one after
 * the other.
 */
export const pipeline: Bench = {
  title:
    'verify, accept and handle on PostgreSQL, 4,000 events of 1,000 runs, 64 callers, fsync on',
  async run() {
    const server = await startLocalServer('postgres');
    const rates = new Map<AppName, Rates[]>(NAMES.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of NAMES) {
        const url = await emptyDatabase(server.url, `${name.replace('-', '_')}_${round}`);
        rates.get(name)?.push(await ratesOf(name, url));
      }
    }
    await server.stop();
    const series = (name: AppName, what: keyof Rates): Series => ({
      name: name === 'hookproof' ? what : name,
      values: (rates.get(name) ?? []).map((one) => one[what]),
    });
    const compared = (what: keyof Rates, peer: AppName) =>
      [series('hookproof', what), series(peer, what)] as const;
    return [
      compareRow(...compared('accepted', 'pg-boss'), perSecond, (ratio) => atLeast(1, ratio)),
      compareRow(...compared('accepted', 'graphile-worker'), perSecond, (ratio) =>
        atLeast(1, ratio),
      ),
      compareRow(...compared('handled', 'pg-boss'), perSecond, (ratio) => atLeast(1, ratio)),
      compareRow(...compared('handled', 'graphile-worker'), perSecond, (ratio) =>
        atLeast(4, ratio),
      ),
      compareRow(...compared('processor', 'pg-boss'), microseconds, (ratio) => atMost(2, ratio)),
      compareRow(...compared('processor', 'graphile-worker'), microseconds, (ratio) =>
        atMost(1, ratio),
      ),
    ];
  },
};

function microseconds(time: number): string {
  return `${Math.round(time)} us/event`;
}

async function emptyDatabase(url: string, name: string): Promise<string> {
  const client = new Client(url);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return url.replace(/postgres$/, name);
}

async function ratesOf(name: AppName, url: string): Promise<Rates> {
  const child = fork(PROGRAM, [name, url]);
  const exited = once(child, 'exit');
  const failed = exited.then(() => {
    throw new Error(`The app ${name} must send its rates, got its end.`);
  });
  const [rates] = (await Promise.race([once(child, 'message'), failed])) as [Rates];
  await exited;
  return rates;
}
