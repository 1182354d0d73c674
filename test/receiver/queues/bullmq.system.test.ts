import path from 'node:path';

import { runTimeline } from '@hookproof/receiver/testing';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { describeWith, startServer } from '../../services/local-server.ts';
import { brokerTests, startExample, startIngress } from './example-programs.ts';
import type { StartedExample } from './example-programs.ts';

/** The settings with which Redis forgets no job in a crash. */
const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];

/** Starts a server and an ingress, and returns a function that starts processors. */
async function start(): Promise<StartedExample> {
  const server = await startServer('redis', DURABLE);
  onTestFinished(() => server.stop());
  const environment = {
    REDIS_URL: server.url,
    DATABASE_FILE: path.join(emptyFolder(), 'events.db'),
    LEASE_MILLISECONDS: '1000',
  };
  const ingress = await startIngress('bullmq/ingress', environment);
  const startProcessor = () => startExample('bullmq/processor', 'consuming', environment);
  return { server, ingress, startProcessor };
}

describeWith('redis')('the example with BullMQ', () => {
  brokerTests(start, 202);

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
});
