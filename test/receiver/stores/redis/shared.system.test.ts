import { realClock } from '@hookproof/receiver';
import { redisStore } from '@hookproof/receiver/redis';
import { Cluster, Redis } from 'ioredis';
import { createClient, createCluster } from 'redis';
import { expect, it, onTestFinished } from 'vitest';

import { describeWith } from '../../../services/local-server.ts';
import { expectRememberedFromSignature } from '../clock-behind.ts';
import { expectCursors, expectQuarantined } from '../odd-texts.ts';
import { incoming, openStore, settleFirsts, take } from '../open-store.ts';
import { CLIENTS, freshName, sharedRedis } from './redis-server.ts';

describeWith('redis').each(Object.entries(CLIENTS))('Redis stores with %s', (_name, connect) => {
  it('share a name: one winner for each id, one holder for each job', async () => {
    const name = freshName();
    const url = await sharedRedis();
    const clients = await Promise.all([connect(url), connect(url)]);
    const stores = await Promise.all(
      clients.map((client) => openStore(redisStore({ client, name }))),
    );
    const ids = Array.from({ length: 100 }, (_, index) => `whev_${index}`);
    const outcomes = await Promise.all(
      stores.flatMap((store) => ids.map((id) => store.accept(incoming(id)))),
    );
    expect(outcomes.filter((outcome) => outcome === 'new')).toHaveLength(100);
    const taken = await Promise.all(
      stores.map((store, index) =>
        store.take({ holder: `holder ${index}`, inHand: [], limit: 70, leaseFor: 60_000 }),
      ),
    );
    const jobs = taken.flat().map(({ lease }) => lease.job);
    expect(new Set(jobs).size).toBe(jobs.length);
    expect(jobs).toHaveLength(100);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('of other names share nothing', async () => {
    const url = await sharedRedis();
    const one = await openStore(redisStore({ client: await connect(url), name: freshName() }));
    const other = await openStore(redisStore({ client: await connect(url), name: freshName() }));
    await one.accept(incoming('whev_1'));
    expect(await other.accept(incoming('whev_1'))).toBe('new');
    expect(await take(one)).toHaveLength(1);
    expect(await take(other)).toHaveLength(1);
    await Promise.all([one.close(), other.close()]);
  });

  it('wake each other when work becomes due, and not themselves', async () => {
    const name = freshName();
    const url = await sharedRedis();
    const wakes = { one: 0, other: 0 };
    const hosted = async (who: keyof typeof wakes) => {
      const store = redisStore({ client: await connect(url), name });
      const wake = () => void (wakes[who] += 1);
      await store.open({ clock: realClock(), wake, conflict: () => {} });
      onTestFinished(() => store.close());
      return store;
    };
    const one = await hosted('one');
    const other = await hosted('other');
    await one.accept(incoming('whev_1', { runId: 'exec_1' }));
    await expect.poll(() => wakes.other).toBe(1);
    const [job] = await take(other);
    if (job === undefined) throw new Error('A job must be due.');
    await one.accept(incoming('whev_2', { runId: 'exec_1' }));
    await other.finish(job.lease, [], { do: 'release', dueIn: null });
    await expect.poll(() => wakes.one).toBe(1);
    expect(wakes).toEqual({ one: 1, other: 1 });
  });

  it('keep every byte and every character', async () => {
    const client = await connect(await sharedRedis());
    const store = await openStore(redisStore({ client, name: freshName() }));
    const body = Uint8Array.from({ length: 512 }, (_, index) => index);
    const runId = 'exec_\n\0\u{1F600}:%s';
    await store.accept(incoming('whev_1', { body, runId }));
    const [job] = await take(store);
    expect(job?.runId).toBe(runId);
    expect([...(job?.open[0]?.body ?? [])]).toEqual([...body]);
    expect(await store.history(runId)).toHaveLength(1);
    expect((await store.inspect('whev_1'))?.runId).toBe(runId);
    await store.close();
  });

  it('read around a place more events than a command has arguments', async () => {
    const client = await CLIENTS.ioredis(await sharedRedis());
    const store = await openStore(redisStore({ client, name: freshName() }));
    onTestFinished(() => store.close());
    const count = 8_100;
    const ids = Array.from({ length: count }, (_, index) => `whev_${index}`);
    await Promise.all(ids.map((id) => store.accept(incoming(id, { runId: 'exec_1' }))));
    const [job] = await take(store);
    if (job === undefined) throw new Error('take() must return the run.');
    expect(await store.near(job.lease, '', count)).toHaveLength(count);
  });

  it('forget no event early that was accepted while the clock of the server was behind', async () => {
    const client = await connect(await sharedRedis());
    const store = await openStore(redisStore({ client, name: freshName() }));
    await expectRememberedFromSignature(store);
    await store.close();
  });

  it('leave nothing but counters after a purge', async () => {
    const client = await connect(await sharedRedis());
    const name = freshName();
    const store = await openStore(redisStore({ client, name }));
    for (const runId of ['exec_1', 'exec_2', ''])
      await store.accept(incoming(`whev_${runId}`, { runId }));
    await settleFirsts(store, true);
    await expect.poll(() => store.purge(0)).toBe(3);
    const admin = new Redis(await sharedRedis());
    onTestFinished(() => admin.disconnect());
    expect(await admin.keys(`*{hookproof:${name}}*`)).toEqual([
      expect.stringMatching(/\{hookproof:[\w-]+\}:meta$/),
    ]);
    await store.close();
  });
});

describeWith('redis')('redisStore', () => {
  it('refuses a client of another library', () => {
    expect(() => redisStore({ client: {} as never })).toThrow(
      'client must be a client of ioredis or redis, got another value.',
    );
    expect(() => redisStore({ client: null as never })).toThrow(TypeError);
  });

  it('refuses a cluster', () => {
    const ioredis = new Cluster([], { lazyConnect: true });
    expect(() => redisStore({ client: ioredis })).toThrow('got a cluster');
    const redis = createCluster({ rootNodes: [{ url: 'redis://127.0.0.1' }] });
    expect(() => redisStore({ client: redis as never })).toThrow('got a cluster');
  });

  it.each([{ name: '' }, { name: '{x}' }, { name: 'x'.repeat(65) }])(
    'refuses %o',
    async (options) => {
      const client = await CLIENTS.ioredis(await sharedRedis());
      expect(() => redisStore({ client, ...options })).toThrow('name must be 1 to 64 letters');
    },
  );

  it('refuses an unknown durability and an unknown option', async () => {
    const client = await CLIENTS.ioredis(await sharedRedis());
    expect(() => redisStore({ client, durability: 'none' as never })).toThrow(
      'durability must be "required" or "relaxed", got "none".',
    );
    expect(() => redisStore({ client, prefix: 'x' } as never)).toThrow(TypeError);
  });

  it('says when a client of redis is not connected', async () => {
    const client = createClient({ url: await sharedRedis() });
    await expect(openStore(redisStore({ client }))).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('closed'),
    });
  });

  it('rejects with store_closed before open() and after close()', async () => {
    const client = await CLIENTS.ioredis(await sharedRedis());
    const store = redisStore({ client, name: freshName() });
    await expect(store.accept(incoming('whev_1'))).rejects.toMatchObject({ code: 'store_closed' });
    await openStore(store);
    const last = store.accept(incoming('whev_1'));
    await store.close();
    expect(await last).toBe('new');
    await expect(store.stats()).rejects.toMatchObject({ code: 'store_closed' });
    await openStore(store);
    expect(await store.accept(incoming('whev_1'))).toBe('duplicate');
    await store.close();
  });
});

const newStore = async () =>
  redisStore({ client: await CLIENTS.ioredis(await sharedRedis()), name: freshName() });

describeWith('redis')('odd texts in Redis', () => {
  it('of run ids are quarantined, each on its own', async () =>
    expectQuarantined(await newStore()));

  it('that are no cursor are refused', async () => expectCursors(await newStore()));
});
