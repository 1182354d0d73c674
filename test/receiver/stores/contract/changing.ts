import assert from 'node:assert/strict';

import type { EventFilter } from '../../../../receiver/src/stores/store.ts';
import {
  AGAIN,
  bytes,
  dead,
  failed,
  handled,
  hold,
  kept,
  keyed,
  LONG,
  openIn,
  RELEASE,
  single,
  SOURCE,
} from './kit.ts';
import type { Kit, StoreTest } from './kit.ts';

const NOW = { dryRun: false } as const;
const DRY = { dryRun: true } as const;
const DAY_SECONDS = 86_400;

/** Accepts events of a key, and handles them with bodies that are kept. */
async function handleAll(kit: Kit, key: string, ...ids: readonly string[]): Promise<void> {
  await kit.acceptAll(key, ...ids);
  await kit.handle(ids.map((id) => kept(id)));
}

/** What `change`, `setPaused` and `purge` promise. */
export const CHANGING: Readonly<Record<string, StoreTest>> = {
  'opens dead letters again by a filter, without failures': async (kit) => {
    const { store } = kit;
    for (const id of ['whev_1', 'whev_2', 'whev_3']) {
      await kit.acceptAll(`exec_${id}`, id);
      await kit.handle([failed(id, 0)], AGAIN);
      await kit.handle([dead(id)]);
    }
    assert.equal(await store.change('redrive', { ids: ['unknown'] }, NOW), 0);
    assert.equal(await store.change('redrive', { reason: 'event_poisoned' }, NOW), 0);
    assert.equal(await store.change('redrive', {}, DRY), 3);
    assert.deepEqual(await kit.take(), []);
    const first = { ids: ['whev_1'], reason: 'handler_failed' } as const;
    assert.equal(await store.change('redrive', first, NOW), 1);
    assert.equal(await store.change('redrive', { key: 'exec_whev_2' }, NOW), 1);
    assert.equal(await store.change('redrive', { message: 'why' }, NOW), 1);
    assert.equal(await store.change('redrive', {}, NOW), 0);
    const opened = (await kit.take()).flatMap(({ events }) => events);
    assert.deepEqual(
      opened.map(({ open }) => [open?.attempts, open?.crashes, open?.failingFor]),
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    );
    const record = await kit.inspect('whev_1');
    assert.deepEqual([record?.firstFailedAt, record?.failures.length], [null, 1]);
  },

  'counts the ends of the process that made an event a dead letter': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1');
    const { lease } = await kit.takeOne({ leaseFor: 1 });
    await store.begin(lease, 'whev_1');
    await kit.elapse(30);
    const other = await kit.takeOne({ holder: 'two' });
    await store.finish(other.lease, [dead('whev_1')], RELEASE);
    assert.equal((await kit.inspect('whev_1'))?.crashes, 1);
    await store.change('redrive', {}, NOW);
    await kit.handle([dead('whev_1')]);
    assert.equal((await kit.inspect('whev_1'))?.crashes, 0);
  },

  'makes a job due when its dead letter is opened during a lease': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.handle([dead('whev_1')]);
    await kit.acceptAll('exec_1', 'whev_2');
    const { lease } = await kit.takeOne();
    assert.equal(await store.change('redrive', { ids: ['whev_1'] }, NOW), 1);
    // What the holder reads of new events is not what was opened again.
    await kit.acceptAll('exec_1', 'whev_3');
    await store.events(lease, 2);
    await store.finish(lease, [handled('whev_2'), handled('whev_3')], RELEASE);
    assert.deepEqual(openIn(await kit.takeOne()), ['whev_1']);
  },

  'discards dead letters and still knows their ids': async (kit) => {
    const { store } = kit;
    for (const id of ['whev_1', 'whev_2']) await store.accept(single(id));
    assert.equal(await store.change('discard', {}, NOW), 0);
    for (const { lease, events } of await kit.take()) {
      await store.finish(lease, [dead(events[0]?.id ?? '')], RELEASE);
    }
    assert.equal(await store.change('discard', { ids: ['whev_1'] }, DRY), 1);
    assert.equal(await store.change('discard', { ids: ['whev_1'] }, NOW), 1);
    assert.equal(await store.change('discard', { ids: ['whev_1'] }, NOW), 0);
    assert.equal((await kit.list({ state: 'dead' })).length, 1);
    const discarded = await kit.inspect('whev_1');
    assert.deepEqual([discarded?.state, discarded?.reason], ['handled', null]);
    assert.equal(typeof discarded?.handledAt, 'number');
    assert.equal(await store.body(SOURCE, 'whev_1'), null);
    assert.equal(await store.accept(single('whev_1')), 'duplicate');
  },

  'changes more dead letters than one step takes': async (kit) => {
    const { store } = kit;
    const ids = Array.from({ length: 1_001 }, (_, index) => `whev_${index}`);
    await Promise.all(ids.map((id) => store.accept({ ...single(id), error: 'no event' })));
    assert.equal(await store.change('redrive', {}, DRY), ids.length);
    assert.equal(await store.change('redrive', {}, NOW), ids.length);
    assert.equal((await store.stats()).open, ids.length);
  },

  'replays handled events whose bodies are kept, as open events': async (kit) => {
    const { store } = kit;
    await handleAll(kit, 'exec_1', 'whev_1');
    await kit.acceptAll('exec_1', 'whev_2');
    await kit.handle([handled('whev_2')]);
    const { keptUntil, handledAt } = (await kit.inspect('whev_1')) ?? {};
    const keptFor = (keptUntil ?? 0) - (handledAt ?? 0);
    assert.ok(Math.abs(keptFor - LONG) < 1_000, `Body must be kept for 1 h, got ${keptFor} ms.`);
    assert.equal(await store.change('replay', {}, NOW), 1);
    const replayed = await kit.inspect('whev_1');
    assert.deepEqual(
      [replayed?.state, replayed?.isReplay, replayed?.keptUntil, replayed?.handledAt],
      ['open', true, null, null],
    );
    const { lease, events } = await kit.takeOne();
    assert.deepEqual(
      events.map(({ id, open }) => [id, open?.isReplay]),
      [
        ['whev_1', true],
        ['whev_2', undefined],
      ],
    );
    assert.deepEqual(await store.begin(lease, 'whev_1'), bytes('{"id":"whev_1"}'));
    await store.finish(lease, [dead('whev_1')], RELEASE);
    assert.equal((await kit.inspect('whev_1'))?.isReplay, true);
  },

  'replays by id, key, owner, handler and time, and counts the same before': async (kit) => {
    const { store } = kit;
    await handleAll(kit, 'exec_1', 'whev_1');
    await kit.elapse(5);
    for (const id of ['whev_2', 'whev_3']) {
      await store.accept(keyed('exec_2', id, { owner: 'wf_2' }));
    }
    await kit.handle([kept('whev_2'), kept('whev_3')]);
    await store.accept(single('whev_4'));
    await kit.handle([kept('whev_4')]);
    const { receivedAt = 0 } = (await kit.inspect('whev_2')) ?? {};
    const filters: readonly (readonly [EventFilter, number])[] = [
      [{}, 4],
      [{ ids: ['whev_1', 'whev_4', 'unknown'] }, 2],
      [{ ids: ['whev_1', 'whev_2'], key: 'exec_2' }, 1],
      [{ ids: [] }, 0],
      [{ key: 'exec_2' }, 2],
      [{ key: 'exec_3' }, 0],
      [{ owner: 'wf_2' }, 2],
      [{ owner: 'wf_2', ids: ['whev_1', 'whev_3'] }, 1],
      [{ handler: 'running' }, 3],
      [{ handler: 'completed' }, 0],
      [{ since: receivedAt }, 3],
      [{ until: receivedAt }, 1],
      [{ handler: 'running', since: receivedAt, key: 'exec_2' }, 2],
    ];
    for (const [filter, count] of filters) {
      assert.equal(await store.change('replay', filter, DRY), count, JSON.stringify(filter));
    }
    assert.deepEqual(await kit.take(), []);
    for (const [filter, count] of filters.toReversed()) {
      assert.equal(await store.change('replay', filter, NOW), count, JSON.stringify(filter));
      for (const job of await kit.take()) {
        const outcomes = openIn(job).map((id) => kept(id));
        await store.finish(job.lease, outcomes, RELEASE);
      }
    }
  },

  'replays an event once at a time': async (kit) => {
    const { store } = kit;
    await handleAll(kit, 'exec_1', 'whev_1', 'whev_2');
    const counts = await Promise.all([1, 2, 3, 4].map(() => store.change('replay', {}, NOW)));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      2,
    );
    const { lease } = await kit.takeOne();
    assert.equal(await store.change('replay', {}, NOW), 0);
    await store.finish(lease, [failed('whev_1', 0), dead('whev_2')], AGAIN);
    assert.equal(await store.change('replay', {}, NOW), 0);
    await kit.handle([kept('whev_1')]);
    assert.equal(await store.change('replay', {}, NOW), 1);
  },

  'makes a job due whose event is replayed during a lease': async (kit) => {
    const { store } = kit;
    await handleAll(kit, 'exec_1', 'whev_1');
    await kit.acceptAll('exec_1', 'whev_2');
    const { lease } = await kit.takeOne();
    assert.equal(await store.change('replay', { ids: ['whev_1'] }, NOW), 1);
    assert.deepEqual(await kit.take({ holder: 'two' }), []);
    await store.finish(lease, [handled('whev_2')], RELEASE);
    assert.deepEqual(openIn(await kit.takeOne()), ['whev_1']);
  },

  'still knows the id and the bytes of a replayed event': async (kit) => {
    const { store } = kit;
    await handleAll(kit, 'exec_1', 'whev_1');
    const outcomes = async (): Promise<readonly string[]> => [
      await store.accept(keyed('exec_1', 'whev_1')),
      await store.accept(keyed('exec_1', 'whev_1', { body: bytes('other') })),
    ];
    assert.deepEqual(await outcomes(), ['duplicate', 'conflict']);
    await store.change('replay', {}, NOW);
    assert.deepEqual(await outcomes(), ['duplicate', 'conflict']);
    await kit.handle([handled('whev_1')]);
    assert.deepEqual(await outcomes(), ['duplicate', 'conflict']);
    assert.equal((await kit.list({ key: 'exec_1' })).length, 1);
  },

  'opens the end of a job with the event that settled it, and with no other': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2');
    await kit.handle([kept('whev_1'), kept('whev_2', true)]);
    await store.change('replay', { ids: ['whev_1'] }, NOW);
    const first = await kit.takeOne();
    assert.equal(first.isSettled, true);
    await store.finish(first.lease, [kept('whev_1')], RELEASE);
    await store.change('replay', { ids: ['whev_2'] }, NOW);
    const second = await kit.takeOne();
    assert.equal(second.isSettled, false);
    await store.finish(second.lease, [kept('whev_2', true)], RELEASE);
    await kit.acceptAll('exec_1', 'whev_3');
    assert.equal((await kit.takeOne()).isSettled, true);
  },

  'replays no body whose time is over, and deletes it with a purge': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2');
    await kit.handle([kept('whev_1', false, 1), kept('whev_2')]);
    await kit.elapse(30);
    assert.equal(await store.change('replay', {}, DRY), 1);
    assert.equal(await store.change('replay', { ids: ['whev_1'] }, NOW), 0);
    await store.purge(LONG);
    const expired = await kit.inspect('whev_1');
    assert.deepEqual([expired?.keptUntil, expired?.state], [null, 'handled']);
    assert.equal(await store.body(SOURCE, 'whev_1'), null);
    assert.equal(await store.change('replay', {}, NOW), 1);
  },

  'replays a job as a whole, also when others are many': async (kit) => {
    const { store } = kit;
    const keys = Array.from({ length: 501 }, (_, index) => index);
    const accepted = [1, 2].flatMap((number) =>
      keys.map((key) => store.accept(keyed(`exec_${key}`, `whev_${key}_${number}`))),
    );
    await Promise.all(accepted);
    const jobs = await kit.take({ limit: keys.length });
    const finished = jobs.map((job) => {
      const outcomes = openIn(job).map((id) => kept(id));
      return store.finish(job.lease, outcomes, RELEASE);
    });
    await Promise.all(finished);
    const replaying = store.change('replay', {}, NOW);
    const found: string[] = [];
    while (found.length < keys.length) {
      for (const job of await kit.take({ limit: keys.length, inHand: found })) {
        found.push(job.lease.job);
        const open = openIn(job).length;
        assert.equal(open, 2, `Both events of ${job.key} must be open, got ${open}.`);
      }
    }
    assert.equal(await replaying, 2 * keys.length);
  },

  'keeps what is paused': async ({ store }) => {
    assert.deepEqual(await store.paused(), []);
    await store.setPaused('completed', true);
    await store.setPaused('*', true);
    await store.setPaused('*', true);
    assert.deepEqual(await store.paused(), ['*', 'completed']);
    await store.setPaused('*', false);
    await store.setPaused('failed', false);
    assert.deepEqual(await store.paused(), ['completed']);
  },

  'makes waiting jobs due when a pause ends, leased ones with their release': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.handle([], { do: 'release', dueIn: LONG });
    await store.setPaused('completed', false);
    assert.deepEqual(await kit.take(), []);
    await store.setPaused('completed', true);
    await store.setPaused('completed', false);
    const { lease } = await kit.takeOne();
    await store.setPaused('completed', true);
    await store.setPaused('completed', false);
    await store.finish(lease, [], { do: 'release', dueIn: LONG });
    await kit.takeOne();
  },

  'makes all waiting events due when a pause ends, however many': async ({ store, ...kit }) => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `whev_${index}`);
    await Promise.all(ids.map((id) => store.accept(single(id))));
    const jobs = await kit.take({ limit: ids.length });
    const release = { do: 'release', dueIn: LONG } as const;
    await Promise.all(jobs.map(({ lease }) => store.finish(lease, [], release)));
    assert.equal((await store.stats()).due, 0);
    await store.setPaused('*', true);
    await store.setPaused('*', false);
    assert.equal((await store.stats()).due, ids.length);
  },

  'does not count a pause as time in which an event fails': async (kit) => {
    const { store } = kit;
    await store.accept(keyed('exec_1', 'whev_1', { handler: 'failed' }));
    await store.accept(keyed('exec_2', 'whev_2', { handler: 'running' }));
    for (const { lease, events } of await kit.take()) {
      await store.finish(lease, [failed(events[0]?.id ?? '', 0)], AGAIN);
    }
    const firstFailures = async () => (await kit.list()).map((event) => event.firstFailedAt ?? 0);
    const [paused = 0, running = 0] = await firstFailures();
    await store.setPaused('failed', true);
    await kit.elapse(40);
    await store.setPaused('failed', false);
    const [later = 0, same = 0] = await firstFailures();
    assert.ok(later - paused >= 30, `First failure must be 40 ms later, got ${later - paused} ms.`);
    assert.equal(same, running);
    const all = (await kit.take()).flatMap(({ events }) => events);
    assert.ok(all.every(({ open }) => (open?.failingFor ?? -1) >= 0));
  },

  'does not count a pause of a source as time in which its events fail, but that of others': async (
    kit,
  ) => {
    const { store } = kit;
    await store.accept(keyed('exec_1', 'whev_1', { handler: 'failed' }));
    await store.accept(keyed('exec_1', 'evt_1', { handler: 'failed', source: 'other' }));
    for (const { lease, events } of await kit.take()) {
      await store.finish(lease, [failed(events[0]?.id ?? '', 0)], AGAIN);
    }
    const firstFailures = async () => (await kit.list()).map((event) => event.firstFailedAt ?? 0);
    for (const name of [`${SOURCE}/*`, `${SOURCE}/failed`]) {
      const [paused = 0, other = 0] = await firstFailures();
      await store.setPaused(name, true);
      await kit.elapse(40);
      await store.setPaused(name, false);
      const [later = 0, same = 0] = await firstFailures();
      assert.ok(
        later - paused >= 30,
        `First failure must be 40 ms later, got ${later - paused} ms.`,
      );
      assert.equal(same, other);
    }
    assert.deepEqual((await store.keys('other', null, { after: null, limit: 9 })).items.length, 1);
  },

  'forgets handled jobs that were signed so long before the newest event': async (kit) => {
    const { store } = kit;
    await store.accept(keyed('exec_1', 'whev_1', { timestamp: 10 * DAY_SECONDS }));
    await store.accept(keyed('exec_2', 'whev_2', { timestamp: 10 * DAY_SECONDS }));
    await store.accept(keyed('exec_2', 'whev_3', { timestamp: 11 * DAY_SECONDS }));
    await store.accept(keyed('exec_3', 'whev_4', { timestamp: 10 * DAY_SECONDS }));
    await store.accept(keyed('exec_4', 'whev_5', { timestamp: 10 * DAY_SECONDS }));
    for (const job of await kit.take()) {
      const outcomes = openIn(job).map((id) => (id === 'whev_4' ? dead(id) : kept(id)));
      if (job.key !== 'exec_4') await store.finish(job.lease, outcomes, RELEASE);
    }
    // However long ago that is by any clock.
    assert.equal(await store.purge(DAY_SECONDS * 1_000), 0);
    await store.accept(keyed('exec_5', 'whev_6', { timestamp: 12 * DAY_SECONDS }));
    assert.equal(await store.purge(1.5 * DAY_SECONDS * 1_000), 1);
    assert.deepEqual(
      (await kit.list()).map(({ key }) => key),
      ['exec_2', 'exec_2', 'exec_3', 'exec_4', 'exec_5'],
    );
    assert.equal((await store.keys(SOURCE, null, { after: null, limit: 9 })).items.length, 4);
    assert.equal(await store.body(SOURCE, 'whev_1'), null);
    assert.equal(await store.change('replay', {}, DRY), 2);
    assert.equal(await store.accept(keyed('exec_1', 'whev_1')), 'new');
  },

  'forgets no job with an event that is open again': async (kit) => {
    const { store } = kit;
    await store.accept(keyed('exec_1', 'whev_1', { timestamp: 1 }));
    await store.accept(keyed('exec_2', 'whev_2', { timestamp: 9 }));
    for (const job of await kit.take()) {
      await store.finish(
        job.lease,
        openIn(job).map((id) => kept(id)),
        RELEASE,
      );
    }
    await store.change('replay', { key: 'exec_1' }, NOW);
    assert.equal(await store.purge(1_000), 0);
    const { lease } = await kit.takeOne();
    await store.finish(lease, [handled('whev_1')], hold());
    assert.equal(await store.purge(1_000), 0);
    await store.finish(lease, [], RELEASE);
    assert.equal(await store.purge(1_000), 1);
  },
};
