import { join } from 'node:path';

import { createProcessor, realClock } from '@hookproof/receiver';
import type { IncomingEvent, Store } from '@hookproof/receiver';
import { createInbox } from '@hookproof/receiver/inbox';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../bin/hookproof.ts';
import { freshDatabase } from '../../services/databases.ts';
import { testWith } from '../../services/local-server.ts';
import { rowsRead } from '../stores/postgres/rows-read.ts';

const EVENTS = 100_000;
const EVENTS_OF_A_RUN = 5;
const CALLERS = 512;

/** Half of the events are dead letters of no run, the others wait in runs of `wf_many`. */
function numbered(index: number): IncomingEvent {
  const id = `whev_${String(index)}`;
  const body = Buffer.from(`{"id":"${id}"}`);
  if (index % 2 === 0) {
    return { id, body, timestamp: 1, content: { kind: 'invalid', error: 'not an event' } };
  }
  const runId = `exec_${String(Math.floor(index / 2 / EVENTS_OF_A_RUN))}`;
  return ofRun({ runId, automationId: 'wf_many' }, { id, body });
}

function ofRun(
  run: { readonly runId: string; readonly automationId: string },
  { id, body }: Pick<IncomingEvent, 'id' | 'body'>,
): IncomingEvent {
  const createdAt = '2026-07-01T00:00:00.000Z';
  const edge = { id, previousStatus: 'pending', currentStatus: 'running', createdAt };
  return { id, body, timestamp: 1, content: { kind: 'run', ...run, edge } };
}

/** Fills a store, and returns reads of its page. One dead letter is of the run `exec_few` of `agent_few`. */
async function filled(store: Store) {
  await store.open({ clock: realClock(), wake: () => {}, conflict: () => {} });
  const few = { runId: 'exec_few', automationId: 'agent_few' };
  await store.accept(ofRun(few, { id: 'whev_few', body: Buffer.from('{}') }));
  const [job] = await store.take({ holder: 'test', inHand: [], limit: 1, leaseFor: 60_000 });
  const reason = 'handler_failed';
  const outcome = { id: 'whev_few', as: 'dead', reason, error: 'why', isFailure: true } as const;
  if (job === undefined) throw new Error('take() must return the only job, got none.');
  await store.finish(job.lease, [outcome], { do: 'release', dueIn: null });
  let next = 0;
  const call = async (): Promise<void> => {
    for (let index = next++; index < EVENTS; index = next++) await store.accept(numbered(index));
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  await store.close();
  const processor = createProcessor({ store });
  await processor.start({ work: false });
  onTestFinished(() => processor.close());
  const inbox = createInbox(processor, { authorize: () => true, showPayloads: true });
  return async (query: string) => {
    const response = await inbox(new Request(`https://app.example/?read=${query}`));
    expect(response.status).toBe(200);
    const text = await response.text();
    return { value: JSON.parse(text), length: text.length };
  };
}

/** What the page asks for, and where in a list it asks. */
const READS = [
  'waiting',
  'dead',
  'dead&runId=exec_few',
  'dead&automationId=agent_few',
  'dead&automationId=agent_few&reason=handler_failed',
  'runs',
  'runs&automationId=wf_many',
  'runs&automationId=agent_few',
  'find&id=exec_7',
  'find&id=whev_99999',
  'find&id=wf_many',
  'payload&id=whev_99999',
  'count&automationId=agent_few',
];

const MAX_RESPONSE_LENGTH = 64 * 1024;

async function expectBounded(
  read: Awaited<ReturnType<typeof filled>>,
  measured: (call: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const stats = await read('stats');
  expect(stats.value).toMatchObject({ open: EVENTS / 2, dead: EVENTS / 2 + 1 });
  for (const query of READS) {
    await measured(async () => {
      expect((await read(query)).length).toBeLessThan(MAX_RESPONSE_LENGTH);
    });
  }
  const few = [{ id: 'whev_few', runId: 'exec_few' }];
  for (const query of ['dead&runId=exec_few', 'dead&automationId=agent_few']) {
    expect((await read(query)).value).toMatchObject({ items: few, next: null });
  }
  expect((await read('runs')).value.items).toHaveLength(50);
}

describe('the page of an inbox with 100,000 events', () => {
  test('reads a bounded part of a store in SQLite', async () => {
    const read = await filled(sqliteStore({ file: join(emptyFolder(), 'events.db') }));
    await expectBounded(read, (call) => call());
  });

  testWith('postgres')('reads a bounded number of rows of a store in PostgreSQL', async () => {
    const pool = new Pool({ connectionString: await freshDatabase() });
    onTestFinished(() => pool.end());
    const read = await filled(postgresStore({ pool }));
    await pool.query('ANALYZE');
    await expectBounded(read, async (call) => {
      const before = await rowsRead(pool);
      await call();
      expect((await rowsRead(pool)) - before).toBeLessThan(1_000);
    });
  });
});
