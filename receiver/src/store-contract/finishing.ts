import assert from 'node:assert/strict';

import { LONG, RELEASE, dead, failed, settled, single } from './kit.ts';
import type { StoreTest } from './kit.ts';

const MINUTE = 60_000;

/** What `finish` and `nextDueIn` promise. */
export const FINISHING: Readonly<Record<string, StoreTest>> = {
  'forgets the body of a settled event and keeps the event': async ({ store, ...kit }) => {
    await kit.acceptRun('exec_1', 'whev_1');
    const { lease } = await kit.takeOne();
    await store.finish(lease, [settled('whev_1')], { do: 'hold', leaseFor: LONG });
    assert.equal((await store.bodies(lease, ['whev_1'])).size, 0);
    const event = await store.inspect('whev_1');
    assert.equal(event?.state, 'settled');
    assert.equal(event.runId, 'exec_1');
  },

  'settles several events in one step': async ({ store, ...kit }) => {
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2');
    await kit.handle([settled('whev_1'), settled('whev_2', true)]);
    assert.deepEqual(
      (await store.history('exec_1')).map(({ state }) => state),
      ['settled', 'settled'],
    );
    assert.deepEqual(await kit.take(), []);
  },

  'makes a released job due after its time': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([], { do: 'release', dueIn: MINUTE });
    assert.deepEqual(await kit.take(), []);
    const next = await kit.store.nextDueIn({ holder: 'one', inHand: [] });
    assert.ok(next !== null && next > 0 && next <= MINUTE, `nextDueIn must be 60 s, got ${next}.`);
    await kit.acceptRun('exec_2', 'whev_2');
    await kit.handle([], { do: 'release', dueIn: 20 });
    await kit.elapse(40);
    assert.equal((await kit.takeOne()).runId, 'exec_2');
  },

  'makes a waiting run due when another of its events is accepted': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([], { do: 'release', dueIn: MINUTE });
    await kit.acceptRun('exec_1', 'whev_2');
    assert.deepEqual(
      (await kit.takeOne()).open.map(({ id }) => id),
      ['whev_1', 'whev_2'],
    );
  },

  'makes a run due that got an event during its lease': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1');
    const { lease } = await kit.takeOne();
    await kit.acceptRun('exec_1', 'whev_2');
    await kit.store.finish(lease, [], { do: 'release', dueIn: MINUTE });
    assert.equal((await kit.takeOne()).open.length, 2);
  },

  'keeps a run due whose process ended in the middle of a wait': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([], { do: 'release', dueIn: MINUTE });
    await kit.acceptRun('exec_1', 'whev_2');
    await kit.takeOne({ leaseFor: 1 });
    await kit.elapse(30);
    assert.equal((await kit.takeOne({ holder: 'two' })).open.length, 2);
  },

  'does not lease a settled run until it gets another event': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([settled('whev_1')]);
    assert.deepEqual(await kit.take(), []);
    assert.equal(await kit.store.nextDueIn({ holder: 'one', inHand: [] }), null);
    await kit.acceptRun('exec_1', 'whev_2');
    const { open, known } = await kit.takeOne();
    assert.deepEqual([open.length, known.length], [1, 2]);
  },

  'counts failures and delays only the event that failed': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2');
    await kit.handle([failed('whev_1', MINUTE, 'first')], { do: 'release', dueIn: 0 });
    const { open } = await kit.takeOne();
    const [first, second] = open;
    assert.equal(first?.attempts, 1);
    assert.ok(first.dueIn > 0 && first.dueIn <= MINUTE);
    assert.equal(second?.attempts, 0);
    assert.ok(second.dueIn <= 0);
    assert.equal((await kit.store.inspect('whev_1'))?.error, 'first');
  },

  'ignores an outcome for an event that is not open': async ({ store, ...kit }) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.handle([dead('whev_1')]);
    await kit.acceptRun('exec_1', 'whev_2');
    const { lease } = await kit.takeOne();
    await store.finish(lease, [settled('whev_1'), settled('other')], RELEASE);
    assert.equal((await store.inspect('whev_1'))?.state, 'dead');
    assert.equal(await store.inspect('other'), null);
  },

  'says when the lease of another holder expires': async (kit) => {
    await kit.store.accept(single('whev_1'));
    await kit.take({ leaseFor: MINUTE });
    const next = await kit.store.nextDueIn({ holder: 'two', inHand: [] });
    assert.ok(next !== null && next > 0 && next <= MINUTE, `nextDueIn must be 60 s, got ${next}.`);
  },
};
