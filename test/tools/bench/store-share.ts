import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Client } from 'pg';

import { atLeast, atMost, perSecond } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { emptyDatabase, handleTogether } from './handled.ts';
import { startPostgres } from './processes.ts';

const RUNS = 1_000;
const EVENTS = 4 * RUNS;
/** `USER_HZ` of Linux: the unit of `/proc/PID/stat`. */
const TICK_MICROSECONDS = 10_000;

/**
 * Measures what a process and its store spend on an event that is accepted and handled in order: processor time, which other
 * load of the machine hardly changes, and the rate, which it does.
 */
export const storeShare: Bench = {
  title: `processor time of an event, accepted and handled in order, ${EVENTS} events`,
  async run() {
    return [...(await withSqlite()), ...(await withPostgres())];
  },
};

async function withSqlite(): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-share-'));
  const file = path.join(folder, 'events.db');
  const together = await handleTogether('ordered on SQLite', file, { runs: RUNS });
  const { size } = await stat(file);
  await rm(folder, { recursive: true });
  const bytes = Math.round(size / EVENTS);
  return [
    row('SQLite, 1 process', together),
    {
      what: 'SQLite, a handled event',
      measured: `${bytes} B`,
      expected: atMost(1_000, bytes),
    },
  ];
}

async function withPostgres(): Promise<readonly Row[]> {
  const server = await startPostgres();
  const { baseUrl } = server.ready;
  const client = new Client(baseUrl);
  await client.connect();
  const { rows } = await client.query<{ pid: string }>(
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid",
  );
  const postmaster = Number(rows[0]?.pid);
  const measured: Row[] = [];
  for (const processes of [1, 2, 4]) {
    const url = await emptyDatabase(baseUrl, `share_${processes}`);
    const before = await processorOf(postmaster);
    const order = { runs: RUNS, processes };
    const together = await handleTogether('ordered on PostgreSQL', url, order);
    const spent = (await processorOf(postmaster)) - before;
    const database = `database ${Math.round(spent / EVENTS)} us/event`;
    const named = row(`PostgreSQL, ${processes} processes`, together);
    measured.push({ ...named, beside: `${database}, ${named.beside}` });
  }
  await client.end();
  await server.stop();
  return measured;
}

function row(
  what: string,
  { shares, seconds }: Awaited<ReturnType<typeof handleTogether>>,
): Row & Required<Pick<Row, 'beside'>> {
  const app = shares.reduce((sum, { processor, events }) => sum + processor * events, 0) / EVENTS;
  const rate = EVENTS / seconds;
  return {
    what,
    measured: `app ${Math.round(app)} us/event`,
    beside: perSecond(rate),
    expected: atLeast(1, rate),
  };
}

/** Returns the processor time of a server and its processes, also those that ended, in microseconds. */
async function processorOf(postmaster: number): Promise<number> {
  let ticks = 0;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The name of the program, in brackets, may contain blanks.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    if (Number(name) !== postmaster && parent !== postmaster) continue;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    ticks += user + system + endedUser + endedSystem;
  }
  return ticks * TICK_MICROSECONDS;
}
