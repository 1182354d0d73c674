import { memoryStore } from '@hookproof/receiver/memory';
import { runTimeline } from '@hookproof/receiver/testing';
import { expect, it } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

const RUNS = 300;
const STATUSES = ['pending', 'running', 'waiting', 'running', 'completed'] as const;

it('hands every run over in order after an hour in which nothing was handled', async () => {
  const store = memoryStore();
  const accepting = await startedReceiver({ store: { ...store } }, { work: false });
  const { clock } = accepting;
  const runs = Array.from({ length: RUNS }, (_, index) =>
    runTimeline(STATUSES, { run: { id: `exec_${index}` } }),
  );
  // Each run arrives as its last event first, so that every event waits for an earlier one.
  for (let step = STATUSES.length - 1; step >= 0; step -= 1) {
    await accepting.deliver(...runs.flatMap((run) => run[step] ?? []));
  }
  await clock.advance(3_600_000);
  const { handled, settled, handledIds } = await startedReceiver({ store, clock, mode: 'ordered' });
  await expect.poll(() => settled.length).toBe(RUNS);
  for (const run of runs) {
    const ids = run.map(({ id }) => id);
    expect(handledIds().filter((id) => ids.includes(id))).toEqual(ids);
  }
  expect(handled).toHaveLength(RUNS * STATUSES.length);
  expect(handled.flatMap(({ missing }) => missing)).toEqual([]);
});
