import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { runTimeline } from '@hookproof/receiver/testing';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';

import { hookproof } from '../../bin/hookproof.ts';
import { describeWith, startServer } from '../../services/local-server.ts';
import { SECRET } from '../started-receiver.ts';
import { mixed, runsOf, startExample, startIngress, surviveKills } from './example-programs.ts';

/** The settings with which Redis forgets no job in a crash. */
const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];

/** Starts a server and an ingress, and returns a function that starts processors. */
async function start() {
  const server = await startServer('redis', DURABLE);
  onTestFinished(() => server.stop());
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bullmq-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const environment = {
    REDIS_URL: server.url,
    DATABASE_FILE: path.join(folder, 'events.db'),
    LEASE_MILLISECONDS: '1000',
  };
  const ingress = await startIngress('bullmq/ingress', environment);
  const startProcessor = () => startExample('bullmq/processor', 'consuming', environment);
  return { server, ingress, startProcessor };
}

describeWith('redis')('the example with BullMQ', () => {
  it('loses nothing and keeps the order of each run while processors are killed', async () => {
    const { ingress, startProcessor } = await start();
    const runs = runsOf('bullmq', 30);
    const statuses = await Promise.all(mixed(runs).map((event) => ingress.send(event)));
    expect(new Set(statuses)).toEqual(new Set([202]));
    await surviveKills(runs, startProcessor, 3);
    expect(await ingress.stop()).toBe(0);
  });

  it('recognises a repetition by its store after the job is removed', async () => {
    const { server, ingress, startProcessor } = await start();
    const [event] = runTimeline(['pending'], { run: { id: 'run:1' } });
    if (event === undefined) throw new Error('A run must have an event.');
    expect([await ingress.send(event), await ingress.send(event)]).toEqual([202, 202]);
    const connection = new Redis(server.url, { maxRetriesPerRequest: null });
    const queue = new Queue('webhooks', { connection });
    onTestFinished(async () => {
      await queue.close();
      connection.disconnect();
    });
    expect(await queue.count()).toBe(1);

    const processor = await startProcessor();
    await expect.poll(() => processor.named('handled')).toHaveLength(1);
    await expect.poll(() => queue.getJobCountByTypes('waiting', 'active', 'completed')).toBe(0);
    expect(await ingress.send(event)).toBe(202);
    await expect.poll(() => queue.getJobCountByTypes('waiting', 'active', 'completed')).toBe(0);
    const [other] = runTimeline(['pending'], { run: { id: 'exec_other' } });
    if (other !== undefined) await ingress.send(other);
    await expect.poll(() => processor.named('handled')).toHaveLength(2);
    expect(processor.named('handled')).toMatchObject([
      { eventId: event.id },
      { eventId: other?.id },
    ]);
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
