import { atLeast, atMost, compareRow, perSecond } from './bench.ts';
import type { Bench, Row, Series } from './bench.ts';
import { emptyDatabase, handleTogether } from './handled.ts';
import { startPostgres } from './processes.ts';
import type { AppName, Handled } from './programs/handle.ts';

const RUNS = 1_000;
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
    const server = await startPostgres();
    const measured = new Map<AppName, Handled[]>(NAMES.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of NAMES) {
        const database = `${name.replace('-', '_')}_${round}`;
        const url = await emptyDatabase(server.ready.baseUrl, database);
        const { shares } = await handleTogether(name, url, { runs: RUNS, warmUp: RUNS / 10 });
        measured.get(name)?.push(...shares);
      }
    }
    await server.stop();
    const series = (name: AppName, what: keyof Handled): Series => ({
      name: name === 'hookproof' ? what : name,
      values: (measured.get(name) ?? []).map((one) => one[what]),
    });
    const beside = (
      what: keyof Handled,
      peer: AppName,
      format: (value: number) => string,
      expect: Parameters<typeof compareRow>[3],
    ): Row => compareRow(series('hookproof', what), series(peer, what), format, expect);
    return [
      beside('accepted', 'pg-boss', perSecond, (ratio) => atLeast(1, ratio)),
      beside('accepted', 'graphile-worker', perSecond, (ratio) => atLeast(1, ratio)),
      beside('handled', 'pg-boss', perSecond, (ratio) => atLeast(1, ratio)),
      beside('handled', 'graphile-worker', perSecond, (ratio) => atLeast(4, ratio)),
      beside('processor', 'pg-boss', microseconds, (ratio) => atMost(2, ratio)),
      beside('processor', 'graphile-worker', microseconds, (ratio) => atMost(1, ratio)),
    ];
  },
};

function microseconds(time: number): string {
  return `${Math.round(time)} us/event`;
}
