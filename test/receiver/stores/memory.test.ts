import { memoryStore } from '@hookproof/receiver/memory';
import { describe, expect, it } from 'vitest';

import { storeContract } from './store-contract.ts';

const incoming = (id: string, length: number) => ({
  id,
  body: new Uint8Array(length),
  timestamp: 1,
  receivedAt: 1,
});

storeContract('memoryStore', async () => memoryStore());

describe('memoryStore', () => {
  it('says so when it holds as many events as it may', async () => {
    const store = memoryStore({ maxEvents: 1 });
    await store.accept(incoming('a', 1));
    await expect(store.accept(incoming('b', 1))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'store_full',
      message:
        'The memory store is full: 2 events would be more than 1. Raise maxEvents, ' +
        'shorten the retention, or use the SQLite store.',
    });
    expect(await store.accept(incoming('a', 1))).toBe('duplicate');
  });

  it('counts the bytes of bodies, which a settled event gives back', async () => {
    const store = memoryStore({ maxBytes: 10 });
    await store.accept(incoming('a', 8));
    await expect(store.accept(incoming('b', 3))).rejects.toMatchObject({ code: 'store_full' });
    const [work] = await store.lease({ now: 1, until: 2, limit: 1 });
    if (work !== undefined) await store.settle(work.lease, 'a', { runSettled: false });
    expect(await store.accept(incoming('b', 3))).toBe('new');
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses %s as a bound', (maxEvents) => {
    expect(() => memoryStore({ maxEvents })).toThrow(
      new TypeError(`maxEvents must be a positive whole number, not ${maxEvents}`),
    );
  });
});
