import { createProcessor } from '@hookproof/receiver';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JsMsg } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { Pool } from 'pg';

/**
 * Takes events from a stream of NATS JetStream, keeps them in its own store, and handles each run in
 * order. It acknowledges a message when its store has the event, so a crash loses nothing, and it
 * recognises every repetition by its store. It prints a JSON line for each handled event and problem.
 * Environment:
 *
 * - NATS_URL: the address of the server. Default: nats://127.0.0.1:4222. Start an ingress first.
 * - PARTITION: which part of the runs it takes, from 0. Default: 0.
 * - DATABASE_FILE: the SQLite file of this partition. Default: events.db.
 * - DATABASE_URL: the PostgreSQL database of this partition, instead of a file: then its processors
 *   can be on any machine.
 * - ACK_WAIT_MILLISECONDS: when an unacknowledged message is delivered again. Default: 30,000.
 * - LEASE_MILLISECONDS: when the runs of a processor that crashed are taken over. Default: 30,000.
 */
const {
  NATS_URL = 'nats://127.0.0.1:4222',
  PARTITION = '0',
  DATABASE_FILE = 'events.db',
  DATABASE_URL,
  ACK_WAIT_MILLISECONDS = '30000',
  LEASE_MILLISECONDS = '30000',
} = process.env;

const pool = DATABASE_URL === undefined ? null : new Pool({ connectionString: DATABASE_URL });
const processor = createProcessor({
  store: pool === null ? sqliteStore({ file: DATABASE_FILE }) : postgresStore({ pool }),
  mode: 'ordered',
  leaseMilliseconds: Number(LEASE_MILLISECONDS),
  handlers: {
    event: ({ id, data }) => print({ handled: { eventId: id, runId: data.run.id } }),
    settled: ({ runId, status }) => print({ settled: { runId, status } }),
    test: ({ id }) => print({ test: { eventId: id } }),
  },
  onError: ({ code, message, eventId }) => print({ problem: { code, message, eventId } }),
});
await processor.start();

const connection = await connect({ servers: NATS_URL, maxReconnectAttempts: -1 });
const manager = await jetstreamManager(connection);
await manager.consumers.add('webhooks', {
  durable_name: `partition-${PARTITION}`,
  filter_subject: `webhooks.${PARTITION}`,
  ack_policy: AckPolicy.Explicit,
  ack_wait: nanos(Number(ACK_WAIT_MILLISECONDS)),
  max_ack_pending: 1_000,
});
const consumer = await jetstream(connection).consumers.get('webhooks', `partition-${PARTITION}`);
const messages = await consumer.consume({ max_messages: 100 });
const keeping = new Set<Promise<void>>();
print({ consuming: 'webhooks' });

process.once('SIGTERM', () => void messages.close());
process.once('SIGINT', () => void messages.close());

for await (const message of messages) {
  const kept = keep(message).finally(() => keeping.delete(kept));
  keeping.add(kept);
}
await Promise.all(keeping);
await connection.drain();
await processor.close();
await pool?.end();

async function keep(message: JsMsg): Promise<void> {
  const id = message.headers?.get('Nats-Msg-Id') ?? '';
  const timestamp = Number(message.headers?.get('webhook-timestamp'));
  try {
    await processor.process({ id, body: message.data, timestamp });
    message.ack();
  } catch (error) {
    // The store is down. The stream keeps the message and delivers it again.
    print({ delayed: { eventId: id, reason: String(error) } });
    message.nak(1_000);
  }
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}
