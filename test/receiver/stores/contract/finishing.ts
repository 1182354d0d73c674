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
  SOURCE,
} from './kit.ts';
import type { StoreTest } from './kit.ts';

const MINUTE = 60_000;

/** What `finish` promises, and when a job is due. */
export const FINISHING: Readonly<Record<string, StoreTest>> = {
  'forgets the body of a handled event and keeps the event': async ({ store, ...kit }) => {
    await kit.acceptAll('exec_1', 'whev_1');
    const { lease } = await kit.takeOne();
    await store.finish(lease, [handled('whev_1')], hold());
    assert.equal(await store.body(SOURCE, 'whev_1'), null);
    assert.equal(await store.begin(lease, 'whev_1'), null);
    const event = await kit.inspect('whev_1');
    assert.deepEqual([event?.state, event?.key], ['handled', 'exec_1']);
    assert.ok((event?.handledAt ?? 0) >= (event?.receivedAt ?? Infinity) - 1);
  },

  'writes several outcomes in one step': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2');
    await kit.handle([handled('whev_1'), handled('whev_2', true)]);
    assert.deepEqual(
      (await kit.list()).map(({ state }) => state),
      ['handled', 'handled'],
    );
    assert.deepEqual(await kit.take(), []);
  },

  'begins the next event with the outcome of the last, and returns its body': async (kit) => {
    const { store } = kit;
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2');
    const { lease } = await kit.takeOne({ leaseFor: 1 });
    const next = await store.finish(lease, [handled('whev_1')], hold('whev_2', 1));
    assert.equal(new TextDecoder().decode(next.body ?? undefined), '{"id":"whev_2"}');
    const none = await store.finish(lease, [], hold('whev_1', 1));
    assert.deepEqual([none.isHeld, none.body], [true, null]);
  },

  'makes a released job due after its time': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.handle([], { do: 'release', dueIn: MINUTE });
    const request = { holder: 'one', inHand: [], limit: 9, leaseFor: LONG };
    const { jobs, nextIn } = await kit.store.take(request);
    assert.deepEqual(jobs, []);
    assert.ok(nextIn !== null && nextIn > 0 && nextIn <= MINUTE, `nextIn: 60 s, got ${nextIn}.`);
    await kit.acceptAll('exec_2', 'whev_2');
    await kit.handle([], { do: 'release', dueIn: 20 });
    await kit.elapse(40);
    assert.equal((await kit.takeOne()).key, 'exec_2');
  },

  'makes a waiting job due when another of its events is accepted': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.handle([], { do: 'release', dueIn: MINUTE });
    await kit.acceptAll('exec_1', 'whev_2');
    assert.deepEqual(openIn(await kit.takeOne()), ['whev_1', 'whev_2']);
  },

  'makes a job due that got an event during its lease': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    const { lease } = await kit.takeOne();
    await kit.acceptAll('exec_1', 'whev_2');
    await kit.store.finish(lease, [], { do: 'release', dueIn: MINUTE });
    assert.equal((await kit.takeOne()).events.length, 2);
  },

  'does not make a job due for events that its holder has read': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    const { lease } = await kit.takeOne();
    await kit.acceptAll('exec_1', 'whev_2');
    await kit.store.events(lease, 1);
    await kit.store.finish(lease, [], { do: 'release', dueIn: MINUTE });
    assert.deepEqual(await kit.take(), []);
  },

  'keeps a job due whose process ended in the middle of a wait': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.handle([], { do: 'release', dueIn: MINUTE });
    await kit.acceptAll('exec_1', 'whev_2');
    await kit.takeOne({ leaseFor: 1 });
    await kit.elapse(30);
    assert.equal((await kit.takeOne({ holder: 'two' })).events.length, 2);
  },

  'does not lease a handled job until it gets another event': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.handle([handled('whev_1')]);
    const request = { holder: 'one', inHand: [], limit: 9, leaseFor: LONG };
    assert.deepEqual(await kit.store.take(request), { jobs: [], nextIn: null });
    await kit.acceptAll('exec_1', 'whev_2');
    const job = await kit.takeOne();
    assert.deepEqual([openIn(job), idsOf(job.events)], [['whev_2'], ['whev_1', 'whev_2']]);
  },

  'counts failures and delays only the event that failed': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1', 'whev_2');
    await kit.handle([failed('whev_1', MINUTE, 'first')], AGAIN);
    const [first, second] = (await kit.takeOne()).events;
    assert.equal(first?.open?.attempts, 1);
    assert.ok(first.open.dueIn > 0 && first.open.dueIn <= MINUTE);
    assert.equal(second?.open?.attempts, 0);
    assert.ok(second.open.dueIn <= 0);
    assert.equal((await kit.inspect('whev_1'))?.error, 'first');
  },

  'says how long an event has been failing, from its first failure on': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.elapse(30);
    const job = await kit.takeOne();
    assert.equal(job.events[0]?.open?.failingFor, 0);
    await kit.store.finish(job.lease, [failed('whev_1', 0)], AGAIN);
    await kit.elapse(40);
    const again = await kit.takeOne();
    await kit.store.finish(again.lease, [failed('whev_1', 0)], AGAIN);
    const failingFor = (await kit.takeOne()).events[0]?.open?.failingFor ?? -1;
    assert.ok(failingFor >= 30 && failingFor < LONG, `failingFor: 40 ms, got ${failingFor}.`);
    const record = await kit.inspect('whev_1');
    assert.ok((record?.firstFailedAt ?? 0) > 0);
  },

  'keeps the newest ten failures of an event, and which handler failed': async (kit) => {
    await kit.acceptAll('exec_1', 'whev_1');
    for (let count = 1; count <= 12; count += 1) {
      await kit.handle([failed('whev_1', 0, `failure ${count}`)], AGAIN);
    }
    const attempt = { handler: 'completed', error: 'last', milliseconds: 7 };
    const { lease } = await kit.takeOne();
    const reason = 'handler_failed';
    await kit.store.finish(
      lease,
      [{ id: 'whev_1', as: 'dead', reason, error: 'why', attempt }],
      RELEASE,
    );
    const record = await kit.inspect('whev_1');
    assert.equal(record?.attempts, 13);
    assert.equal(record.error, 'why');
    assert.deepEqual(
      record.failures.map(({ handler, error }) => [handler, error]),
      [
        ...Array.from({ length: 9 }, (_, index) => ['event', `failure ${index + 4}`]),
        ['completed', 'last'],
      ],
    );
    const { at, ...last } = record.failures[9] ?? {};
    assert.deepEqual(last, attempt);
    assert.equal(typeof at, 'number');
  },

  'ignores an outcome for an event that is not open': async ({ store, ...kit }) => {
    await kit.acceptAll('exec_1', 'whev_1');
    await kit.handle([dead('whev_1')]);
    await kit.acceptAll('exec_1', 'whev_2');
    await kit.acceptAll('exec_2', 'whev_3');
    const [job] = await kit.take();
    const outcomes = [handled('whev_1'), handled('other'), handled('whev_3')];
    await store.finish(job!.lease, outcomes, RELEASE);
    assert.equal((await kit.inspect('whev_1'))?.state, 'dead');
    assert.equal((await kit.inspect('whev_3'))?.state, 'open');
    assert.equal(await kit.inspect('other'), undefined);
  },

  'says when the lease of another holder expires': async (kit) => {
    await kit.store.accept(single('whev_1'));
    await kit.take({ leaseFor: MINUTE });
    const request = { holder: 'two', inHand: [], limit: 9, leaseFor: LONG };
    const { nextIn } = await kit.store.take(request);
    assert.ok(nextIn !== null && nextIn > 0 && nextIn <= MINUTE, `nextIn: 60 s, got ${nextIn}.`);
  },

  'says that more jobs are due than it returned': async (kit) => {
    for (const id of ['a', 'b']) await kit.store.accept(keyed(id, id));
    const request = { holder: 'one', inHand: [], limit: 1, leaseFor: LONG };
    const { jobs, nextIn } = await kit.store.take(request);
    assert.deepEqual([jobs.length, nextIn], [1, 0]);
  },
};
