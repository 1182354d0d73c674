import { createProcessor } from '@hookproof/receiver';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

/**
 * Takes events from a queue of BullMQ, keeps them in a store, and handles each run in
 * order. A job is complete when the store has its event, so a crash loses nothing, and the store
 * recognises every repetition. Start any number of them. It prints a JSON line for each handled event
 * and problem. Environment:
 *
 * - REDIS_URL: the address of the server. Default: redis://127.0.0.1:6379. It needs `appendonly yes`,
 *   `appendfsync always` and `maxmemory-policy noeviction`.
 * - DATABASE_FILE: the SQLite file, which the processors of a machine share. Default: events.db. For
 *   processors on several machines use `postgresStore()` here.
 * - LEASE_MILLISECONDS: when the jobs and runs of a processor that crashed are taken over. Default:
 *   30,000.
 */
const {
  REDIS_URL = 'redis://127.0.0.1:6379',
  DATABASE_FILE = 'events.db',
  LEASE_MILLISECONDS = '30000',
} = process.env;
const leaseMilliseconds = Number(LEASE_MILLISECONDS);

interface Delivery {
  readonly id: string;
  /** Base64. */
  readonly body: string;
  readonly timestamp: number;
}

const processor = createProcessor({
  store: sqliteStore({ file: DATABASE_FILE }),
  mode: 'ordered',
  leaseMilliseconds,
  handlers: {
    event: ({ id, data }) => print({ handled: { eventId: id, runId: data.run.id } }),
    settled: ({ runId, status }) => print({ settled: { runId, status } }),
    test: ({ id }) => print({ test: { eventId: id } }),
  },
  onError: ({ code, message, eventId }) => print({ problem: { code, message, eventId } }),
});
await processor.start();

const connection = new Redis(REDIS_URL, { maxRetriesPerRequest: null });
connection.on('error', (error) => print({ redis: error.message }));
const worker = new Worker<Delivery>(
  'webhooks',
  async ({ data: { id, body, timestamp } }) => {
    await processor.process({ id, body: Buffer.from(body, 'base64'), timestamp });
  },
  {
    connection,
    concurrency: 64,
    lockDuration: leaseMilliseconds,
    stalledInterval: leaseMilliseconds,
    // By default a job fails for good when its worker crashes for the second time.
    maxStalledCount: 1_000_000,
  },
);
worker.on('error', (error) => print({ worker: error.message }));
worker.on('failed', (job, error) => {
  print({ delayed: { eventId: job?.data.id, reason: error.message } });
});
await worker.waitUntilReady();
print({ consuming: 'webhooks' });

process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());

async function stop(): Promise<void> {
  await worker.close();
  await processor.close();
  connection.disconnect();
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}
