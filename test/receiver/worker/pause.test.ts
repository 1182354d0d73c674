import path from 'node:path';

import { createProcessor } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { sqliteStore } from '@hookproof/receiver/sqlite';
import { runCreatedEvent, runTimeline } from '@hookproof/receiver/testing';
import { expect, it, onTestFinished } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { startedReceiver } from '../started-receiver.ts';
import { untyped } from '../verify-delivery.ts';

it('of everything accepts events and handles none, until it is resumed', async () => {
  const { receiver, deliver, advance, handledIds } = await startedReceiver();
  await receiver.pause();
  const [response] = await deliver(runCreatedEvent({ id: 'whev_1' }));
  await advance(60_000);
  expect(response?.status).toBe(202);
  expect(handledIds()).toEqual([]);
  expect(await receiver.stats()).toMatchObject({ open: 1, paused: ['*'] });
  expect((await receiver.waiting()).items).toMatchObject([{ id: 'whev_1', why: 'paused' }]);
  await receiver.resume();
  await receiver.idle();
  expect(handledIds()).toEqual(['whev_1']);
  expect(await receiver.stats()).toMatchObject({ open: 0, paused: [] });
});

it.each(['live', 'ordered'] as const)(
  'of one handler holds up only its events, in %s mode',
  async (mode) => {
    const { receiver, deliver, advance, handled } = await startedReceiver({ mode });
    const statuses = () => handled.map(({ event }) => event.data.run.status);
    await receiver.pause('running');
    await deliver(...runTimeline(['pending', 'running', 'completed']));
    await advance(120_000);
    expect(statuses()).toEqual(mode === 'live' ? ['pending', 'completed'] : ['pending']);
    const [first] = (await receiver.waiting()).items;
    expect(first).toMatchObject({ edge: { currentStatus: 'running' }, why: 'paused' });
    await receiver.resume('running');
    await receiver.idle();
    expect(statuses().toSorted()).toEqual(['completed', 'pending', 'running']);
  },
);

it('reaches other processes with the next look, and survives a restart', async () => {
  const file = path.join(emptyFolder(), 'events.db');
  const other = createProcessor({ store: sqliteStore({ file }) });
  await other.start({ work: false });
  await other.pause('completed');
  await other.close();
  const { receiver, deliver, handledIds, clock } = await startedReceiver({
    store: sqliteStore({ file }),
    pollMilliseconds: 1_000,
  });
  expect(await receiver.stats()).toMatchObject({ paused: ['completed'] });
  await deliver(runCreatedEvent({ id: 'whev_1' }));
  expect(handledIds()).toEqual(['whev_1']);
  const third = createProcessor({ store: sqliteStore({ file }) });
  await third.start({ work: false });
  onTestFinished(() => third.close());
  await third.pause();
  await clock.advance(1_000);
  await deliver(runCreatedEvent({ id: 'whev_2', run: { id: 'exec_2' } }));
  expect(handledIds()).toEqual(['whev_1']);
});

it('of one handler ends for the events that other processes left, with their next look', async () => {
  const file = path.join(emptyFolder(), 'events.db');
  const { receiver, deliver, handledIds, clock } = await startedReceiver({
    store: sqliteStore({ file }),
    pollMilliseconds: 1_000,
  });
  const run = runTimeline(['pending', 'running']);
  await receiver.pause('running');
  await deliver(...run);
  expect(handledIds()).toEqual([run[0]?.id]);
  const other = createProcessor({ store: sqliteStore({ file }), clock });
  await other.start({ work: false });
  onTestFinished(() => other.close());
  await other.resume('running');
  await clock.advance(1_000);
  await receiver.idle();
  expect(handledIds()).toEqual(run.map(({ id }) => id));
});

it('refuses a name that nothing has', async () => {
  const { receiver } = await startedReceiver({ store: memoryStore() });
  await expect(receiver.pause(untyped('done'))).rejects.toThrow(/handler must be the status/);
});

it('says why each event waits', async () => {
  const { receiver, deliver } = await startedReceiver({
    mode: 'ordered',
    handlers: {
      event: ({ id }) => {
        if (id === 'whev_failing') throw new Error('no');
      },
    },
  });
  const [, , late] = runTimeline(['pending', 'running', 'completed'], { run: { id: 'exec_gap' } });
  if (late === undefined) throw new Error('no third event');
  await deliver(runCreatedEvent({ id: 'whev_failing', run: { id: 'exec_failing' } }), late);
  const { items } = await receiver.waiting();
  expect(items.map(({ runId, why }) => [runId, why])).toEqual([
    ['exec_failing', 'retry'],
    ['exec_gap', 'order'],
  ]);
  expect(items[0]).toMatchObject({ attempts: 1, error: 'Error: no' });
  expect(items[0]?.dueIn).toBeGreaterThan(700);
});

it('discards and lists dead letters by a filter', async () => {
  const { receiver, deliver } = await startedReceiver({
    retryForHours: 0,
    handlers: {
      event: () => {
        throw new Error('no');
      },
    },
  });
  for (let index = 1; index <= 5; index += 1) {
    await deliver(runCreatedEvent({ id: `whev_${index}`, run: { id: `exec_${index % 2}` } }));
  }
  const page = await receiver.deadLetters({ runId: 'exec_1', limit: 2 });
  expect(page.items.map(({ id }) => id)).toEqual(['whev_5', 'whev_3']);
  const rest = await receiver.deadLetters({ runId: 'exec_1', after: page.next ?? '' });
  expect(rest).toMatchObject({ items: [{ id: 'whev_1' }], next: null });
  expect(await receiver.discard({ reason: 'event_poisoned' })).toBe(0);
  expect(await receiver.discard({ ids: ['whev_1', 'whev_unknown'] })).toBe(1);
  expect(await receiver.discard({ runId: 'exec_1' })).toBe(2);
  expect(await receiver.discard({})).toBe(2);
});
