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

const READS: ReadonlySet<unknown> = new Set(['take', 'news', 'waiting', 'near', 'history']);

/** Returns how many events the store returns while the last one of a run is handled. */
async function readForLastOf(count: number): Promise<number> {
  let read = 0;
  const store = new Proxy(memoryStore(), {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (!READS.has(name) || typeof member !== 'function') return member;
      return async (...values: readonly unknown[]): Promise<unknown> => {
        const result: unknown = await Reflect.apply(member, target, values);
        read += JSON.stringify(result).split('"previousStatus"').length - 1;
        return result;
      };
    },
  });
  const handled: string[] = [];
  const handlers = { event: ({ id }: { readonly id: string }) => handled.push(id) };
  const options = { mode: 'ordered', roundTripGraceMilliseconds: 0 } as const;
  const processor = createProcessor({ store, handlers, ...options });
  onTestFinished(() => processor.close());
  await processor.start();
  const run = runTimeline(
    Array.from({ length: count }, (_, place) => (place % 2 === 0 ? 'running' : 'waiting')),
  );
  for (const event of run) {
    read = 0;
    const body = Buffer.from(JSON.stringify(event));
    await processor.process({ id: event.id, body, timestamp: 1 });
    await processor.idle();
  }
  expect(handled.length).toBe(count);
  return read;
}

it('reads as many events of a long run as of a short one to handle its next event', async () => {
  const short = await readForLastOf(60);
  expect(short).toBeGreaterThan(0);
  expect(await readForLastOf(1_000)).toBe(short);
});
