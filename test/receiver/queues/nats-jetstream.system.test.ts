import path from 'node:path';

import { runTimeline } from '@hookproof/receiver/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { expect, it, onTestFinished } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { describeWith, startServer } from '../../services/local-server.ts';
import { brokerTests, startExample, startIngress } from './example-programs.ts';
import type { StartedExample } from './example-programs.ts';

/** Starts a server and an ingress, and returns a function that starts processors on one file. */
async function start(): Promise<StartedExample> {
  const server = await startServer('nats');
  onTestFinished(() => server.stop());
  const environment = {
    NATS_URL: server.url,
    DATABASE_FILE: path.join(emptyFolder(), 'events.db'),
    ACK_WAIT_MILLISECONDS: '1000',
    LEASE_MILLISECONDS: '1000',
  };
  const ingress = await startIngress('nats-jetstream/ingress', environment);
  const startProcessor = () => startExample('nats-jetstream/processor', 'consuming', environment);
  return { server, ingress, startProcessor };
}

describeWith('nats')('the example with NATS JetStream', () => {
  brokerTests(start, 200);

  it('recognises a repetition after the window of the stream by its store', async () => {
    const { server, ingress, startProcessor } = await start();
    const processor = await startProcessor();
    const [event] = runTimeline(['pending']);
    if (event === undefined) throw new Error('A run must have an event.');
    expect(await ingress.send(event)).toBe(202);
    expect(await ingress.send(event)).toBe(200);
    await expect.poll(() => processor.named('handled')).toHaveLength(1);

    const connection = await connect({ servers: server.url });
    onTestFinished(() => connection.close());
    const manager = await jetstreamManager(connection);
    await manager.streams.update('webhooks', { duplicate_window: nanos(100) });
    await expect.poll(() => ingress.send(event)).toBe(202);
    const [other] = runTimeline(['pending'], { run: { id: 'exec_other' } });
    if (other !== undefined) expect(await ingress.send(other)).toBe(202);
    await expect.poll(() => processor.named('handled')).toHaveLength(2);
    const info = () => manager.consumers.info('webhooks', 'partition-0');
    await expect.poll(async () => (await info()).num_ack_pending).toBe(0);
    expect(processor.named('handled')).toHaveLength(2);
    expect(await processor.stop()).toBe(0);
  });
});
