import { memoryStore } from '@hookproof/receiver/memory';
import { describe, expect, it } from 'vitest';

import type { Outcome, Store } from '../../../receiver/src/stores/store.ts';
import { virtualClock } from '../virtual-clock.ts';
import { dead, handled, kept, openIn, RELEASE } from './contract/kit.ts';
import { storeContract } from './contract/store-contract.ts';
import { incoming, take } from './open-store.ts';

/** Accepts an event, handles it as said, and releases its job. */
async function handle(
  store: Store,
  id: string,
  key: string | null = null,
  outcome: Outcome = handled(id, true),
): Promise<void> {
  await store.accept(incoming(id, { key, body: new Uint8Array(1) }));
  const [job] = await take(store, 1);
  if (job === undefined) throw new Error('nothing to take');
  await store.finish(job.lease, [outcome], RELEASE);
}

const ofLength = (length: number) => ({ body: new Uint8Array(length) });
const MEGABYTE = 1024 * 1024;

describe('memoryStore, as every store', () => {
  const clock = virtualClock();
  const elapse = (milliseconds: number) => clock.advance(milliseconds);
  storeContract({ create: () => memoryStore(), clock, elapse });
});

describe('memoryStore', () => {
  it('refuses events above maxEvents with store_full', async () => {
    const store = memoryStore({ maxEvents: 1 });
    await store.accept(incoming('a', ofLength(1)));
    await expect(store.accept(incoming('b', ofLength(1)))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'store_full',
      message:
        'The memory store must hold at most 1 unhandled events (maxEvents), got 2. Check deadLetters(), ' +
        'or use the SQLite store.',
    });
    expect(await store.accept(incoming('a', ofLength(1)))).toBe('duplicate');
  });

  it('accepts any number of events while they are handled, and forgets whole runs, the first one first', async () => {
    const store = memoryStore({ maxEvents: 1_001 });
    await handle(store, 'a1', 'exec_a');
    await handle(store, 'dead', 'exec_dead', dead('dead'));
    await handle(store, 'b1', 'exec_b');
    await handle(store, 'a2', 'exec_a');
    // It keeps 100,000 handled events.
    for (let count = 0; count < 100_000 - 2; count += 1_000) {
      const left = Math.min(1_000, 100_000 - 2 - count);
      const ids = Array.from({ length: left }, (_, index) => `whev_${count + index}`);
      await Promise.all(ids.map((id) => store.accept(incoming(id, ofLength(1)))));
      const jobs = await take(store, left);
      const finished = jobs.map((job) =>
        store.finish(
          job.lease,
          openIn(job).map((id) => handled(id, true)),
          RELEASE,
        ),
      );
      await Promise.all(finished);
    }
    const ids = ['a1', 'a2', 'dead', 'whev_0', 'b1'];
    const outcomes = ids.map((id) => store.accept(incoming(id, ofLength(1))));
    expect(await Promise.all(outcomes)).toEqual(
      ids.map((id) => (id === 'b1' ? 'new' : 'duplicate')),
    );
    expect(await store.change('redrive', { ids: ['dead'] }, { dryRun: false })).toBe(1);
  });

  it('counts the bytes of bodies until their events are handled', async () => {
    const store = memoryStore();
    await store.accept(incoming('a', ofLength(60 * MEGABYTE)));
    await expect(store.accept(incoming('b', ofLength(5 * MEGABYTE)))).rejects.toMatchObject({
      code: 'store_full',
    });
    const [job] = await take(store, 1);
    if (job !== undefined) await store.finish(job.lease, [handled('a')], RELEASE);
    expect(await store.accept(incoming('b', ofLength(5 * MEGABYTE)))).toBe('new');
  });

  it('deletes kept bodies where their room is needed', async () => {
    const store = memoryStore();
    await store.accept(incoming('a', ofLength(60 * MEGABYTE)));
    const [job] = await take(store, 1);
    if (job !== undefined) await store.finish(job.lease, [kept('a')], RELEASE);
    expect(await store.change('replay', {}, { dryRun: true })).toBe(1);
    expect(await store.accept(incoming('b', ofLength(5 * MEGABYTE)))).toBe('new');
    expect(await store.change('replay', {}, { dryRun: true })).toBe(0);
  });

  it('replays nothing when the open events would exceed maxEvents', async () => {
    const store = memoryStore({ maxEvents: 1 });
    for (const id of ['whev_1', 'whev_2']) await handle(store, id, null, kept(id));
    const replay = (ids?: readonly string[]) =>
      store.change('replay', { ...(ids && { ids }) }, { dryRun: false });
    await expect(replay()).rejects.toMatchObject({ code: 'store_full' });
    expect(await store.stats()).toMatchObject({ open: 0 });
    expect(await replay(['whev_1'])).toBe(1);
    expect((await take(store)).map(openIn)).toEqual([['whev_1']]);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses maxEvents=%s', (maxEvents) => {
    expect(() => memoryStore({ maxEvents })).toThrow(
      new TypeError(`maxEvents must be a positive integer, got ${maxEvents}.`),
    );
  });

  it('refuses an unknown option', () => {
    expect(() => memoryStore({ maxBytes: 1 } as object)).toThrow(TypeError);
  });
});
