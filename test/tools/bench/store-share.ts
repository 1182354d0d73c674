import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from 'pg';

import { atLeast, atMost, perSecond } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { startLocalServer } from './local-server.ts';
import type { Share } from './programs/store-share/main.ts';

const PROGRAM = fileURLToPath(new URL('programs/store-share/main.js', import.meta.url));
const RUNS = 1_000;
const EVENTS_OF_A_RUN = 4;
const PROCESSES = [1, 2, 4];
/** `USER_HZ` of Linux: the unit of `/proc/PID/stat`. */
const TICK_MICROSECONDS = 10_000;

/** What some processes did together. */
interface Together {
  /** Events a second, from the first delivery until the last event is handled. */
  readonly rate: number;
  /** Processor time of the apps, in microseconds an event. */
  readonly app: number;
}

/**
 * Measures what a process and its store spend on an event that is accepted and handled in order: processor time, which other
 * load of the machine hardly changes, and the rate, which it does.
 */
export const storeShare: Bench = {
  title: `processor time of an event, accepted and handled in order, ${RUNS * EVENTS_OF_A_RUN} events`,
  async run() {
    return [...(await withSqlite()), ...(await withPostgres())];
  },
};

async function withSqlite(): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-share-'));
  const file = path.join(folder, 'events.db');
  const { rate, app } = await handleTogether('sqlite', file, 1);
  const { size } = await stat(file);
  await rm(folder, { recursive: true });
  const bytes = Math.round(size / (RUNS * EVENTS_OF_A_RUN));
  return [
    row('SQLite, 1 process', { rate, app }, 0),
    {
      what: 'SQLite, a handled event',
      measured: `${bytes} B`,
      beside: 'the file',
      ratio: null,
      expected: atMost(1_000, bytes),
    },
  ];
}

async function withPostgres(): Promise<readonly Row[]> {
  const server = await startLocalServer('postgres');
  const client = new Client(server.url);
  await client.connect();
  const { rows } = await client.query<{ pid: string }>(
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid",
  );
  const postmaster = Number(rows[0]?.pid);
  const measured: Row[] = [];
  for (const processes of PROCESSES) {
    await client.query(`CREATE DATABASE share_${processes}`);
    const url = server.url.replace(/postgres$/, `share_${processes}`);
    const before = await processorOf(postmaster);
    const together = await handleTogether('postgres', url, processes);
    const spent = (await processorOf(postmaster)) - before;
    const database = spent / (RUNS * EVENTS_OF_A_RUN);
    measured.push(row(`PostgreSQL, ${processes} processes`, together, database));
  }
  await client.end();
  await server.stop();
  return measured;
}

function row(what: string, { rate, app }: Together, database: number): Row {
  return {
    what,
    measured: `app ${Math.round(app)} us/event`,
    beside: `database ${Math.round(database)} us/event, ${perSecond(rate)}`,
    ratio: database === 0 ? null : app / database,
    expected: atLeast(1, rate),
  };
}

/** Divides the runs over some processes that share a store. */
async function handleTogether(kind: string, address: string, processes: number): Promise<Together> {
  const children: ChildProcess[] = [];
  // One after the other: the first creates the tables.
  for (let index = 0; index < processes; index += 1) {
    const child = fork(PROGRAM, [kind, address, String(RUNS / processes)]);
    await once(child, 'message');
    children.push(child);
  }
  const start = performance.now();
  const shares = await Promise.all(
    children.map(async (child) => {
      child.send('go');
      const [share] = (await once(child, 'message')) as [Share];
      return share;
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  await Promise.all(
    children.map(async (child) => {
      child.send('end');
      await once(child, 'exit');
    }),
  );
  const events = shares.reduce((sum, share) => sum + share.events, 0);
  const processor = shares.reduce((sum, share) => sum + share.processor, 0);
  return { rate: events / seconds, app: processor / events };
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
