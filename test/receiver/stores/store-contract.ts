import type { Lease, Store } from '@hookproof/receiver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const encoder = new TextEncoder();
const incoming = (id: string, body = `{"id":"${id}"}`, receivedAt = 1_000) => ({
  id,
  body: encoder.encode(body),
  timestamp: 1,
  receivedAt,
});
const edge = (id: string, previousStatus: string | null = null, currentStatus = 'pending') => ({
  id,
  previousStatus,
  currentStatus,
  createdAt: '2026-07-01T00:00:00.000Z',
});
const runSettled = false;

/** The promises of every store. `make` returns a new store. */
export function storeContract(name: string, make: () => Promise<Store>): void {
  describe(`${name}, as every store`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await make();
      await store.open();
    });
    afterEach(() => store.close());

    const lease = (now = 2_000, limit = 10, until = now + 100) =>
      store.lease({ now, until, limit });
    const leaseOne = async (now?: number) => {
      const [work] = await lease(now, 1);
      if (work === undefined) throw new Error('nothing to lease');
      return work;
    };
    /** Accepts an event and assigns it to a run. */
    const place = async (id: string, runId: string, receivedAt = 1_000) => {
      await store.accept(incoming(id, undefined, receivedAt));
      const works = await lease(receivedAt, 100, receivedAt + 1);
      for (const { lease: held, open, runId: known } of works) {
        if (known === null && open[0]?.id === id) {
          expect(await store.place(held, id, runId, edge(id))).toBe(true);
        } else await store.release(held);
      }
    };

    it('separates new, duplicate and conflict, also after the event is settled', async () => {
      expect(await store.accept(incoming('whev_1'))).toBe('new');
      expect(await store.accept(incoming('whev_1'))).toBe('duplicate');
      expect(await store.accept(incoming('whev_1', 'other'))).toBe('conflict');
      const { lease: held } = await leaseOne();
      expect(await store.settle(held, 'whev_1', { runSettled })).toBe(true);
      expect(await store.accept(incoming('whev_1'))).toBe('duplicate');
      expect(await store.accept(incoming('whev_1', 'other'))).toBe('conflict');
    });

    it('accepts an id once from many simultaneous calls', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () => store.accept(incoming('whev_1'))),
      );
      expect(outcomes.toSorted()).toEqual([...Array(49).fill('duplicate'), 'new']);
    });

    it('keeps a copy of the bytes and returns it unchanged', async () => {
      const body = Uint8Array.from([0, 255, 0xc3, 0x28, 10]);
      await store.accept({ id: 'whev_1', body, timestamp: 1, receivedAt: 1_000 });
      body.fill(7);
      const { open } = await leaseOne();
      expect(Array.from(open[0]?.body ?? [])).toEqual([0, 255, 0xc3, 0x28, 10]);
    });

    it('leases a single event until its run is known, then the run with all its events', async () => {
      await store.accept(incoming('whev_1'));
      const single = await leaseOne();
      expect(single).toMatchObject({ runId: null, known: [], isRunSettled: false });
      expect(single.open).toMatchObject([{ id: 'whev_1', receivedAt: 1_000, attempts: 0 }]);
      expect(await store.place(single.lease, 'whev_1', 'run_1', edge('whev_1'))).toBe(true);
      await place('whev_2', 'run_1');
      const run = await leaseOne();
      expect(run.runId).toBe('run_1');
      expect(run.open.map(({ id }) => id)).toEqual(['whev_1', 'whev_2']);
      expect(run.known).toEqual([
        { edge: edge('whev_1'), state: 'open' },
        { edge: edge('whev_2'), state: 'open' },
      ]);
      await store.settle(run.lease, 'whev_1', { runSettled: true });
      await store.release(run.lease);
      expect(await leaseOne()).toMatchObject({
        open: [{ id: 'whev_2' }],
        known: [{ state: 'settled' }, { state: 'open' }],
        isRunSettled: true,
      });
    });

    it('separates a run and an event of the same name', async () => {
      await store.accept(incoming('x'));
      await place('whev_1', 'x');
      const works = await lease();
      expect(new Set(works.map(({ runId }) => runId))).toEqual(new Set(['x', null]));
    });

    it('leases each due work once, up to the limit', async () => {
      for (const id of ['a', 'b', 'c']) await store.accept(incoming(id));
      await store.accept(incoming('later', undefined, 9_000));
      expect(await lease(2_000, 2)).toHaveLength(2);
      expect(await lease(2_000, 2)).toHaveLength(1);
      expect(await lease(2_000, 2)).toEqual([]);
      expect(await store.nextDue(2_000)).toBe(2_100);
    });

    it('leases work again when its lease has expired, and ignores the old holder', async () => {
      await place('whev_1', 'run_1');
      const old = await leaseOne(2_000);
      expect(await lease(2_099)).toEqual([]);
      const current = await leaseOne(2_100);
      expect(current.lease.token).toBeGreaterThan(old.lease.token);
      const failure = { dueAt: 0, error: 'x' };
      const reason = 'handler_failed' as const;
      expect(await store.start(old.lease, 'whev_1')).toBe(false);
      expect(await store.settle(old.lease, 'whev_1', { runSettled })).toBe(false);
      expect(await store.recordFailure(old.lease, 'whev_1', failure)).toBe(false);
      expect(await store.deadLetter(old.lease, 'whev_1', { reason, error: 'x' })).toBe(false);
      expect(await store.place(old.lease, 'whev_1', 'run_2', edge('whev_1'))).toBe(false);
      expect(await store.renew(old.lease, 9_000)).toBe(false);
      expect(await store.release(old.lease)).toBe(false);
      expect(await store.settle(current.lease, 'whev_1', { runSettled })).toBe(true);
    });

    it('renews and releases a lease', async () => {
      await store.accept(incoming('whev_1'));
      const { lease: held } = await leaseOne(2_000);
      expect(await store.renew(held, 5_000)).toBe(true);
      expect(await lease(4_999)).toEqual([]);
      expect(await store.release(held)).toBe(true);
      expect(await lease(2_000)).toHaveLength(1);
    });

    it('leases a released event not before its due time', async () => {
      await place('whev_1', 'run_1');
      const { lease: held } = await leaseOne();
      await store.release(held, { ids: ['whev_1'], dueAt: 60_000 });
      expect(await lease(59_999)).toEqual([]);
      expect(await store.nextDue(2_000)).toBe(60_000);
      expect(await lease(60_000)).toHaveLength(1);
    });

    it('moves a due time forward', async () => {
      await place('whev_1', 'run_1');
      await store.release((await leaseOne(2_000)).lease, { ids: ['whev_1'], dueAt: 60_000 });
      await store.release((await leaseOne(60_000)).lease, { ids: ['whev_1'], dueAt: 5_000 });
      expect(await store.nextDue(2_000)).toBe(5_000);
      expect(await lease(5_000)).toHaveLength(1);
    });

    it('leases a waiting run at once when another of its events arrives', async () => {
      await place('whev_1', 'run_1');
      const { lease: held } = await leaseOne();
      await store.release(held, { ids: ['whev_1'], dueAt: 60_000 });
      await place('whev_2', 'run_1');
      expect((await leaseOne()).open.map(({ id }) => id)).toEqual(['whev_1', 'whev_2']);
    });

    it('counts failures, and starts without a result', async () => {
      await place('whev_1', 'run_1');
      const first = await leaseOne(2_000);
      await store.start(first.lease, 'whev_1');
      const second = await leaseOne(3_000);
      expect(second.open).toMatchObject([{ attempts: 0, starts: 1 }]);
      await store.start(second.lease, 'whev_1');
      await store.recordFailure(second.lease, 'whev_1', { dueAt: 4_000, error: 'no' });
      await store.release(second.lease);
      expect(await lease(3_999)).toEqual([]);
      expect((await leaseOne(4_000)).open).toMatchObject([
        { attempts: 1, starts: 0, dueAt: 4_000 },
      ]);
    });

    it('keeps dead letters, lists them and opens one again', async () => {
      await place('whev_1', 'run_1');
      const { lease: held } = await leaseOne();
      await store.recordFailure(held, 'whev_1', { dueAt: 0, error: 'first' });
      await store.deadLetter(held, 'whev_1', { reason: 'event_poisoned', error: 'why' });
      await store.release(held);
      expect(await lease()).toEqual([]);
      const letter = { id: 'whev_1', runId: 'run_1', receivedAt: 1_000, attempts: 1 };
      expect(await store.deadLetters()).toEqual([
        { ...letter, reason: 'event_poisoned', error: 'why' },
      ]);
      expect(await store.accept(incoming('whev_1'))).toBe('duplicate');
      expect(await store.redrive('whev_1', 5_000)).toBe(true);
      expect(await store.redrive('whev_1', 5_000)).toBe(false);
      expect(await store.redrive('unknown', 5_000)).toBe(false);
      expect(await store.deadLetters()).toEqual([]);
      expect((await leaseOne(5_000)).open).toMatchObject([{ attempts: 0, starts: 0 }]);
    });

    it('purges old settled events, and never a part of a run or a dead letter', async () => {
      const settle = async (held: Lease, id: string) => {
        await store.settle(held, id, { runSettled: true });
        await store.release(held);
      };
      await store.accept(incoming('single'));
      await settle((await leaseOne()).lease, 'single');
      await place('old', 'run_1');
      await settle((await leaseOne()).lease, 'old');
      await place('older', 'run_2');
      await place('newer', 'run_2', 50_000);
      const { lease: held } = await leaseOne(50_000);
      await store.settle(held, 'older', { runSettled: false });
      await settle(held, 'newer');
      await place('dead', 'run_3');
      const dead = await leaseOne();
      await store.deadLetter(dead.lease, 'dead', { reason: 'handler_failed', error: 'x' });
      await store.release(dead.lease);
      expect(await store.purge(40_000)).toBe(2);
      expect(await store.purge(40_000)).toBe(0);
      expect(await store.accept(incoming('old'))).toBe('new');
      expect(await store.accept(incoming('single'))).toBe('new');
      expect(await store.accept(incoming('older'))).toBe('duplicate');
      expect(await store.accept(incoming('dead'))).toBe('duplicate');
      await place('again', 'run_1');
      const works = await lease(60_000);
      expect(works.find(({ runId }) => runId === 'run_1')?.isRunSettled).toBe(false);
    });
  });
}
