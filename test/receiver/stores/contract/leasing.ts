import assert from 'node:assert/strict';

import {
  AGAIN,
  dead,
  failed,
  handled,
  hold,
  idsOf,
  keyed,
  LONG,
  openIn,
  RELEASE,
  single,
} from './kit.ts';
import type { StoreTest } from './kit.ts';

/** What `take`, `renew`, `events` and `begin` promise. */
export const LEASING: Readonly<Record<string, StoreTest>> = {
  'leases each due job once, up to the limit': async ({ store, take }) => {
    for (const id of ['a', 'b', 'c']) await store.accept(single(id));
    const first = await take({ limit: 2 });
    const inHand = first.map(({ lease }) => lease.job);
    const second = await take({ limit: 2, inHand });
    assert.deepEqual([first.length, second.length], [2, 1]);
    inHand.push(...second.map(({ lease }) => lease.job));
    assert.deepEqual(await take({ limit: 2, inHand }), []);
    assert.deepEqual(await take({ limit: 2, holder: 'two' }), []);
  },

  'returns everything that is known of a job': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.handle([handled('whev_1', true), dead('whev_3')], AGAIN);
    const job = await kit.takeOne();
    assert.deepEqual([job.isSettled, job.lastPosition], [true, 3]);
    assert.deepEqual(
      job.events.map(({ id, position, state, open }) => [id, position, state, open !== null]),
      [
        ['whev_1', 1, 'handled', false],
        ['whev_2', 2, 'open', true],
        ['whev_3', 3, 'dead', false],
      ],
    );
  },

  'takes back jobs of the same holder that it does not have in hand': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    const first = await kit.takeOne();
    assert.deepEqual(await kit.take({ inHand: [first.lease.job] }), []);
    const again = await kit.takeOne();
    assert.ok(again.lease.token > first.lease.token);
    assert.equal((await kit.store.finish(first.lease, [], RELEASE)).isHeld, false);
  },

  'never returns a job in hand, also when its lease has expired': async (kit) => {
    await kit.store.accept(single('whev_1'));
    const { lease } = await kit.takeOne({ leaseFor: 1 });
    await kit.elapse(30);
    assert.deepEqual(await kit.take({ inHand: [lease.job] }), []);
    assert.equal(await kit.store.renew(lease, LONG), true);
    assert.deepEqual(await kit.take({ holder: 'two' }), []);
  },

  'gives an expired lease to another holder, and ignores the old one': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1');
    const old = await kit.takeOne({ leaseFor: 1 });
    await kit.elapse(30);
    const current = await kit.takeOne({ holder: 'two' });
    assert.ok(current.lease.token > old.lease.token);
    assert.equal(await store.begin(old.lease, 'whev_1'), null);
    assert.equal(await store.renew(old.lease, LONG), false);
    assert.equal(await store.events(old.lease, 0), null);
    const late = await store.finish(old.lease, [handled('whev_1')], RELEASE);
    assert.equal(late.isHeld, false);
    assert.equal((await kit.inspect('whev_1'))?.state, 'open');
    assert.equal((await store.finish(current.lease, [handled('whev_1')], RELEASE)).isHeld, true);
  },

  'counts a crash only against the event that was begun': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2', 'whev_3');
    const { lease } = await kit.takeOne();
    assert.ok(await store.begin(lease, 'whev_1'));
    const finished = await store.finish(lease, [failed('whev_1', 0)], hold('whev_2', 1));
    assert.equal(finished.isHeld, true);
    await kit.elapse(30);
    const { events } = await kit.takeOne({ holder: 'two' });
    assert.deepEqual(
      events.map(({ id, open }) => [id, open?.crashes, open?.attempts]),
      [
        ['whev_1', 0, 1],
        ['whev_2', 1, 0],
        ['whev_3', 0, 0],
      ],
    );
    const dueIn = events[1]?.open?.dueIn ?? Number.NaN;
    assert.ok(dueIn <= 0 && dueIn > -LONG, `dueIn must count from the crash, got ${dueIn}.`);
  },

  'counts no crash when nothing was begun, and none of this holder itself': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.takeOne({ leaseFor: 1 });
    await kit.elapse(30);
    const { lease } = await kit.takeOne({ holder: 'two' });
    assert.ok(await store.begin(lease, 'whev_1'));
    const again = await kit.takeOne({ holder: 'two' });
    assert.equal(again.events[0]?.open?.crashes, 0);
    await store.begin(again.lease, 'whev_1');
    await store.finish(again.lease, [], AGAIN);
    await kit.takeOne({ leaseFor: 1 });
    await kit.elapse(30);
    assert.equal((await kit.takeOne({ holder: 'two' })).events[0]?.open?.crashes, 0);
  },

  'counts crashes until there is an outcome': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1');
    for (const crashes of [0, 1, 2]) {
      const { lease, events } = await kit.takeOne({ holder: `holder_${crashes}`, leaseFor: 1 });
      assert.equal(events[0]?.open?.crashes, crashes);
      assert.ok(await store.begin(lease, 'whev_1'));
      await kit.elapse(30);
    }
    assert.equal((await kit.inspect('whev_1'))?.crashes, 2);
    const last = await kit.takeOne();
    await store.finish(last.lease, [failed('whev_1', 0)], AGAIN);
    const [event] = (await kit.takeOne()).events;
    assert.deepEqual([event?.open?.crashes, event?.open?.attempts], [0, 1]);
  },

  'reads the events that were accepted during a lease': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1');
    const { lease } = await kit.takeOne();
    await kit.acceptAll('exec_1', 'whev_2', 'whev_3');
    const held = await store.finish(lease, [], hold());
    assert.deepEqual([held.isHeld, held.lastPosition], [true, 3]);
    const news = await store.events(lease, 1);
    assert.deepEqual(
      news?.map(({ id, position, state }) => [id, position, state]),
      [
        ['whev_2', 2, 'open'],
        ['whev_3', 3, 'open'],
      ],
    );
    assert.deepEqual(await store.events(lease, 3), []);
  },

  'leases the newest thousand events of a job, and all that are not handled': async (kit) => {
    const { store } = kit;
    const ids = Array.from({ length: 1_200 }, (_, index) => `whev_${index + 1}`);
    await Promise.all(ids.map((id) => store.accept(keyed('exec_1', id))));
    const whole = await kit.takeOne();
    assert.deepEqual([whole.events.length, openIn(whole).length], [1_200, 1_200]);
    const [first, second, third, ...others] = idsOf(whole.events).slice(0, 1_100);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const outcomes = [handled(first), dead(third), ...others.map((id) => handled(id))];
    await store.finish(whole.lease, outcomes, AGAIN);
    const { events, lastPosition } = await kit.takeOne();
    assert.equal(lastPosition, 1_200);
    assert.deepEqual(
      events.map(({ position }) => position),
      [2, 3, ...Array.from({ length: 1_000 }, (_, index) => index + 201)],
    );
    assert.equal(events[0]?.id, second);
  },

  'says how long an event has waited': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.elapse(40);
    const open = (await kit.takeOne()).events[0]?.open;
    const age = open?.age ?? -1;
    assert.ok(age >= 35 && age < LONG, `age must be about 40 ms, got ${age}.`);
    assert.ok((open?.dueIn ?? 1) <= 0);
  },
};
