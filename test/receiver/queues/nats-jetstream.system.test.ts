import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { runTimeline } from '@hookproof/receiver/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { expect, it, onTestFinished } from 'vitest';

import { hookproof } from '../../bin/hookproof.ts';
import { describeWith, startServer } from '../../services/local-server.ts';
import { SECRET } from '../started-receiver.ts';
import { mixed, runsOf, startExample, startIngress, surviveKills } from './example-programs.ts';

/** Starts a server and an ingress, and returns a function that starts processors on one file. */
async function start() {
  const server = await startServer('nats');
  onTestFinished(() => server.stop());
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-nats-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const environment = {
    NATS_URL: server.url,
    DATABASE_FILE: path.join(folder, 'events.db'),
    ACK_WAIT_MILLISECONDS: '1000',
    LEASE_MILLISECONDS: '1000',
  };
  const ingress = await startIngress('nats-jetstream/ingress', environment);
  const startProcessor = () => startExample('nats-jetstream/processor', 'consuming', environment);
  return { server, ingress, startProcessor };
}

describeWith('nats')('the example with NATS JetStream', () => {
  it('loses nothing and keeps the order of each run while processors are killed', async () => {
    const { ingress, startProcessor } = await start();
    const runs = runsOf('nats', 30);
    const statuses = await Promise.all(mixed(runs).map((event) => ingress.send(event)));
    expect(new Set(statuses)).toEqual(new Set([200, 202]));
    expect(statuses.filter((status) => status === 202)).toHaveLength(150);
    await surviveKills(runs, startProcessor, 3);
    expect(await ingress.stop()).toBe(0);
  });

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

  it('responds with 503 while the server is down, and keeps what it has over its crash', async () => {
    const { server, ingress, startProcessor } = await start();
    const events = runTimeline(['created', 'pending', 'running']);
    const [first, second, third] = events;
    if (!first || !second || !third) throw new Error('A run must have three events.');
    expect(await ingress.send(first)).toBe(202);
    await server.crash();
    expect(await ingress.send(second)).toBe(503);
    await server.restart();
    await expect.poll(() => ingress.send(second)).toBeLessThan(300);
    expect(await ingress.send(third)).toBe(202);
    const processor = await startProcessor();
    await expect
      .poll(() => processor.named('handled'))
      .toMatchObject(events.map(({ id }) => ({ eventId: id })));
    expect(await processor.stop()).toBe(0);
  });

  it('has a conformant ingress', async () => {
    const { ingress } = await start();
    const options = ['--receiver', ingress.url, '--secret', SECRET];
    const { code, stdout } = await hookproof(['check', ...options]);
    expect(stdout).toMatch(/conformant/i);
    expect(code).toBe(0);
  });
});
