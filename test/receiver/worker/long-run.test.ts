import { createProcessor } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runTimeline } from '@hookproof/receiver/testing';
import { expect, it, onTestFinished } from 'vitest';

const EVENTS = 2_000;

it('hands over a run of many events in order, and lets other work of the app in between', async () => {
  const run = runTimeline(
    Array.from({ length: EVENTS }, (_, place) => (place % 2 === 0 ? 'running' : 'waiting')),
  );
  const ids: string[] = [];
  const processor = createProcessor({
    store: memoryStore(),
    mode: 'ordered',
    roundTripGraceMilliseconds: 0,
    handlers: { event: ({ id }) => ids.push(id) },
  });
  onTestFinished(() => processor.close());
  await processor.start({ work: false });
  for (const event of run.toReversed()) {
    const body = Buffer.from(JSON.stringify(event));
    await processor.process({ id: event.id, body, timestamp: 1 });
  }
  const handledAt = new Set<number>();
  const timer = setInterval(() => handledAt.add(ids.length), 1);
  onTestFinished(() => clearInterval(timer));
  await processor.work();
  expect(ids).toEqual(run.map(({ id }) => id));
  const between = [...handledAt].filter((count) => count > 0 && count < EVENTS);
  expect(between).not.toEqual([]);
});
