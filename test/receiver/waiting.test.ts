import { runTimeline } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/spec';
import { expect, it } from 'vitest';

import { pendingUntilTheEnd, startedReceiver } from './started-receiver.ts';

/** Returns these events of a run with the statuses pending, running, waiting, completed. */
function some(id: string, indexes: readonly number[], automationId = 'wf_1'): readonly RunEvent[] {
  const run = runTimeline(['pending', 'running', 'waiting', 'completed'], {
    run: { id, automationId },
  });
  return run.filter((_, index) => indexes.includes(index));
}

it('names the gap that an event waits for, until the events after it are handled', async () => {
  const { receiver, deliver, advance } = await startedReceiver({ mode: 'ordered' });
  await deliver(...some('exec_1', [0, 3]));
  await deliver(...some('exec_2', [2, 3]));
  await advance(1_000);
  expect((await receiver.waiting()).items).toMatchObject([
    { id: 'whev_exec_1_4', why: 'order', gap: { after: 'pending', before: 'waiting' } },
    { id: 'whev_exec_2_3', why: 'order', gap: { after: null, before: 'running' } },
    { id: 'whev_exec_2_4', why: 'order', gap: { after: null, before: 'running' } },
  ]);
  receiver.on('waiting', () => Promise.reject(new Error('billing is down')));
  await advance(60_000);
  const { items } = await receiver.waiting({ runId: 'exec_2' });
  expect(items).toMatchObject([{ id: 'whev_exec_2_3', why: 'retry', gap: null }, {}]);
});

it('has no gap for an event that waits for another reason', async () => {
  const { receiver, deliver } = await startedReceiver({
    mode: 'ordered',
    handlers: { pending: pendingUntilTheEnd },
  });
  const [first] = some('exec_1', [0]);
  if (first === undefined) throw new Error('no events');
  void deliver(first);
  await expect
    .poll(async () => (await receiver.waiting()).items)
    .toMatchObject([{ why: 'in_hand', gap: null, leasedFor: 30_000, dueIn: null }]);
});

it('is narrowed to a run, or to an agent or workflow, in pages', async () => {
  const { receiver, deliver } = await startedReceiver();
  await receiver.pause();
  for (const [id, automation] of [
    ['exec_1', 'wf_1'],
    ['exec_2', 'agent_2'],
    ['exec_3', 'wf_1'],
  ] as const) {
    await deliver(...some(id, [0, 1], automation));
  }
  const ids = async (page: Parameters<typeof receiver.waiting>[0]) => {
    const { items, next } = await receiver.waiting(page);
    return { ids: items.map(({ id }) => id), next };
  };
  const ofRun = { ids: ['whev_exec_3_1', 'whev_exec_3_2'], next: null };
  expect(await ids({ runId: 'exec_3' })).toEqual(ofRun);
  expect(await ids({ runId: 'exec_3', automationId: 'wf_1' })).toEqual(ofRun);
  expect(await ids({ runId: 'exec_3', automationId: 'agent_2' })).toEqual({ ids: [], next: null });
  expect(await ids({ runId: 'a\0b' })).toEqual({ ids: [], next: null });
  const first = await ids({ automationId: 'wf_1', limit: 3 });
  expect(first.ids).toEqual(['whev_exec_1_1', 'whev_exec_1_2', 'whev_exec_3_1']);
  const last = await ids({ automationId: 'wf_1', limit: 3, after: first.next ?? '' });
  expect(last).toEqual({ ids: ['whev_exec_3_2'], next: null });
});
