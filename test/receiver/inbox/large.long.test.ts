import { join } from 'node:path';

import { createProcessor, realClock } from '@hookproof/receiver';
import type { IncomingEvent, Store } from '@hookproof/receiver';
import { createInbox } from '@hookproof/receiver/inbox';
import type { Inbox } from '@hookproof/receiver/inbox';
import { postgresStore } from '@hookproof/receiver/postgres';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { Pool } from 'pg';
import type { Page } from 'playwright-core';
import { describe, expect, inject, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../bin/hookproof.ts';
import { freshDatabase } from '../../services/databases.ts';
import { testWith } from '../../services/local-server.ts';
import { rowsRead } from '../stores/postgres/rows-read.ts';
import { usePages } from './open-page.ts';

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

/** Fills a store, and returns its inbox. One dead letter is of the run `exec_few` of `agent_few`. */
async function filled(store: Store): Promise<Inbox> {
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
  return createInbox(processor, { authorize: () => true, showPayloads: true });
}

async function readFrom(inbox: Inbox, query: string) {
  const response = await inbox(new Request(`https://app.example/?read=${query}`));
  expect(response.status).toBe(200);
  const text = await response.text();
  return { value: JSON.parse(text), length: text.length };
}

/** What the page asks for, and where in a list it asks. */
const READS = [
  'waiting',
  'waiting&runId=exec_7',
  'waiting&automationId=wf_many',
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
  inbox: Inbox,
  measured: (call: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const read = (query: string) => readFrom(inbox, query);
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

/** The tables, lists and cards of one page: more than 50 rows would be slow to draw. */
const MAX_ELEMENTS = 2_000;

/** Looks at each list as a person does: page by page, narrowed, and at what a search finds. */
async function expectUsable(page: Page): Promise<void> {
  const rows = page.locator('tbody tr');
  const firstId = () => rows.first().getByRole('link').first().textContent();
  const elements = async (): Promise<number> => page.locator('*').count();
  const search = page.getByRole('searchbox', { name: 'Run, event, agent or workflow' });
  await page.getByRole('link', { name: `Waiting ${(EVENTS / 2).toLocaleString('en')}` }).waitFor();
  for (const list of ['Waiting events', 'Dead letters', 'Runs']) {
    const link = list.replace(' events', '');
    await page.getByRole('link', { name: new RegExp(`^${link}`) }).click();
    const table = page.getByRole('region', { name: list, exact: true });
    await table.waitFor();
    const first = await firstId();
    expect([await rows.count(), (await elements()) < MAX_ELEMENTS]).toEqual([50, true]);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2').waitFor();
    await expect.poll(firstId).not.toBe(first);
    expect([await rows.count(), (await elements()) < MAX_ELEMENTS]).toEqual([50, true]);
  }
  await page.getByRole('link', { name: /^Dead letters/ }).click();
  await page
    .getByRole('searchbox', { name: 'Run, agent or workflow', exact: true })
    .fill('agent_few');
  await page.keyboard.press('Enter');
  await page.getByText('Page 1').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'whev_few', exact: true }).waitFor();
  expect(await rows.count()).toBe(1);
  await page.getByRole('button', { name: 'Discard all…' }).click();
  await page.getByText('Discard 1 dead letter? They then count as handled.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: /^Waiting/ }).click();
  await page
    .getByRole('searchbox', { name: 'Run, agent or workflow', exact: true })
    .fill('exec_9999');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'whev_99999', exact: true }).waitFor();
  expect(await rows.count()).toBe(EVENTS_OF_A_RUN);
  await search.fill('exec_7');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Run exec_7' }).waitFor();
  expect(await page.locator('.step').count()).toBe(EVENTS_OF_A_RUN);
  await search.fill('whev_99998');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Event without a run' }).waitFor();
  await page.getByText('Payload').click();
  await page.getByText('"id": "whev_99998"').waitFor();
  await search.fill('wf_many');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Runs' }).waitFor();
  expect([await rows.count(), (await elements()) < MAX_ELEMENTS]).toEqual([50, true]);
}

const newFile = (): Store => sqliteStore({ file: join(emptyFolder(), 'events.db') });

function newPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString });
  onTestFinished(() => pool.end());
  return pool;
}

describe('the page of an inbox with 100,000 events', () => {
  test('reads a bounded part of a store in SQLite', async () => {
    await expectBounded(await filled(newFile()), (call) => call());
  });

  testWith('postgres')('reads a bounded number of rows of a store in PostgreSQL', async () => {
    const pool = newPool(await freshDatabase());
    const inbox = await filled(postgresStore({ pool }));
    await pool.query('ANALYZE');
    await expectBounded(inbox, async (call) => {
      const before = await rowsRead(pool);
      await call();
      expect((await rowsRead(pool)) - before).toBeLessThan(1_000);
    });
  });
});

describe.skipIf(inject('browserPath') === null)('a person in front of 100,000 events', () => {
  const openPage = usePages();

  test('pages, narrows and finds in SQLite', async () => {
    await expectUsable(await openPage(await filled(newFile())));
  });

  testWith('postgres')('pages, narrows and finds in PostgreSQL', async () => {
    const pool = newPool(await freshDatabase());
    await expectUsable(await openPage(await filled(postgresStore({ pool }))));
  });
});
