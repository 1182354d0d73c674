/**
 * Writes a SQLite file, or a PostgreSQL database, with everything that an upgrade must keep, as the
 * tests of formats read it. Run it once for each format, before the next one: `write-format.js
 * FILE`, or `write-format.js URL` and then `pg_dump --schema=hookproof --inserts --no-owner URL`.
 */
import { createReceiver, GiveUp } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runTimeline, signEvent, virtualClock } from '@hookproof/receiver/testing';
import { Pool } from 'pg';

const [target = ''] = process.argv.slice(2);
const isServer = target.startsWith('postgres:');
const pool = new Pool({ connectionString: target, max: 19 });
const secret = 'whsec_of_a_format';
const clock = virtualClock();
let isDown = true;
const receiver = createReceiver({
  secrets: secret,
  store: isServer ? postgresStore({ pool }) : sqliteStore({ file: target }),
  mode: 'ordered',
  gapGraceMilliseconds: 20 * 86_400_000,
  roundTripGraceMilliseconds: 0,
  // PostgreSQL has a clock of its own, which goes on until the tests read what is written now.
  keepBodiesDays: isServer ? 36_500 : 30,
  retentionDays: isServer ? 36_500 : 30,
  clock,
  handlers: {
    waiting: () => {
      if (isDown) throw new Error('the database is down');
    },
    failed: () => {
      throw new GiveUp('nobody can handle this');
    },
  },
  onError: () => {},
});
await receiver.start();

async function deliver(runId: string, ...statuses: Parameters<typeof runTimeline>[0]) {
  for (const event of runTimeline(statuses, { run: { id: runId } })) {
    if (runId === 'exec_gap' && event.data.run.status === 'running') continue;
    const { headers, body } = signEvent(event, { secret, now: () => clock.now() });
    await receiver.receive({ method: 'POST', headers, body });
    await receiver.idle();
  }
}

await deliver('exec_handled', 'pending', 'running', 'completed');
await deliver('exec_dead', 'pending', 'failed');
await deliver('exec_retry', 'pending', 'waiting');
await clock.advance(5_000);
await receiver.idle();
await deliver('exec_gap', 'pending', 'running', 'completed');
await receiver.pause('cancelled');
await deliver('exec_paused', 'pending', 'cancelled');
isDown = false;
await receiver.close();
await pool.end();
