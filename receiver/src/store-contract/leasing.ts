import assert from 'node:assert/strict';

import { orderPlace } from '../order/order-key.ts';
import type { RunEdge } from '../order/run-edge.ts';
import type { IncomingEvent, KnownEvent } from '../stores/store.ts';
import { LONG, RELEASE, bytes, dead, edgeNamed, failed, ofRun, settled, single } from './kit.ts';
import type { StoreTest } from './kit.ts';

function idsOf(known: readonly KnownEvent[] = []): readonly string[] {
  return known.map(({ edge }) => edge.id);
}

/** Returns a step of a run, later than that of a lower number. */
function move(id: string, number: number): IncomingEvent {
  const runId = 'exec_1';
  const content = { kind: 'run', runId, automationId: null, edge: edgeAt(number) } as const;
  return { id, body: bytes(id), timestamp: 1, content };
}

function edgeAt(number: number): RunEdge {
  const [previousStatus, currentStatus] =
    number % 2 === 0 ? (['pending', 'running'] as const) : (['running', 'pending'] as const);
  const createdAt = new Date(Date.UTC(2026, 0) + number * 1_000).toISOString();
  return { id: `whev_${number}`, previousStatus, currentStatus, createdAt };
}

/** What `take`, `renew`, `news`, `bodies` and `begin` promise. */
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

  'returns everything that is known of a run': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2');
    await kit.handle([settled('whev_1', true)], { do: 'release', dueIn: 0 });
    const job = await kit.takeOne();
    assert.equal(job.isRunSettled, true);
    assert.deepEqual(
      job.open.map(({ id, position }) => ({ id, position })),
      [{ id: 'whev_2', position: 2 }],
    );
    assert.deepEqual(job.known, [
      { edge: edgeNamed('whev_1'), state: 'settled', position: 1 },
      { edge: edgeNamed('whev_2'), state: 'open', position: 2 },
    ]);
  },

  'takes back jobs of the same holder that it does not have in hand': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1');
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
    await kit.acceptRun('exec_1', 'whev_1');
    const old = await kit.takeOne({ leaseFor: 1 });
    await kit.elapse(30);
    const current = await kit.takeOne({ holder: 'two' });
    assert.ok(current.lease.token > old.lease.token);
    assert.equal(await store.begin(old.lease, 'whev_1'), false);
    assert.equal(await store.renew(old.lease, LONG), false);
    assert.equal(await store.news(old.lease, 0), null);
    assert.equal(await store.waiting(old.lease, ''), null);
    assert.equal(await store.near(old.lease, '', 9), null);
    assert.equal(await store.keepArrivals(old.lease, []), false);
    assert.equal((await store.bodies(old.lease, ['whev_1'])).size, 0);
    const late = await store.finish(old.lease, [settled('whev_1')], RELEASE);
    assert.equal(late.isHeld, false);
    assert.equal((await store.inspect('whev_1'))?.state, 'open');
    assert.equal((await store.finish(current.lease, [settled('whev_1')], RELEASE)).isHeld, true);
  },

  'counts a crash only against the event that was begun': async (kit) => {
    const { store } = kit;
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2', 'whev_3');
    const { lease } = await kit.takeOne();
    assert.equal(await store.begin(lease, 'whev_1'), true);
    const next = { do: 'hold', leaseFor: 1, begin: 'whev_2' } as const;
    assert.equal((await store.finish(lease, [failed('whev_1', 0)], next)).isHeld, true);
    await kit.elapse(30);
    const { open } = await kit.takeOne({ holder: 'two' });
    assert.deepEqual(
      open.map(({ id, crashes, attempts }) => [id, crashes, attempts]),
      [
        ['whev_1', 0, 1],
        ['whev_2', 1, 0],
        ['whev_3', 0, 0],
      ],
    );
    const dueIn = open[1]?.dueIn ?? Number.NaN;
    assert.ok(dueIn <= 0 && dueIn > -LONG, `dueIn must count from the crash, got ${dueIn}.`);
  },

  'counts no crash when nothing was begun, and none of this holder itself': async (kit) => {
    const { store } = kit;
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.takeOne({ leaseFor: 1 });
    await kit.elapse(30);
    const { lease } = await kit.takeOne({ holder: 'two' });
    assert.equal(await store.begin(lease, 'whev_1'), true);
    const again = await kit.takeOne({ holder: 'two' });
    assert.equal(again.open[0]?.crashes, 0);
    await store.begin(again.lease, 'whev_1');
    await store.finish(again.lease, [], { do: 'release', dueIn: 0 });
    await kit.takeOne({ leaseFor: 1 });
    await kit.elapse(30);
    assert.equal((await kit.takeOne({ holder: 'two' })).open[0]?.crashes, 0);
  },

  'counts crashes until there is an outcome': async (kit) => {
    const { store } = kit;
    await kit.acceptRun('exec_1', 'whev_1');
    for (const crashes of [0, 1, 2]) {
      const { lease, open } = await kit.takeOne({ holder: `holder_${crashes}`, leaseFor: 1 });
      assert.equal(open[0]?.crashes, crashes);
      assert.equal(await store.begin(lease, 'whev_1'), true);
      await kit.elapse(30);
    }
    const last = await kit.takeOne();
    await store.finish(last.lease, [failed('whev_1', 0)], { do: 'release', dueIn: 0 });
    const { open } = await kit.takeOne();
    assert.deepEqual(
      open.map(({ crashes, attempts }) => ({ crashes, attempts })),
      [{ crashes: 0, attempts: 1 }],
    );
  },

  'reads the events that were accepted during a lease': async (kit) => {
    const { store } = kit;
    await kit.acceptRun('exec_1', 'whev_1');
    const { lease } = await kit.takeOne();
    await kit.acceptRun('exec_1', 'whev_2', 'whev_3');
    const held = await store.finish(lease, [], { do: 'hold', leaseFor: LONG });
    assert.deepEqual(held, { isHeld: true, lastPosition: 3 });
    const news = await store.news(lease, 1);
    assert.deepEqual(
      news?.open.map(({ id, position }) => [id, position]),
      [
        ['whev_2', 2],
        ['whev_3', 3],
      ],
    );
    assert.deepEqual(
      news.known.map(({ edge, state }) => [edge.id, state]),
      [
        ['whev_2', 'open'],
        ['whev_3', 'open'],
      ],
    );
    assert.deepEqual(await store.news(lease, 3), { open: [], known: [], hasMoreAfter: false });
  },

  'returns a bounded number of events of a run, by place, and reads the others on demand': async (
    kit,
  ) => {
    const { store } = kit;
    const moves = Array.from({ length: 200 }, (_, index) => move(`whev_${index}`, index));
    const ids = (from: number, to: number) => moves.slice(from, to).map(({ id }) => id);
    for (const event of moves.toReversed()) assert.equal(await store.accept(event), 'new');
    const first = await kit.takeOne();
    assert.deepEqual(idsOf(first.known), ids(0, 64));
    assert.deepEqual(
      first.open.map(({ id }) => id),
      ids(0, 64),
    );
    assert.deepEqual(
      [first.hasMoreBefore, first.hasMoreAfter, first.lastPosition, first.order],
      [false, true, 200, null],
    );
    const last = first.known.at(-1);
    assert.ok(last);
    const more = await store.waiting(first.lease, orderPlace(last.edge, last.position));
    assert.deepEqual(idsOf(more?.known), ids(64, 128));
    assert.equal(more?.hasMoreAfter, true);
    assert.deepEqual(idsOf((await store.news(first.lease, 100))?.known), ids(36, 100).toReversed());
    const outcomes = ids(0, 100).map((id) => settled(id));
    await store.finish(first.lease, outcomes, { do: 'release', dueIn: 0 }, 'text');
    const second = await kit.takeOne();
    assert.deepEqual(idsOf(second.known), ids(84, 164));
    assert.deepEqual(
      second.open.map(({ id }) => id),
      ids(100, 164),
    );
    assert.deepEqual([second.hasMoreBefore, second.order], [true, 'text']);
    assert.deepEqual(idsOf((await store.news(second.lease, 190))?.known), ids(0, 10).toReversed());
    const place = orderPlace(edgeAt(150), 50);
    const near = await store.near(second.lease, place, 3);
    assert.deepEqual(idsOf(near ?? []), ids(147, 153));
    await store.finish(second.lease, [], RELEASE);
    assert.equal((await store.history('exec_1')).length, 200);
  },

  'keeps how events arrived, also of those that are opened again': async (kit) => {
    const { store } = kit;
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.acceptRun('exec_2', 'whev_4');
    const [first] = await kit.take();
    assert.ok(first);
    assert.deepEqual(
      first.open.map(({ arrival }) => arrival),
      ['applied', 'applied', 'applied'],
    );
    const arrivals = [
      { id: 'whev_1', arrival: 'fills-gap' },
      { id: 'whev_2', arrival: 'late' },
      { id: 'whev_4', arrival: 'impossible' },
    ] as const;
    await store.finish(first.lease, [dead('whev_1')], { do: 'hold', leaseFor: LONG });
    assert.equal(await store.keepArrivals(first.lease, arrivals), true);
    await store.finish(first.lease, [], { do: 'release', dueIn: 0 });
    await store.redrive({ ids: ['whev_1'] });
    const [second, other] = await kit.take();
    const seen = [...(second?.open ?? []), ...(other?.open ?? [])];
    assert.deepEqual(Object.fromEntries(seen.map(({ id, arrival }) => [id, arrival])), {
      whev_1: 'fills-gap',
      whev_2: 'late',
      whev_3: 'applied',
      // Of another run than the lease.
      whev_4: 'applied',
    });
  },

  'returns the bodies of the first events, and the others on demand': async (kit) => {
    const { store } = kit;
    const half = 'x'.repeat(600_000);
    for (const id of ['whev_1', 'whev_2', 'whev_3']) {
      await store.accept(ofRun('exec_1', id, { body: `${id}${half}` }));
    }
    const { lease, open } = await kit.takeOne();
    assert.deepEqual(
      open.map(({ body }) => body !== null),
      [true, false, false],
    );
    const bodies = await store.bodies(lease, ['whev_3', 'unknown']);
    assert.deepEqual([...bodies.keys()], ['whev_3']);
    assert.equal(Buffer.from(bodies.get('whev_3') ?? []).toString(), `whev_3${half}`);
  },

  'says how long an event has waited': async (kit) => {
    await kit.acceptRun('exec_1', 'whev_1');
    await kit.elapse(40);
    const { open } = await kit.takeOne();
    const age = open[0]?.age ?? -1;
    assert.ok(age >= 35 && age < LONG, `age must be about 40 ms, got ${age}.`);
    assert.ok((open[0]?.dueIn ?? 1) <= 0);
  },
};
