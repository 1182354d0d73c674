import assert from 'node:assert/strict';

import type { ReplayFilter } from '../stores/store.ts';
import { LONG, RELEASE, dead, failed, kept, ofRun, settled, single } from './kit.ts';
import type { Kit, StoreTest } from './kit.ts';

const REPLAY = { dryRun: false };

/** Handles these events of one run, and keeps their bodies. */
async function handleRun(kit: Kit, runId: string, ...ids: readonly string[]): Promise<void> {
  await kit.acceptRun(runId, ...ids);
  await kit.handle(ids.map((id) => kept(id)));
}

/** What `replay` promises, and `finish` about the bodies that it keeps. */
export const REPLAYING: Readonly<Record<string, StoreTest>> = {
  'replays a handled event with its bytes and its place in the run': async (kit) => {
    const { store } = kit;
    const body = Uint8Array.from([0, 255, 0xc3, 0x28, 10, 13]);
    await kit.acceptRun('exec_1', 'whev_1');
    await store.accept({ ...ofRun('exec_1', 'whev_2'), body });
    await kit.handle([kept('whev_1'), kept('whev_2')]);
    assert.equal(await store.replay({ ids: ['whev_2', 'whev_2', 'unknown'] }, REPLAY), 1);
    const { lease, open, known, lastPosition } = await kit.takeOne();
    assert.deepEqual(
      open.map(({ id, position, attempts, isReplay }) => [id, position, attempts, isReplay]),
      [['whev_2', 2, 0, true]],
    );
    assert.deepEqual([...(open[0]?.body ?? [])], [...body]);
    assert.deepEqual(
      known.map(({ edge, state }) => [edge.id, state]),
      [
        ['whev_1', 'settled'],
        ['whev_2', 'open'],
      ],
    );
    assert.equal(lastPosition, 2);
    assert.deepEqual([...((await store.bodies(lease, ['whev_2'])).get('whev_2') ?? [])], [...body]);
  },

  'replays an event without a run': async (kit) => {
    await kit.store.accept(single('whev_1', 'once'));
    await kit.handle([kept('whev_1')]);
    assert.equal(await kit.store.replay({}, REPLAY), 1);
    const { runId, open } = await kit.takeOne();
    assert.equal(runId, null);
    assert.equal(Buffer.from(open[0]?.body ?? []).toString(), 'once');
  },

  'replays nothing whose body is not kept': async (kit) => {
    const { store } = kit;
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2', 'whev_3');
    await kit.handle([settled('whev_1'), dead('whev_2')], { do: 'release', dueIn: LONG });
    assert.equal(await store.replay({}, REPLAY), 0);
    await store.discard({ ids: ['whev_2'] });
    assert.equal(await store.replay({}, REPLAY), 0);
    assert.equal((await store.inspect('whev_1'))?.keptUntil, null);
  },

  'says until when a body is kept, and that an event was replayed': async (kit) => {
    const { store } = kit;
    await handleRun(kit, 'exec_1', 'whev_1');
    const handled = await store.inspect('whev_1');
    const keptFor = (handled?.keptUntil ?? 0) - (handled?.receivedAt ?? 0);
    assert.ok(Math.abs(keptFor - LONG) < LONG / 2, `Body must be kept for 1 h, got ${keptFor} ms.`);
    assert.equal(handled?.isReplay, false);
    assert.equal((await store.body('whev_1'))?.length, '{"id":"whev_1"}'.length);
    await store.replay({}, REPLAY);
    const replayed = await store.inspect('whev_1');
    assert.deepEqual(
      [replayed?.state, replayed?.isReplay, replayed?.keptUntil],
      ['open', true, null],
    );
    const { items } = await store.openEvents({ after: null, limit: 10 });
    assert.deepEqual(
      items.map(({ id, isReplay, dueIn }) => [id, isReplay, dueIn]),
      [['whev_1', true, 0]],
    );
    await kit.handle([dead('whev_1')]);
    assert.equal((await store.inspect('whev_1'))?.isReplay, true);
    await store.accept(ofRun('exec_2', 'whev_2'));
    await kit.handle([dead('whev_2')]);
    const { items: letters } = await store.deadLetters({ after: null, limit: 10 });
    assert.deepEqual(Object.fromEntries(letters.map(({ id, isReplay }) => [id, isReplay])), {
      whev_1: true,
      whev_2: false,
    });
  },

  'replays by id, run, handler and time of acceptance, and counts the same before': async (kit) => {
    const { store } = kit;
    await handleRun(kit, 'exec_1', 'whev_1');
    await kit.elapse(5);
    for (const id of ['whev_2', 'whev_3']) {
      await store.accept(ofRun('exec_2', id, { automationId: 'wf_2' }));
    }
    await kit.handle([kept('whev_2'), kept('whev_3')]);
    await store.accept(single('whev_4'));
    await kit.handle([kept('whev_4')]);
    const { receivedAt = 0 } = (await store.inspect('whev_2')) ?? {};
    const filters: readonly (readonly [ReplayFilter, number])[] = [
      [{}, 4],
      [{ ids: ['whev_1', 'whev_4', 'unknown'] }, 2],
      [{ ids: ['whev_1', 'whev_2'], runId: 'exec_2' }, 1],
      [{ ids: [] }, 0],
      [{ runId: 'exec_2' }, 2],
      [{ runId: 'exec_3' }, 0],
      [{ automationId: 'wf_2' }, 2],
      [{ automationId: 'wf_3' }, 0],
      [{ automationId: 'wf_2', ids: ['whev_1', 'whev_3'] }, 1],
      [{ handler: 'running' }, 3],
      [{ handler: 'completed' }, 0],
      [{ since: receivedAt }, 3],
      [{ until: receivedAt }, 1],
      [{ since: receivedAt, until: receivedAt }, 0],
      [{ handler: 'running', since: receivedAt, runId: 'exec_2' }, 2],
    ];
    for (const [filter, count] of filters) {
      assert.equal(await store.replay(filter, { dryRun: true }), count, JSON.stringify(filter));
    }
    assert.deepEqual(await kit.take(), []);
    for (const [filter, count] of filters.toReversed()) {
      assert.equal(await store.replay(filter, REPLAY), count, JSON.stringify(filter));
      for (const { lease, open } of await kit.take()) {
        await store.finish(
          lease,
          open.map(({ id }) => kept(id)),
          RELEASE,
        );
      }
    }
  },

  'replays an event once at a time': async (kit) => {
    const { store } = kit;
    await handleRun(kit, 'exec_1', 'whev_1', 'whev_2');
    const counts = await Promise.all([1, 2, 3, 4].map(() => store.replay({}, REPLAY)));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      2,
    );
    const { lease } = await kit.takeOne();
    assert.equal(await store.replay({}, REPLAY), 0);
    await store.finish(lease, [failed('whev_1', 0), dead('whev_2')], { do: 'release', dueIn: 0 });
    assert.equal(await store.replay({}, REPLAY), 0);
    await kit.handle([kept('whev_1')]);
    assert.equal(await store.replay({}, REPLAY), 1);
  },

  'makes a run due whose event is replayed during a lease': async (kit) => {
    const { store } = kit;
    await handleRun(kit, 'exec_1', 'whev_1');
    await kit.acceptRun('exec_1', 'whev_2');
    const { lease } = await kit.takeOne();
    assert.equal(await store.replay({ ids: ['whev_1'] }, REPLAY), 1);
    assert.deepEqual(await kit.take({ holder: 'two' }), []);
    await store.finish(lease, [settled('whev_2')], RELEASE);
    assert.deepEqual(
      (await kit.takeOne()).open.map(({ id }) => id),
      ['whev_1'],
    );
  },

  'still knows the id and the bytes of a replayed event': async (kit) => {
    const { store } = kit;
    await handleRun(kit, 'exec_1', 'whev_1');
    const outcomes = async (): Promise<readonly string[]> => [
      await store.accept(ofRun('exec_1', 'whev_1')),
      await store.accept(ofRun('exec_1', 'whev_1', { body: 'other' })),
    ];
    assert.deepEqual(await outcomes(), ['duplicate', 'conflict']);
    await store.replay({}, REPLAY);
    assert.deepEqual(await outcomes(), ['duplicate', 'conflict']);
    await kit.handle([settled('whev_1')]);
    assert.deepEqual(await outcomes(), ['duplicate', 'conflict']);
    assert.equal((await store.history('exec_1')).length, 1);
  },

  'counts a replayed event as open, and then as settled again': async (kit) => {
    const { store } = kit;
    await handleRun(kit, 'exec_1', 'whev_1', 'whev_2');
    await store.replay({ ids: ['whev_1'] }, REPLAY);
    const replayed = await store.stats();
    assert.deepEqual([replayed.open, replayed.due, replayed.settled], [1, 1, 1]);
    await kit.handle([kept('whev_1')]);
    const { open, due, settled: handled, oldestOpen } = await store.stats();
    assert.deepEqual([open, due, handled, oldestOpen], [0, 0, 2, null]);
  },

  'opens the end of a run with the event that settled it, and with no other': async (kit) => {
    const { store } = kit;
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2');
    await kit.handle([kept('whev_1'), kept('whev_2', true)]);
    await store.replay({ ids: ['whev_1'] }, REPLAY);
    const first = await kit.takeOne();
    assert.equal(first.isRunSettled, true);
    await store.finish(first.lease, [kept('whev_1')], RELEASE);
    await store.replay({ ids: ['whev_2'] }, REPLAY);
    const second = await kit.takeOne();
    assert.equal(second.isRunSettled, false);
    await store.finish(second.lease, [kept('whev_2', true)], RELEASE);
    await kit.acceptRun('exec_1', 'whev_3');
    assert.equal((await kit.takeOne()).isRunSettled, true);
  },

  'replays no body whose time is over, and deletes it': async (kit) => {
    const { store } = kit;
    await kit.acceptRun('exec_1', 'whev_1', 'whev_2');
    await kit.handle([kept('whev_1', false, 1), kept('whev_2')]);
    await kit.elapse(30);
    assert.equal(await store.replay({}, { dryRun: true }), 1);
    assert.equal(await store.replay({ ids: ['whev_1'] }, REPLAY), 0);
    await store.purgeBodies();
    assert.equal((await store.inspect('whev_1'))?.keptUntil, null);
    assert.equal((await store.inspect('whev_1'))?.state, 'settled');
    assert.equal(await store.body('whev_1'), null);
    assert.equal(await store.replay({}, REPLAY), 1);
  },

  'forgets kept bodies with their run, and no run with a replayed event': async (kit) => {
    const { store } = kit;
    await handleRun(kit, 'exec_1', 'whev_1');
    await handleRun(kit, 'exec_2', 'whev_2');
    await store.replay({ runId: 'exec_2' }, REPLAY);
    await kit.elapse(30);
    assert.equal(await store.purge(1), 1);
    assert.equal(await store.replay({}, { dryRun: true }), 0);
    await kit.handle([kept('whev_2')]);
    assert.equal(await store.replay({}, REPLAY), 1);
  },

  'replays a run as a whole, also when others are many': async (kit) => {
    const { store } = kit;
    const runs = Array.from({ length: 600 }, (_, index) => index);
    const accepted = [1, 2].flatMap((number) =>
      runs.map((run) => store.accept(ofRun(`exec_${run}`, `whev_${run}_${number}`))),
    );
    await Promise.all(accepted);
    for (const { lease, open } of await kit.take({ limit: runs.length })) {
      const outcomes = open.map(({ id }) => kept(id));
      await store.finish(lease, outcomes, RELEASE);
    }
    const replaying = store.replay({}, REPLAY);
    const found: string[] = [];
    while (found.length < runs.length) {
      for (const { runId, open } of await kit.take({ limit: runs.length, inHand: found })) {
        found.push(`run:${runId ?? ''}`);
        assert.equal(open.length, 2, `Both events of ${runId} must be open, got ${open.length}.`);
      }
    }
    assert.equal(await replaying, 2 * runs.length);
  },

  'replays more events than one step takes': async (kit) => {
    const { store } = kit;
    const ids = Array.from({ length: 1_100 }, (_, index) => `whev_${index}`);
    await Promise.all(ids.map((id) => store.accept(ofRun('exec_1', id))));
    await kit.handle(ids.map((id) => kept(id)));
    assert.equal(await store.replay({}, { dryRun: true }), ids.length);
    assert.equal(await store.replay({ handler: 'running' }, REPLAY), ids.length);
    assert.equal((await store.stats()).open, ids.length);
  },
};
