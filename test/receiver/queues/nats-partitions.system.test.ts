import { Client } from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';

import { freshDatabase } from '../../services/databases.ts';
import { startServer } from '../../services/local-server.ts';
import { expectWhole, mixed, runsOf, startExample, startIngress } from './example-programs.ts';
import type { ExampleProgram, Handled } from './example-programs.ts';

const isMissing = (['nats', 'postgres'] as const).some((kind) =>
  inject('missingPrograms').includes(kind),
);

/** Returns the runs of which a database has events. */
async function runsIn(url: string): Promise<readonly string[]> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ key: string }>('SELECT key FROM hookproof.jobs');
  await client.end();
  return rows.map(({ key }) => key);
}

describe.skipIf(isMissing)('two partitions of NATS JetStream, each with its own database', () => {
  it('loses nothing and keeps the order of each run while a processor is killed and a partition moves', async () => {
    const server = await startServer('nats');
    onTestFinished(() => server.stop());
    const databases = [await freshDatabase(), await freshDatabase()];
    const environment = { NATS_URL: server.url, PARTITIONS: '2' };
    const ingress = await startIngress('nats-jetstream/ingress', environment);
    const programs: ExampleProgram[] = [];
    const startProcessor = async (partition: number): Promise<ExampleProgram> => {
      const program = await startExample('nats-jetstream/processor', 'consuming', {
        ...environment,
        PARTITION: String(partition),
        DATABASE_URL: databases[partition] ?? '',
        ACK_WAIT_MILLISECONDS: '1000',
        LEASE_MILLISECONDS: '1000',
      });
      programs.push(program);
      return program;
    };
    const handled = (): readonly Handled[] =>
      programs.flatMap((program) => program.named('handled') as Handled[]);

    const runs = runsOf('partition', 40);
    const events = mixed(runs);
    const half = Math.floor(events.length / 2);
    const killed = await startProcessor(0);
    const moved = await startProcessor(1);
    const first = await Promise.all(events.slice(0, half).map((event) => ingress.send(event)));
    await expect.poll(() => killed.named('handled').length).toBeGreaterThan(10);
    await killed.kill();
    const second = Promise.all(events.slice(half).map((event) => ingress.send(event)));
    await expect.poll(() => moved.named('handled').length).toBeGreaterThan(10);
    // It leaves what waits in the database of its partition to the next one, on any machine.
    expect(await moved.stop()).toBe(0);
    await Promise.all([startProcessor(0), startProcessor(1)]);
    expect(new Set([...first, ...(await second)])).toEqual(new Set([200, 202]));
    await expect.poll(() => new Set(handled().map(({ eventId }) => eventId)).size).toBe(200);
    for (const program of programs.slice(2)) expect(await program.stop()).toBe(0);
    expectWhole(runs, handled(), 1);

    const [left = [], right = []] = await Promise.all(databases.map(runsIn));
    expect(Math.min(left.length, right.length)).toBeGreaterThan(0);
    expect(left.length + right.length).toBe(runs.length);
    expect(new Set([...left, ...right])).toEqual(
      new Set(runs.map(([event]) => event?.data.run.id)),
    );
  });
});
