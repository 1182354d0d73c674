import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';

import { redisStore } from '@hookproof/receiver/redis';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished, vi } from 'vitest';

import { describeWith, startServer } from '../../../services/local-server.ts';
import { virtualClock } from '../../virtual-clock.ts';
import type { VirtualClock } from '../../virtual-clock.ts';
import { incoming, openStore, take } from '../open-store.ts';
import { CLIENTS, DURABLE } from './redis-server.ts';

/** Starts a server with these options and opens a store on it. */
async function open(options: readonly string[], durability?: 'required' | 'relaxed') {
  const server = await startServer('redis', options);
  onTestFinished(() => server.stop());
  const client = await CLIENTS.ioredis(server.url);
  const store = redisStore({ client, ...(durability === undefined ? {} : { durability }) });
  onTestFinished(() => store.close());
  const admin = new Redis(server.url, { retryStrategy: () => 20 });
  admin.on('error', () => undefined);
  onTestFinished(() => admin.disconnect());
  const opened = openStore(store);
  opened.catch(() => undefined);
  return { server, store, admin, opened };
}

const FORGETFUL: readonly (readonly [string, readonly string[]])[] = [
  ['appendonly must be yes, got no', ['appendonly', 'no']],
  ['appendfsync must be always, got no', ['appendfsync', 'no']],
  ['appendfsync must be always, got everysec', ['appendfsync', 'everysec']],
  ['no-appendfsync-on-rewrite must be no, got yes', ['no-appendfsync-on-rewrite', 'yes']],
  [
    'maxmemory-policy must be noeviction, got allkeys-lru',
    ['maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru'],
  ],
];

describeWith('redis')('the Redis store on a server that may forget', () => {
  it('refuses to open and names the setting', async () => {
    const { opened, store, admin } = await open(DURABLE);
    await opened;
    await store.close();
    const names = ['appendonly', 'appendfsync', 'no-appendfsync-on-rewrite', 'maxmemory'];
    const initial = await admin.config('GET', names[0] ?? '', ...names.slice(1));
    for (const [message, settings] of FORGETFUL) {
      await admin.call('CONFIG', 'SET', ...settings);
      const refused = expect(openStore(store)).rejects;
      const fix = "or accept the loss with durability: 'relaxed'.";
      await refused.toMatchObject({
        code: 'store_not_durable',
        message: expect.stringMatching(new RegExp(`${message}.*${fix}`)),
      });
      await admin.call('CONFIG', 'SET', ...initial);
    }
    await openStore(store);
  });

  it('refuses to open when it may not read the settings', async () => {
    const { opened } = await open([...DURABLE, '--rename-command', 'CONFIG', '']);
    await expect(opened).rejects.toMatchObject({
      code: 'store_not_durable',
      message: expect.stringContaining('CONFIG GET must work, got a refusal'),
    });
  });

  it('opens with relaxed durability', async () => {
    const { opened, store } = await open([], 'relaxed');
    await opened;
    expect(await store.accept(incoming('whev_1'))).toBe('new');
  });

  it('opens with policies that evict only keys which expire: it has none', async () => {
    const memory = ['--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru'];
    const { opened, store, admin } = await open([...DURABLE, ...memory]);
    await opened;
    await store.accept(incoming('whev_1', { runId: 'exec_1' }));
    await store.take({ holder: 'one', inHand: [], limit: 1, leaseFor: 60_000 });
    for (const key of await admin.keys('*')) expect(await admin.ttl(key)).toBe(-1);
  });

  it('checks again after a restart with other settings', async () => {
    const { opened, store, server, admin } = await open(DURABLE);
    await opened;
    await admin.config('SET', 'appendfsync', 'everysec');
    expect(await store.accept(incoming('whev_1'))).toBe('new');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal');
    await expect
      .poll(() => store.accept(incoming('whev_2')).catch((error: unknown) => error))
      .toMatchObject({ code: 'store_not_durable' });
    await server.crash();
    await server.restart();
    await expect
      .poll(() => store.accept(incoming('whev_1')).catch((error: unknown) => error))
      .toBe('duplicate');
  });

  it('refuses a replica', async () => {
    const { opened, store, admin, server } = await open(DURABLE);
    await opened;
    await store.close();
    await admin.replicaof('127.0.0.1', Number(new URL(server.url).port));
    await expect(openStore(store)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('must be a primary, got a slave'),
    });
  });
});

describeWith('redis')('the Redis store on a server that fails', () => {
  it('can close while it subscribes again and loses the connection once more', async () => {
    const server = await startServer('redis', DURABLE);
    onTestFinished(() => server.stop());
    const client = new Redis(server.url);
    onTestFinished(() => client.disconnect());
    const duplicate = vi.spyOn(client, 'duplicate');
    const store = await openStore(redisStore({ client }));
    const [wakes] = duplicate.mock.results.map(({ value }): Redis => value);
    const closed = new Promise<void>((resolve, reject) => {
      wakes?.once('ready', () => {
        store.close().then(resolve, reject);
        wakes.stream.destroy();
      });
    });
    await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await closed;
    // A rejection without a handler fails the run.
    await once(wakes ?? expect.unreachable(), 'end');
  });

  it('keeps what it accepted over a crash, rejects while it is down, and recovers', async () => {
    const { opened, store, server } = await open(DURABLE);
    await opened;
    await store.close();
    const clock = virtualClock();
    await openStore(store, clock);
    const ids = Array.from({ length: 300 }, (_, index) => `whev_${index}`);
    const accepted = Promise.allSettled(ids.map((id) => store.accept(incoming(id))));
    await server.crash();
    const outcomes = await pastDeadlines(clock, accepted);
    const [late] = await pastDeadlines(clock, Promise.allSettled([store.accept(incoming('late'))]));
    expect(late).toMatchObject({ reason: { code: 'store_unavailable' } });
    await server.restart();
    await expect.poll(() => store.stats().catch(() => null)).not.toBeNull();
    const jobs = await take(store, 1_000);
    const kept = new Set(jobs.flatMap(({ open: events }) => events.map(({ id }) => id)));
    const acknowledged = ids.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    expect(await store.accept(incoming('late'))).toBe('new');
  });

  it('knows its scripts again after the server forgot them', async () => {
    const { opened, store, admin } = await open(DURABLE);
    await opened;
    await store.accept(incoming('whev_1'));
    await admin.script('FLUSH');
    expect(await store.accept(incoming('whev_1'))).toBe('duplicate');
    expect(await take(store)).toHaveLength(1);
  });

  it('rejects with store_full when the memory is full, finishes work then, and shows no payload', async () => {
    const { opened, store, admin } = await open(DURABLE);
    await opened;
    await store.accept(incoming('whev_1', { runId: 'exec_1' }));
    await admin.config('SET', 'maxmemory', '1');
    const body = new TextEncoder().encode('CANARY');
    const refused = await store.accept(incoming('whev_2', { body })).catch((error) => error);
    expect(refused).toMatchObject({ code: 'store_full' });
    expect(inspect(refused, { depth: 9 })).not.toContain(inspect(Buffer.from(body)).slice(8, -1));
    expect(inspect(refused, { depth: 9 })).not.toContain('CANARY');
    const [job] = await take(store);
    const outcome = { id: 'whev_1', as: 'settled', runSettled: true, keepBodyFor: 0 } as const;
    const next = { do: 'release', dueIn: null } as const;
    if (job === undefined) throw new Error('A job must be due.');
    expect(await store.finish(job.lease, [outcome], next)).toMatchObject({ isHeld: true });
    await admin.config('SET', 'maxmemory', '0');
    expect(await store.accept(incoming('whev_2', { body }))).toBe('new');
  });

  it('rejects with store_unavailable when the server does not respond', async () => {
    const { opened, store, admin } = await open(DURABLE);
    await opened;
    await store.close();
    const clock = virtualClock();
    await openStore(store, clock);
    await store.accept(incoming('whev_0'));
    await admin.call('CLIENT', 'PAUSE', '600000', 'WRITE');
    const sent = clock.nextTimer(5_000);
    const refused = expect(store.accept(incoming('whev_1'))).rejects.toThrow(
      'Redis must run and respond, got no reply within 5 seconds.',
    );
    await sent;
    await clock.advance(5_000);
    await refused;
    await admin.call('CLIENT', 'UNPAUSE');
    expect(await store.accept(incoming('whev_1'))).toBe('duplicate');
  });

  it('refuses keys of another version', async () => {
    const { opened, store, admin } = await open(DURABLE);
    await opened;
    await store.close();
    await admin.hset('{hookproof:default}:meta', 'schema', '1');
    await expect(openStore(store)).rejects.toMatchObject({
      code: 'store_schema_mismatch',
      message:
        'The keys {hookproof:default}:* must be of this version of @hookproof/receiver, got those of ' +
        'another version. Let that version handle its events, then remove its keys, or give the store ' +
        'another name.',
    });
  });
});

const WAITING = Symbol('waiting');

/** Advances the clock over the deadlines of calls that get no reply, until a promise settles. */
async function pastDeadlines<Value>(clock: VirtualClock, promise: Promise<Value>): Promise<Value> {
  for (;;) {
    const turn = clock.advance(1_000).then(() => setImmediate<typeof WAITING>(WAITING));
    const first = await Promise.race([promise, turn]);
    if (first !== WAITING) return first;
  }
}
