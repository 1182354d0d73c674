import assert from 'node:assert/strict';

import { bytes, dead, handled, idsOf, keyed, openIn, single } from './kit.ts';
import type { StoreTest } from './kit.ts';

/** What `accept` promises. */
export const ACCEPTING: Readonly<Record<string, StoreTest>> = {
  'separates new, duplicate and conflict, also after the event is handled': async (kit) => {
    const { store } = kit;
    assert.equal(await store.accept(single('whev_1')), 'new');
    assert.equal(await store.accept(single('whev_1')), 'duplicate');
    assert.equal(await store.accept(single('whev_1', 'other')), 'conflict');
    await kit.handle([handled('whev_1')]);
    assert.equal(await store.accept(single('whev_1')), 'duplicate');
    assert.equal(await store.accept(single('whev_1', 'other')), 'conflict');
  },

  'recognizes a duplicate of a dead letter': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.handle([dead('whev_1')]);
    assert.equal(await kit.store.accept(keyed('exec_1', 'whev_1')), 'duplicate');
    const other = keyed('exec_1', 'whev_1', { body: bytes('other') });
    assert.equal(await kit.store.accept(other), 'conflict');
  },

  'accepts an id once from many simultaneous calls': async ({ store, take }) => {
    const calls = Array.from({ length: 50 }, () => store.accept(single('whev_1')));
    const outcomes = await Promise.all(calls);
    assert.equal(outcomes.filter((outcome) => outcome === 'new').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === 'duplicate').length, 49);
    assert.equal((await take()).length, 1);
  },

  'separates the ids and keys of two sources': async ({ store, take, list, ...kit }) => {
    await kit.acceptAll('key', 'id');
    assert.equal(await store.accept({ ...keyed('key', 'id'), source: 'other' }), 'new');
    assert.equal(await store.accept({ ...keyed('key', 'id'), source: 'other' }), 'duplicate');
    const jobs = await take();
    assert.deepEqual(jobs.map(({ source, key }) => `${source} ${key}`).toSorted(), [
      'other key',
      'platform key',
    ]);
    assert.equal((await list({ ids: ['id'] })).length, 2);
    assert.equal((await list({ ids: ['id'], source: 'other' })).length, 1);
    const [other, own] = jobs.toSorted((left, right) => (left.source < right.source ? -1 : 1));
    await store.finish(other!.lease, [handled('id')], { do: 'release', dueIn: null });
    assert.equal(await store.body('other', 'id'), null);
    assert.ok(await store.begin(own!.lease, 'id'));
  },

  'keeps a copy of the bytes and returns it unchanged': async ({ store, takeOne }) => {
    const body = Uint8Array.from([0, 255, 0xc3, 0x28, 10, 13]);
    const accepted = store.accept({ ...single('whev_1'), body });
    body.fill(7);
    await accepted;
    const { lease } = await takeOne();
    const begun = (await store.begin(lease, 'whev_1')) ?? [];
    assert.deepEqual([...begun], [0, 255, 0xc3, 0x28, 10, 13]);
  },

  'keeps an empty body, ids with punctuation and long ids': async ({ store, take }) => {
    const ids = ['whev_{}:*?\'"\\%', `whev_${'x'.repeat(251)}`, 'whev_run:1', 'a b', 'ä😀'];
    for (const id of ids) assert.equal(await store.accept(single(id, '')), 'new');
    const jobs = await take();
    const found = jobs.flatMap(({ events }) => idsOf(events));
    assert.deepEqual(found.toSorted(), ids.toSorted());
    const [first] = jobs;
    const body = await store.begin(first!.lease, first!.events[0]!.id);
    assert.equal(body?.length, 0);
  },

  'gives the events of a key one job, in order of acceptance': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.acceptAll('exec_2', 'whev_4');
    const jobs = await kit.take();
    assert.deepEqual(
      new Map(jobs.map((job) => [job.key, openIn(job)])),
      new Map([
        ['exec_1', ['whev_1', 'whev_2', 'whev_3']],
        ['exec_2', ['whev_4']],
      ]),
    );
    const first = jobs.find(({ key }) => key === 'exec_1');
    assert.deepEqual(
      first?.events.map(({ position, handler, facts }) => [position, handler, facts]),
      [
        [1, 'running', 'facts of whev_1'],
        [2, 'running', 'facts of whev_2'],
        [3, 'running', 'facts of whev_3'],
      ],
    );
  },

  'numbers the events of a key without holes when many arrive at once': async (kit) => {
    const ids = Array.from({ length: 100 }, (_, index) => `whev_${index}`);
    await Promise.all(ids.map((id) => kit.store.accept(keyed('exec_1', id))));
    const { events } = await kit.takeOne();
    assert.deepEqual(
      events.map(({ position }) => position),
      ids.map((_, index) => index + 1),
    );
    assert.deepEqual(idsOf(events).toSorted(), ids.toSorted());
  },

  'separates a key and an event without one of the same name': async (kit) => {
    await kit.store.accept(single('x'));
    await kit.acceptAll('x', 'whev_1');
    const jobs = await kit.take();
    assert.deepEqual(new Set(jobs.map(({ key }) => key)), new Set(['x', null]));
  },

  'keeps what is no event as a dead letter from the start': async ({ store, take, list }) => {
    const event = { ...single('whev_1', '{'), error: 'Body must be JSON.' };
    assert.equal(await store.accept(event), 'new');
    assert.equal(await store.accept(event), 'duplicate');
    assert.deepEqual(await take(), []);
    const [letter] = await list({ state: 'dead' });
    assert.deepEqual(
      [letter?.id, letter?.reason, letter?.error, letter?.attempts],
      ['whev_1', 'event_quarantined', 'Body must be JSON.', 0],
    );
  },
};
