/**
 * One process of an app: `main.js STORE ADDRESS RUNS`. It sends `ready`, accepts and handles on the message `go`, and sends
 * its processor time when nothing is open in the store.
 */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

import { createReceiver } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { Pool } from 'pg';

import { callAll } from '../../bench.ts';
import { SECRET } from '../../delivery.ts';

/** What one process did. */
export interface Share {
  readonly events: number;
  /** Processor time of this process, in microseconds. */
  readonly processor: number;
}

const CALLERS = 64;
const STATUSES = ['created', 'pending', 'running', 'completed'] as const;

const [kind, address = '', runs = '0'] = process.argv.slice(2);
const pool = kind === 'postgres' ? new Pool({ connectionString: address, max: 20 }) : null;
const receiver = createReceiver({
  secrets: SECRET,
  store: pool === null ? sqliteStore({ file: address }) : postgresStore({ pool }),
  mode: 'ordered',
  handlers: { event: () => {} },
});
await receiver.start();
const deliveries = Array.from({ length: Number(runs) }, () =>
  runTimeline(STATUSES, {
    run: { id: `exec_${crypto.randomUUID()}`, output: { text: 'x'.repeat(500) } },
  }),
)
  .flat()
  .map((event) => signEvent(event, { secret: SECRET }));
process.send?.('ready');
await once(process, 'message');
const before = process.cpuUsage();
await callAll(deliveries.length, CALLERS, async (index) => {
  const delivery = deliveries[index];
  if (delivery !== undefined) await receiver.receive({ method: 'POST', ...delivery });
});
while ((await receiver.stats()).open > 0) await setTimeout(50);
const { user, system } = process.cpuUsage(before);
process.send?.({ events: deliveries.length, processor: user + system } satisfies Share);
await once(process, 'message');
await receiver.close();
await pool?.end();
process.exit();
