import assert from 'node:assert/strict';

import { bytes, dead, ofRun, settled, single } from './kit.ts';
import type { StoreTest } from './kit.ts';

/** What `accept` promises. */
export const ACCEPTING: Readonly<Record<string, StoreTest>> = {
  'separates new, duplicate and conflict, also after the event is settled': async (kit) => {
    const { store } = kit;
    assert.equal(await store.accept(single('whev_1')), 'new');
    assert.equal(await store.accept(single('whev_1')), 'duplicate');
    assert.equal(await store.accept(single('whev_1', 'other')), 'conflict');
    await kit.handle([settled('whev_1')]);
    assert.equal(await store.accept(single('whev_1')), 'duplicate');
    assert.equal(await store.accept(single('whev_1', 'other')), 'conflict');
  },

  'recognises a duplicate of a dead letter': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([dead('whev_1')]);
    assert.equal(await kit.store.accept(ofRun('exec_1', 'whev_1')), 'duplicate');
    assert.equal(await kit.store.accept(ofRun('exec_1', 'whev_1', { body: 'other' })), 'conflict');
  },

  'accepts an id once from many simultaneous calls': async ({ store, take }) => {
    const calls = Array.from({ length: 50 }, () => store.accept(single('whev_1')));
    const outcomes = await Promise.all(calls);
    assert.equal(outcomes.filter((outcome) => outcome === 'new').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === 'duplicate').length, 49);
    assert.equal((await take()).length, 1);
  },

  'keeps a copy of the bytes and returns it unchanged': async ({ store, takeOne }) => {
    const body = Uint8Array.from([0, 255, 0xc3, 0x28, 10, 13]);
    const accepted = store.accept({ ...single('whev_1'), body });
    body.fill(7);
    await accepted;
    const { open } = await takeOne();
    assert.deepEqual([...(open[0]?.body ?? [])], [0, 255, 0xc3, 0x28, 10, 13]);
  },

  'keeps an empty body, ids with punctuation and long ids': async ({ store, take }) => {
    const ids = ['whev_{}:*?\'"\\%', `whev_${'x'.repeat(251)}`, 'whev_run:1'];
    for (const id of ids) assert.equal(await store.accept(single(id, '')), 'new');
    const jobs = await take();
    const found = jobs.flatMap(({ open }) => open.map((event) => event.id));
    assert.deepEqual(found.toSorted(), ids.toSorted());
    assert.equal(jobs[0]?.open[0]?.body?.length, 0);
  },

  'gives the events of a run one job, in order of acceptance': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.acceptRun('exec_2', 'whev_4');
    const jobs = await kit.take();
    const runs = jobs.map(({ runId, open }) => [runId, open.map(({ id }) => id)] as const);
    assert.deepEqual(
      new Map(runs),
      new Map([
        ['exec_1', ['whev_1', 'whev_2', 'whev_3']],
        ['exec_2', ['whev_4']],
      ]),
    );
    const first = jobs.find(({ runId }) => runId === 'exec_1');
    assert.deepEqual(
      first?.open.map(({ position }) => position),
      [1, 2, 3],
    );
    assert.deepEqual(
      first?.known.map(({ position }) => position),
      [1, 2, 3],
    );
  },

  'numbers the events of a run without holes when many arrive at once': async (kit) => {
    const ids = Array.from({ length: 100 }, (_, index) => `whev_${index}`);
    await Promise.all(ids.map((id) => kit.store.accept(ofRun('exec_1', id))));
    const known = await kit.store.history('exec_1');
    assert.deepEqual(
      known.map(({ position }) => position),
      ids.map((_, index) => index + 1),
    );
    assert.deepEqual(known.map(({ edge }) => edge.id).toSorted(), ids.toSorted());
  },

  'separates a run and a single event of the same name': async (kit) => {
    await kit.store.accept(single('x'));
    await kit.acceptRun('x', 'whev_1');
    const jobs = await kit.take();
    assert.deepEqual(new Set(jobs.map(({ runId }) => runId)), new Set(['x', null]));
    assert.deepEqual(jobs.find(({ runId }) => runId === null)?.known, []);
  },

  'keeps what is no event as a dead letter from the start': async ({ store, take }) => {
    const content = { kind: 'invalid', error: 'Body must be JSON.' } as const;
    const event = { id: 'whev_1', body: bytes('{'), timestamp: 1, content };
    assert.equal(await store.accept(event), 'new');
    assert.equal(await store.accept(event), 'duplicate');
    assert.deepEqual(await take(), []);
    const { items } = await store.deadLetters({ after: null, limit: 10 });
    const [letter] = items;
    assert.equal(letter?.id, 'whev_1');
    assert.equal(letter.reason, 'event_quarantined');
    assert.equal(letter.error, 'Body must be JSON.');
    assert.equal(letter.attempts, 0);
  },
};
