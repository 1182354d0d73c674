import { createHash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';

import { createIngress } from '@hookproof/receiver';
import { nodeHandler } from '@hookproof/receiver/node';
import { createVerifier } from '@hookproof/receiver/verify';
import { jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect, headers, nanos } from '@nats-io/transport-node';

/**
 * Verifies deliveries and publishes them to a stream of NATS JetStream. It responds with 2xx when the
 * stream has the event. Start any number of them. It prints a JSON line for each request and problem.
 * Environment:
 *
 * - WEBHOOK_SECRET: the endpoint secret, or several separated by commas. Required.
 * - NATS_URL: the address of the server. Default: nats://127.0.0.1:4222.
 * - PORT: the port. Default: 0, which chooses a free one.
 * - PARTITIONS: into how many partitions the runs are divided, each with processors and a database
 *   of its own. All ingresses must have the same number. Default: 1.
 */
const {
  WEBHOOK_SECRET,
  NATS_URL = 'nats://127.0.0.1:4222',
  PORT = '0',
  PARTITIONS = '1',
} = process.env;
if (WEBHOOK_SECRET === undefined) {
  console.error('Set WEBHOOK_SECRET to the secret of the webhook endpoint (whsec_…).');
  process.exit(2);
}

const connection = await connect({ servers: NATS_URL, maxReconnectAttempts: -1 });
const manager = await jetstreamManager(connection);
await manager.streams.add({
  name: 'webhooks',
  subjects: ['webhooks.*'],
  storage: StorageType.File,
  // The processor removes a message by its acknowledgement.
  retention: RetentionPolicy.Workqueue,
  // A repetition within this time is dropped here. The processor finds the later ones.
  duplicate_window: nanos(120_000),
});
const stream = jetstream(connection);

const ingress = createIngress({
  verifier: createVerifier({ secrets: WEBHOOK_SECRET.split(',') }),
  sink: {
    async put({ id, body, timestamp, content }) {
      const meta = headers();
      meta.set('webhook-timestamp', String(timestamp));
      const options = { msgID: id, headers: meta, timeout: 5_000 };
      const subject = `webhooks.${partitionOf(content.kind === 'run' ? content.runId : id)}`;
      const { duplicate } = await stream.publish(subject, new Uint8Array(body), options);
      return duplicate ? 'duplicate' : 'new';
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

/** All events of a run have one partition. */
function partitionOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE() % Number(PARTITIONS);
}

async function stop(): Promise<void> {
  server.close();
  await ingress.close();
  await connection.drain();
  server.closeAllConnections();
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}
