import { createReceiver } from '@hookproof/receiver';
import type { Store } from '@hookproof/receiver';
import { runTimeline, signEvent } from '@hookproof/receiver/testing';
import { expect, onTestFinished } from 'vitest';

import type { VirtualClock } from '../../virtual-clock.ts';

const SECRET = 'whsec_of_a_format';

/**
 * Expects that a receiver shows and handles everything in a store of format 1, as
 * `programs/write-format.ts` wrote it when that was the newest. The clock is for a store that does
 * not read the time of a server.
 */
export async function expectFormat1Handled(store: Store, clock?: VirtualClock): Promise<void> {
  const handled: string[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    store,
    mode: 'ordered',
    gapGraceMilliseconds: 0,
    ...(clock !== undefined && { clock }),
    handlers: { event: ({ data: { run } }) => handled.push(`${run.id} ${run.status}`) },
    onError: () => {},
  });
  onTestFinished(() => receiver.close());
  await receiver.start({ work: false });
  const stats = await receiver.stats();
  expect(stats).toMatchObject({ open: 3, dead: 1, retrying: 1, paused: ['cancelled'] });
  const waiting = (await receiver.waiting()).items;
  expect(waiting.map(({ runId, why }) => [runId, why])).toEqual([
    ['exec_retry', expect.stringMatching(/retry|due/)],
    ['exec_gap', expect.stringMatching(/order|due/)],
    ['exec_paused', 'paused'],
  ]);
  expect(waiting[0]?.failures.length).toBe(waiting[0]?.attempts);
  expect((await receiver.deadLetters()).items).toMatchObject([
    {
      runId: 'exec_dead',
      error: 'GiveUp: nobody can handle this',
      attempts: 1,
      failures: [{ handler: 'failed', error: 'GiveUp: nobody can handle this' }],
    },
  ]);
  expect(await receiver.replay({}, { dryRun: true })).toBe(7);
  expect(await receiver.timeline('exec_handled')).toMatchObject({ status: 'completed' });
  const [known] = runTimeline(['pending', 'running', 'completed'], { run: { id: 'exec_handled' } });
  if (known === undefined) throw new Error('A run must have events.');
  const now = (): number => (clock ?? Date).now();
  const { headers, body } = signEvent(known, { secret: SECRET, now });
  expect(await receiver.receive({ method: 'POST', headers, body })).toMatchObject({
    code: 'duplicate',
  });
  await receiver.resume('cancelled');
  await receiver.redrive({});
  await receiver.replay({ runId: 'exec_handled' });
  await clock?.advance(60_000);
  await receiver.work();
  expect(handled.toSorted()).toEqual([
    'exec_dead failed',
    'exec_gap completed',
    'exec_handled completed',
    'exec_handled pending',
    'exec_handled running',
    'exec_paused cancelled',
    'exec_retry waiting',
  ]);
}
