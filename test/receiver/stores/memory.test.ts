import type { Outcome, Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { storeContract } from '@hookproof/receiver/store-contract';
import { describe, expect, it, test } from 'vitest';

import { virtualClock } from '../virtual-clock.ts';
import { incoming, take } from './open-store.ts';

/** Accepts an event, handles it as said, and releases its job. */
async function handle(
  store: Store,
  id: string,
  runId = '',
  as: Outcome = settled(id),
): Promise<void> {
  await store.accept(incoming(id, { runId, body: new Uint8Array(1) }));
  const [job] = await take(store, 1);
  if (job === undefined) throw new Error('nothing to take');
  await store.finish(job.lease, [as], { do: 'release', dueIn: null });
}

function settled(id: string): Extract<Outcome, { as: 'settled' }> {
  return { id, as: 'settled', runSettled: true, keepBodyFor: 0 };
}

const ofLength = (length: number) => ({ body: new Uint8Array(length) });

describe('memoryStore, as every store', () => {
  const clock = virtualClock();
  const elapse = (milliseconds: number) => clock.advance(milliseconds);
  storeContract({ test, create: () => memoryStore(), clock, elapse });
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
        'raise maxEvents, or use the SQLite store.',
    });
    expect(await store.accept(incoming('a', ofLength(1)))).toBe('duplicate');
  });

  it('accepts any number of events while they are handled', async () => {
    const store = memoryStore({ maxEvents: 1, maxHandled: 10 });
    for (let count = 0; count < 1_000; count += 1) await handle(store, `whev_${count}`);
    expect(await store.accept(incoming('whev_990', ofLength(1)))).toBe('duplicate');
    expect(await store.accept(incoming('whev_989', ofLength(1)))).toBe('new');
  });

  it('deletes kept bodies, the oldest first, where maxBytes needs the room', async () => {
    const store = memoryStore({ maxBytes: 2 });
    for (const id of ['whev_1', 'whev_2']) {
      await handle(store, id, '', { ...settled(id), keepBodyFor: 60_000 });
    }
    expect(await store.replay({}, { dryRun: true })).toBe(2);
    expect(await store.accept(incoming('whev_3', ofLength(1)))).toBe('new');
    expect((await store.inspect('whev_1'))?.keptUntil).toBeNull();
    expect(await store.replay({}, { dryRun: false })).toBe(1);
    await expect(store.accept(incoming('whev_4', ofLength(1)))).rejects.toMatchObject({
      code: 'store_full',
    });
  });

  it('replays nothing when the open events would exceed maxEvents', async () => {
    const store = memoryStore({ maxEvents: 1 });
    for (const id of ['whev_1', 'whev_2']) {
      await handle(store, id, '', { ...settled(id), keepBodyFor: 60_000 });
    }
    await expect(store.replay({}, { dryRun: false })).rejects.toMatchObject({ code: 'store_full' });
    expect(await store.stats()).toMatchObject({ open: 0, settled: 2 });
    expect(await store.replay({ ids: ['whev_1'] }, { dryRun: false })).toBe(1);
  });

  it('forgets whole runs, the longest untouched one first', async () => {
    const store = memoryStore({ maxHandled: 4 });
    await handle(store, 'a1', 'exec_a');
    await handle(store, 'b1', 'exec_b');
    await handle(store, 'b2', 'exec_b');
    await handle(store, 'a2', 'exec_a');
    await handle(store, 'c1', 'exec_c');
    const outcomes = ['a1', 'a2', 'c1', 'b1', 'b2'].map((id) =>
      store.accept(incoming(id, ofLength(1))),
    );
    expect(await Promise.all(outcomes)).toEqual([
      'duplicate',
      'duplicate',
      'duplicate',
      'new',
      'new',
    ]);
  });

  it('never forgets a dead letter or the other events of its run', async () => {
    const store = memoryStore({ maxEvents: 2, maxHandled: 1 });
    await handle(store, 'a1', 'exec_a');
    const reason = 'handler_failed';
    await handle(store, 'a2', 'exec_a', {
      id: 'a2',
      as: 'dead',
      reason,
      error: 'x',
      isFailure: true,
    });
    for (let count = 0; count < 10; count += 1) await handle(store, `whev_${count}`);
    expect(await store.accept(incoming('a1', ofLength(1)))).toBe('duplicate');
    expect(await store.redrive({ ids: ['a2'] })).toBe(1);
    expect(await take(store, 1)).toMatchObject([
      { open: [{ id: 'a2' }], known: [{ state: 'settled' }, { state: 'open' }] },
    ]);
  });

  it('forgets with a run that it was settled', async () => {
    const store = memoryStore({ maxHandled: 1 });
    await handle(store, 'a1', 'exec_a');
    await handle(store, 'b1', 'exec_b');
    await store.accept(incoming('a1', { runId: 'exec_a' }));
    expect(await take(store)).toMatchObject([{ isRunSettled: false }]);
  });

  it('counts the bytes of bodies until their events are settled', async () => {
    const store = memoryStore({ maxBytes: 10 });
    await store.accept(incoming('a', ofLength(8)));
    await expect(store.accept(incoming('b', ofLength(3)))).rejects.toMatchObject({
      code: 'store_full',
    });
    const [job] = await take(store, 1);
    if (job !== undefined) {
      await store.finish(job.lease, [settled('a')], { do: 'release', dueIn: null });
    }
    expect(await store.accept(incoming('b', ofLength(3)))).toBe('new');
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses maxEvents=%s', (maxEvents) => {
    expect(() => memoryStore({ maxEvents })).toThrow(
      new TypeError(`maxEvents must be a positive integer, got ${maxEvents}.`),
    );
  });
});
