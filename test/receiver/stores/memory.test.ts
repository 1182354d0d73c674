import type { LeasedWork, Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { describe, expect, it } from 'vitest';

import { storeContract } from './store-contract.ts';

const incoming = (id: string, length: number) => ({
  id,
  body: new Uint8Array(length),
  timestamp: 1,
  receivedAt: 1,
});

/** Accepts an event, assigns it to its run if it has one, and leases the work. */
async function placed(store: Store, id: string, runId?: string): Promise<LeasedWork> {
  await store.accept(incoming(id, 1));
  if (runId !== undefined) {
    const { lease } = await leased(store);
    const createdAt = '2026-07-01T00:00:00.000Z';
    await store.place(lease, id, runId, {
      id,
      previousStatus: null,
      currentStatus: 'x',
      createdAt,
    });
  }
  return leased(store);
}

async function leased(store: Store): Promise<LeasedWork> {
  const [work] = await store.lease({ now: 1, until: 2, limit: 1 });
  if (work === undefined) throw new Error('nothing to lease');
  return work;
}

async function handle(store: Store, id: string, runId?: string): Promise<void> {
  const { lease } = await placed(store, id, runId);
  expect(await store.settle(lease, id, { runSettled: true })).toBe(true);
  await store.release(lease);
}

storeContract('memoryStore', async () => memoryStore());

describe('memoryStore', () => {
  it('refuses events above maxEvents with store_full', async () => {
    const store = memoryStore({ maxEvents: 1 });
    await store.accept(incoming('a', 1));
    await expect(store.accept(incoming('b', 1))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'store_full',
      message:
        'The memory store must hold at most 1 unhandled events (maxEvents), got 2. Check deadLetters(), ' +
        'raise maxEvents, or use the SQLite store.',
    });
    expect(await store.accept(incoming('a', 1))).toBe('duplicate');
  });

  it('accepts any number of events while they are handled', async () => {
    const store = memoryStore({ maxEvents: 1, maxHandled: 10 });
    for (let count = 0; count < 1_000; count += 1) await handle(store, `whev_${count}`);
    expect(await store.accept(incoming('whev_990', 1))).toBe('duplicate');
    expect(await store.accept(incoming('whev_989', 1))).toBe('new');
  });

  it('forgets whole runs, the longest untouched one first', async () => {
    const store = memoryStore({ maxHandled: 4 });
    await handle(store, 'a1', 'run_a');
    await handle(store, 'b1', 'run_b');
    await handle(store, 'b2', 'run_b');
    await handle(store, 'a2', 'run_a');
    await handle(store, 'c1', 'run_c');
    const outcomes = ['a1', 'a2', 'c1', 'b1', 'b2'].map((id) => store.accept(incoming(id, 1)));
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
    await handle(store, 'a1', 'run_a');
    const { lease } = await placed(store, 'a2', 'run_a');
    await store.deadLetter(lease, 'a2', { reason: 'handler_failed', error: 'x' });
    await store.release(lease);
    for (let count = 0; count < 10; count += 1) await handle(store, `whev_${count}`);
    expect(await store.accept(incoming('a1', 1))).toBe('duplicate');
    expect(await store.redrive('a2', 1)).toBe(true);
    expect(await store.lease({ now: 1, until: 2, limit: 1 })).toMatchObject([
      { open: [{ id: 'a2' }], known: [{ state: 'settled' }, { state: 'open' }] },
    ]);
  });

  it('forgets with a run that it was settled', async () => {
    const store = memoryStore({ maxHandled: 1 });
    await handle(store, 'a1', 'run_a');
    await handle(store, 'b1', 'run_b');
    expect(await placed(store, 'a1', 'run_a')).toMatchObject({ isRunSettled: false });
  });

  it('counts the bytes of bodies until their events are settled', async () => {
    const store = memoryStore({ maxBytes: 10 });
    await store.accept(incoming('a', 8));
    await expect(store.accept(incoming('b', 3))).rejects.toMatchObject({ code: 'store_full' });
    const [work] = await store.lease({ now: 1, until: 2, limit: 1 });
    if (work !== undefined) await store.settle(work.lease, 'a', { runSettled: false });
    expect(await store.accept(incoming('b', 3))).toBe('new');
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses maxEvents=%s', (maxEvents) => {
    expect(() => memoryStore({ maxEvents })).toThrow(
      new TypeError(`maxEvents must be a positive integer, got ${maxEvents}.`),
    );
  });
});
