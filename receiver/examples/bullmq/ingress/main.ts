import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';

import { createIngress } from '@hookproof/receiver';
import { nodeHandler } from '@hookproof/receiver/node';
import { createVerifier } from '@hookproof/receiver/verify';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

/**
 * Verifies deliveries and adds them to a queue of BullMQ. It responds with 2xx when Redis has the
 * event. Start any number of them. It prints a JSON line for each request and problem. Environment:
 *
 * - WEBHOOK_SECRET: the endpoint secret, or several separated by commas. Required.
 * - REDIS_URL: the address of the server. Default: redis://127.0.0.1:6379. It needs `appendonly yes`,
 *   `appendfsync always` and `maxmemory-policy noeviction`.
 * - PORT: the port. Default: 0, which chooses a free one.
 */
const { WEBHOOK_SECRET, REDIS_URL = 'redis://127.0.0.1:6379', PORT = '0' } = process.env;
if (WEBHOOK_SECRET === undefined) {
  console.error('Set WEBHOOK_SECRET to the secret of the webhook endpoint (whsec_…).');
  process.exit(2);
}

// Without a connection a delivery gets 503 at once, and its sender retries.
const connection = new Redis(REDIS_URL, { maxRetriesPerRequest: 1 });
connection.on('error', (error) => print({ redis: error.message }));
const queue = new Queue('webhooks', { connection });
queue.on('error', (error) => print({ queue: error.message }));
await queue.waitUntilReady();

const ingress = createIngress({
  verifier: createVerifier({ secrets: WEBHOOK_SECRET.split(',') }),
  sink: {
    async put({ id, body, timestamp }) {
      const data = { id, body: Buffer.from(body).toString('base64'), timestamp };
      await queue.add('event', data, {
        // An id of BullMQ has no colon and is no number.
        jobId: `id-${encodeURIComponent(id)}`,
        // While the job exists, a repetition adds none. The processor finds the later ones.
        removeOnComplete: true,
        // The processor rejects only while its store is down.
        attempts: 1_000_000,
        backoff: { type: 'fixed', delay: 1_000 },
      });
    },
  },
  onError: ({ code, message, eventId }) => print({ problem: { code, message, eventId } }),
});

subscribe('tracing:hookproof:receive:asyncEnd', (arrived) => print({ arrived }));

const server = createServer(nodeHandler(ingress));
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : PORT;
  print({ listening: `http://127.0.0.1:${port}` });
});

process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());

async function stop(): Promise<void> {
  server.close();
  await ingress.close();
  await queue.close();
  connection.disconnect();
  server.closeAllConnections();
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}
